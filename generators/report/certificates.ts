/** When a certificate of a control plane ends. */
export interface CertificateEnd {
  readonly host: string;
  /** As kubeadm calls it, like `apiserver`. */
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly until: number;
}

/** What a task of `certificates.yml` said of a host. */
interface HostWords {
  readonly host: string;
  readonly task: string;
  readonly status: string;
  readonly message: string;
}

/** Playbooks that say when certificates end. */
export const certificatePlaybooks: readonly string[] = ['certificates.yml', 'rotate-certificates.yml'];

/** What a run of one of them found; nothing of a host whose certificates it then renewed, until the next one looks. */
export function certificateEnds(all: readonly HostWords[]): readonly CertificateEnd[] {
  const renewed = new Set(
    all.flatMap(({ host, task, status }) =>
      task.startsWith(renewing) && status === 'changed' ? [host] : [],
    ),
  );
  return all
    .filter(({ host, task }) => task === showing && !renewed.has(host))
    .flatMap(({ host, message }) =>
      message.split('\n').flatMap((text) => {
        const { name = '', until = '' } = line.exec(text)?.groups ?? {};
        return name === '' ? [] : [{ host, name, until: Date.parse(until) }];
      }),
    );
}

const showing = 'Show when the certificates expire';
const renewing = 'Renew the certificates';
const line =
  /^(?:good|due|external|authority) (?<name>[\w.-]+): -?\d+ days, until (?<until>\w{3} \d{1,2}, \d{4} \d{2}:\d{2} UTC)$/;
