import { keyWarning, problemAt, type Finding } from '../../../source/finding.ts';
import { hole, type Facts } from '../facts.ts';

const at = ['controlPlaneEndpoint', 'dnsName'];

/** The name of the endpoint leads to the endpoint alone, and somebody makes use of it. */
export function endpointName(facts: Facts): readonly Finding[] {
  const { draft } = facts;
  const written = draft.controlPlaneEndpoint?.dnsName;
  if (written === undefined || hole(draft, 'installer')) return [];
  if (draft.installer === undefined)
    return [
      keyWarning(
        at,
        '`dnsName` has no effect: this definition does not install Kubernetes',
        'remove the key, or add `installer`',
      ),
    ];
  return [...otherUse(written, facts), ...withoutBalancer(facts)];
}

/** What else on a node goes by that name; one word, one problem. */
function otherUse(written: string, facts: Facts): Finding[] {
  const why = [reservedName(written), ofMachine(written, facts), ofRegistry(written, facts)].find(
    (each) => each !== undefined,
  );
  return why === undefined ? [] : [problemAt(at, why, 'a name that leads to the endpoint alone')];
}

const reservedName = (written: string): string | undefined =>
  /(?:^|\.)localhost$/.test(written)
    ? `${written} is every machine itself`
    : /^kubernetes(?:\.default(?:\.svc)?)?$|(?:^|\.)cluster\.local$/.test(written)
      ? `${written} is a name of the cluster's own, which pods find by CoreDNS`
      : undefined;

/** An SSH host may be the name where the one control plane is the endpoint. */
function ofMachine(written: string, { nodes, hosts, placement }: Facts): string | undefined {
  const machines = [...nodes, ...hosts];
  const named = machines.find(({ written: { name } }) => name === written);
  if (named) return `${written} is already the name of ${String(named.path[0])}[${String(named.path[1])}]`;
  const reached = machines.find(({ written: { ssh } }) => ssh?.host?.toLowerCase() === written);
  return reached && placement !== undefined && placement.kind !== 'none'
    ? `${reached.name} is reached by SSH at ${written}, which leads to whoever holds the address`
    : undefined;
}

function ofRegistry(written: string, { draft }: Facts): string | undefined {
  const registry = draft.containerd?.registries?.find(
    (each) => each?.host?.replace(/:\d+$/, '').toLowerCase() === written,
  );
  return (
    registry &&
    `${written} is the registry ${registry.host ?? ''}, which nodes would look for at the endpoint`
  );
}

/** kubespray knows a name of the load balancer alone. */
function withoutBalancer({ draft, placement }: Facts): Finding[] {
  const kind = placement?.kind;
  if (draft.installer?.kubespray === undefined || (kind !== 'none' && kind !== 'local')) return [];
  return [
    problemAt(
      at,
      `kubespray gives the endpoint a name where a load balancer stands before it, and with \`${kind}\` none does`,
      'the name in `installer.kubespray.certificateSans`, or another `placement`',
    ),
  ];
}
