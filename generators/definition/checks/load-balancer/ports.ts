import { problemAt, type Finding } from '../../../source/finding.ts';
import { hasGap } from '../../gaps.ts';
import type { Facts } from '../facts.ts';
import {
  controlPlaneListeners,
  haproxyListeners,
  nfs,
  sshd,
  workerListeners,
  type PortListener,
} from './listeners.ts';

/** What listens on a load balancer, and on a node, each on a port of its own. */
export function ports(facts: Facts): readonly Finding[] {
  const { placement, balancers = [], hosts, draft } = facts;
  const known = (listeners: readonly PortListener[]): readonly PortListener[] =>
    listeners.filter(({ path }) => !hasGap(draft, path.join('.')));
  const ofControlPlanes = known([
    ...controlPlaneListeners(facts),
    ...(placement?.kind === 'stacked' ? haproxyListeners(facts) : []),
  ]);
  // What is said of a control plane is not said of a worker again.
  const isSaid = ({ port, what, path }: PortListener): boolean =>
    path.length > 0 &&
    ofControlPlanes.some(
      (each) => each.port === port && each.what === what && each.path.join() === path.join(),
    );
  return [
    ...clashes(ofControlPlanes),
    ...clashes(known(workerListeners(facts)).filter((listener) => !isSaid(listener))),
    ...(placement?.kind === 'dedicated'
      ? clashes(known([...nfs(balancers, draft), ...sshd(balancers, draft), ...haproxyListeners(facts)]))
      : []),
    ...hosts
      .filter((host) => !balancers.includes(host) && nfs([host], draft).length > 0)
      .flatMap((host) => clashes([...nfs([host], draft), ...sshd([host], draft)])),
  ];
}

/** The later of two is the one to move. */
const clashes = (listeners: readonly PortListener[]): Finding[] =>
  listeners.flatMap((late, index) => {
    const early = listeners.slice(0, index).find(({ port }) => port === late.port);
    return early
      ? [
          problemAt(
            late.path,
            `port ${late.port} is used by both ${late.what} and ${early.what} on the same machine`,
            `another port for ${late.what}${late.what === 'HAProxy' && late.port === 6443 ? ', like 8443' : ''}`,
          ),
        ]
      : [];
  });
