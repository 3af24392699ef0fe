import { defaults } from '../../defaults.ts';
import { problemAt, type Finding, type Path } from '../../../source/finding.ts';
import { canonicalHost } from '../../../source/networks.ts';
import { hasGap } from '../../gaps.ts';
import { repetitions } from './repeated.ts';

/** How a machine is reached, or all of them, as far as it is said. */
interface WrittenDial {
  readonly address?: string | undefined;
  readonly ssh?:
    | {
        readonly host?: string | undefined;
        readonly port?: number | undefined;
        readonly proxyJump?: string | undefined;
      }
    | undefined;
}

interface DialledMachine {
  readonly name: string;
  readonly written: WrittenDial;
  readonly path: Path;
}

/** Two names for one machine. Two with one address are told as that; of others one says another host than its address. */
export const reachedTwice = (machines: readonly DialledMachine[], shared: WrittenDial): Finding[] =>
  repetitions(machines, ({ written }) => dialOf(written, shared)).flatMap(([late, first]) => {
    const at = [late, first].find(({ written }) => written.ssh?.host !== undefined);
    return at
      ? [
          problemAt(
            [...at.path, 'ssh', 'host'],
            `${late.name} and ${first.name} are reached at the same place, so they would be one machine`,
            'its own host or port',
          ),
        ]
      : [];
  });

/** In one spelling; undefined: not known. */
function dialOf(written: WrittenDial, { ssh: shared }: WrittenDial): string | undefined {
  const { ssh, address } = written;
  const host = ssh?.host ?? address;
  return host === undefined || hasGap(written, 'ssh.host', 'ssh.port', 'ssh.proxyJump')
    ? undefined
    : [
        canonicalHost(host),
        ssh?.port ?? shared?.port ?? defaults.sshPort,
        ssh?.proxyJump ?? shared?.proxyJump ?? 'none',
      ].join(' ');
}
