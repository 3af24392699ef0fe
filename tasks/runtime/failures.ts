/** Everything that is expected to go wrong, as one closed union. Only this file knows exit codes. */
export type Failure =
  /** The command line cannot be understood. */
  | { readonly kind: 'usage'; readonly message: string; readonly next?: string }
  /** The definition has faults; `report` shows all of them with their code frames. */
  | { readonly kind: 'definition'; readonly message: string; readonly report: string }
  /** `playbooks/` differs from a fresh render. */
  | { readonly kind: 'drift'; readonly message: string; readonly diff: string }
  /** The definition asks for review and the bundle is not committed. */
  | { readonly kind: 'review'; readonly message: string; readonly paths: readonly string[] }
  /** A file of this machine cannot be read or written. */
  | { readonly kind: 'file'; readonly message: string; readonly next?: string }
  /** A secret reference gives no value. The message never holds one. */
  | { readonly kind: 'secret'; readonly message: string; readonly next: string }
  /** ansible-lint is not content with the playbooks of a bundle, or is not there. */
  | { readonly kind: 'lint'; readonly message: string; readonly evidence: string; readonly next: string }
  /** The Ansible server, or the way to it, does not answer, or the connection was lost. */
  | { readonly kind: 'connection'; readonly message: string; readonly next: string }
  /** It answers, but refuses who we are. */
  | { readonly kind: 'authentication'; readonly message: string; readonly next: string }
  /** It is not known, or is not the machine that it was. */
  | { readonly kind: 'host-key'; readonly message: string; readonly next: string }
  /** The server lacks something: Ansible, space, a right. */
  | { readonly kind: 'server'; readonly message: string; readonly evidence: string; readonly next: string }
  /** What arrived, or lies there, is not what the manifest says. */
  | { readonly kind: 'bundle'; readonly message: string; readonly evidence: string }
  /** Another run holds the cluster. */
  | { readonly kind: 'locked'; readonly message: string; readonly next: string }
  /** No such run, or one that cannot do what was asked. */
  | { readonly kind: 'run'; readonly message: string; readonly next: string }
  /** What was shown is no longer what would be done. */
  | { readonly kind: 'stale'; readonly message: string; readonly next: string }
  /** The definition asks for what cannot be done to a cluster that stands. */
  | { readonly kind: 'refused'; readonly message: string; readonly evidence: string; readonly next: string }
  /** A task failed on a host. */
  | { readonly kind: 'playbook'; readonly message: string; readonly evidence: string; readonly next: string }
  /** A host did not answer. */
  | {
      readonly kind: 'unreachable';
      readonly message: string;
      readonly evidence: string;
      readonly next: string;
    }
  /** Hosts are not what was brought to them. */
  | { readonly kind: 'drifted'; readonly message: string; readonly evidence: string; readonly next: string }
  /** A drill left clients without an answer for longer than the definition allows. */
  | { readonly kind: 'slow'; readonly message: string; readonly evidence: string; readonly next: string }
  /** We stopped watching; the run goes on at the server. */
  | { readonly kind: 'left'; readonly message: string; readonly next: string }
  /** Somebody cancelled the run. */
  | { readonly kind: 'cancelled'; readonly message: string }
  /** A check of `doctor` failed. */
  | { readonly kind: 'unfit'; readonly message: string }
  /** The lab cannot be made or changed here. */
  | { readonly kind: 'lab'; readonly message: string; readonly evidence: string; readonly next: string };

/** 0 is success and 70 (sysexits' EX_SOFTWARE) a bug; each kind has a number of its own, which never changes. */
export const exitCodes = {
  usage: 2,
  definition: 3,
  drift: 4,
  review: 5,
  file: 6,
  secret: 7,
  lint: 8,
  connection: 10,
  authentication: 11,
  'host-key': 12,
  server: 13,
  bundle: 14,
  locked: 15,
  run: 16,
  stale: 17,
  refused: 18,
  playbook: 20,
  unreachable: 21,
  cancelled: 22,
  unfit: 23,
  left: 24,
  drifted: 25,
  slow: 26,
  lab: 30,
} as const satisfies Record<Failure['kind'], number>;

export const bugExitCode = 70;

/** Message first, evidence after, next step last. */
export const explain = (failure: Failure): string =>
  [failure.message, evidenceOf(failure), 'next' in failure && failure.next ? `Next: ${failure.next}` : '']
    .filter((part) => part !== '')
    .join('\n');

function evidenceOf(failure: Failure): string {
  switch (failure.kind) {
    case 'definition':
      return failure.report;
    case 'drift':
      return failure.diff;
    case 'review':
      return failure.paths.map((path) => `  ${path}`).join('\n');
    case 'server':
    case 'bundle':
    case 'playbook':
    case 'unreachable':
    case 'refused':
    case 'drifted':
    case 'slow':
    case 'lab':
    case 'lint':
      return indent(failure.evidence);
    default:
      return '';
  }
}

const indent = (text: string): string => text.trimEnd().replaceAll(/^(?=.)/gm, '  ');
