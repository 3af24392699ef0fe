import { problemAt, keyWarning, warning, type Finding } from '../../../source/finding.ts';
import { hole, type Facts, type MachineFact } from '../facts.ts';

/** Every machine can be reached: somebody logs in, and it is known by its key. */
export const access = (facts: Facts): readonly Finding[] => [
  ...users(facts),
  ...hostKeys(facts),
  ...serverAuth(facts),
  ...noProxy(facts),
];

function users({ draft, nodes, hosts }: Facts): Finding[] {
  if (draft.ssh?.user !== undefined || hole(draft, 'ssh') || hole(draft.ssh, 'user')) return [];
  const without = [...nodes, ...hosts].filter(
    ({ written }) => written.ssh?.user === undefined && !hole(written, 'ssh') && !hole(written.ssh, 'user'),
  );
  const [first] = without;
  if (!first) return [];
  return [
    problemAt(
      draft.ssh ? ['ssh', 'user'] : [...first.path, 'ssh', 'user'],
      `no user is given who logs in to ${namesOf(without)}: \`user\` is missing in \`ssh\``,
      loginRemedy,
    ),
  ];
}

export const loginRemedy = 'ssh: { user: ubuntu } for every machine, or `ssh.user` at each';

/** One warning for all, since many machines may be new at once. */
function hostKeys({ nodes, hosts }: Facts): Finding[] {
  const without = [...nodes, ...hosts].filter(
    ({ written }) =>
      written.ssh?.hostKey === undefined && !hole(written, 'ssh') && !hole(written.ssh, 'hostKey'),
  );
  const [first] = without;
  if (!first) return [];
  return [
    warning(
      [...first.path, 'ssh', 'hostKey'],
      `no host key is pinned for ${namesOf(without)}, so no run can reach ${without.length === 1 ? 'it' : 'them'} yet`,
      '`npx task trust` shows the keys and writes them here once you have compared them',
    ),
  ];
}

/** `a`, `a and b`, `a, b, c and 7 more` */
const namesOf = (machines: readonly MachineFact[]): string => {
  const names = machines.slice(0, 3).map(({ name }) => name);
  const last = machines.length > names.length ? `${machines.length - names.length} more` : names.pop();
  return [names.join(', '), last].filter((part) => part !== '').join(' and ');
};

function serverAuth({ draft }: Facts): Finding[] {
  const server = draft.ansibleServer;
  if (typeof server !== 'object' || !server.auth?.passphrase || hole(server.auth, 'privateKey')) return [];
  return server.auth.privateKey === undefined
    ? [
        problemAt(
          ['ansibleServer', 'auth', 'passphrase'],
          '`passphrase` is for a private key, and none is named',
          'privateKey: ~/.ssh/id_ed25519 beside it',
        ),
      ]
    : [];
}

function noProxy({ draft: { proxy } }: Facts): Finding[] {
  if (!proxy?.noProxy || proxy.http !== undefined || proxy.https !== undefined) return [];
  return hole(proxy, 'http') || hole(proxy, 'https')
    ? []
    : [
        keyWarning(
          ['proxy', 'noProxy'],
          '`noProxy` has no effect without a proxy',
          '`http` or `https` beside it',
        ),
      ];
}
