import { problemAt, keyProblemAt, warning, type Finding, type Path } from '../../../source/finding.ts';
import { hasGap } from '../../gaps.ts';
import { canonicalHost } from '../../../source/networks.ts';
import { reachedTwice } from '../../checks/node/dial.ts';
import { repetitions } from '../../checks/node/repeated.ts';
import type { FleetDraft } from '../schema/schema.ts';

type FleetNodeDraft = NonNullable<NonNullable<FleetDraft['nodes']>[number]>;

interface NodeAtPath {
  readonly node: FleetNodeDraft;
  readonly path: Path;
}

/** Each node once, with what its role needs; one of them is the Ansible server. */
export function fleetNodeChecks(draft: FleetDraft): readonly Finding[] {
  const nodes = (draft.nodes ?? []).flatMap((node, index): readonly NodeAtPath[] =>
    node ? [{ node, path: ['nodes', index] }] : [],
  );
  return [
    ...(['name', 'address'] as const).flatMap((key) => repeatedNodes(nodes, key)),
    ...reachedTwice(
      nodes.map(({ node, path }) => ({ name: node.name ?? 'a node', written: node, path })),
      draft,
    ),
    ...controls(nodes, draft),
    ...nodes.flatMap(sites),
    ...nodes.flatMap(sealing),
    ...nodes.flatMap((placed) => logins(placed, draft)),
    ...authorities(draft),
  ];
}

const repeatedNodes = (nodes: readonly NodeAtPath[], key: 'name' | 'address'): Finding[] =>
  repetitions(nodes, ({ node }) => (key === 'name' ? node.name : canonicalOf(node.address))).map(
    ([{ node, path }]) =>
      problemAt(
        [...path, key],
        `${node[key] ?? ''} stands at two nodes`,
        `another ${key}, or one of the two`,
      ),
  );

const canonicalOf = (host: string | undefined): string | undefined =>
  host === undefined ? undefined : canonicalHost(host);

function controls(nodes: readonly NodeAtPath[], draft: FleetDraft): Finding[] {
  const found = nodes.filter(({ node }) => node.role === 'control');
  const [first, ...more] = found;
  // A role that is wrong may have been meant to be this one.
  if (first === undefined)
    return nodes.length > 0 && nodes.length === draft.nodes?.length && nodes.every(({ node }) => node.role)
      ? [problemAt(['nodes'], 'no node is the control node', 'the Ansible server, with role: control')]
      : [];
  return [
    ...more.map(({ path }) =>
      problemAt([...path, 'role'], 'a fleet has one control node: its Ansible server', 'hop or execution'),
    ),
    ...sameUser(first, draft),
  ];
}

/** The socket of Receptor belongs to one user: the one who starts runs. */
function sameUser({ node, path }: NodeAtPath, { ansibleServer, ssh }: FleetDraft): Finding[] {
  const asked = typeof ansibleServer === 'object' ? ansibleServer.user : undefined;
  const user = hasGap(node, 'ssh.user') ? undefined : (node.ssh?.user ?? ssh?.user);
  return asked === undefined || user === undefined || asked === user
    ? []
    : [
        problemAt(
          node.ssh?.user === undefined ? [...path, 'name'] : [...path, 'ssh', 'user'],
          `Receptor on the control node would be ${user}'s, but ${asked} logs in to the Ansible server`,
          asked,
        ),
      ];
}

function sites({ node, path }: NodeAtPath): Finding[] {
  if (node.role === 'execution')
    return node.site === undefined && !hasGap(node, 'site')
      ? [problemAt(path, 'an execution node serves a site', 'site: paris')]
      : [];
  return node.role === undefined || node.site === undefined
    ? []
    : [keyProblemAt([...path, 'site'], `a ${node.role} node serves no site`, 'remove the key')];
}

const sealing = ({ node, path }: NodeAtPath): Finding[] =>
  node.role === undefined || node.role === 'execution' || node.sealingKey === undefined
    ? []
    : [keyProblemAt([...path, 'sealingKey'], `a ${node.role} node gets no secrets`, 'remove the key')];

const authorities = ({ certificates }: FleetDraft): Finding[] =>
  certificates?.directory === undefined || certificates.authority === undefined
    ? []
    : [
        keyProblemAt(
          ['certificates', 'authority'],
          "the authority is somebody else's",
          'either of the two keys',
        ),
      ];

function logins({ node, path }: NodeAtPath, draft: FleetDraft): Finding[] {
  const user = node.ssh?.user ?? draft.ssh?.user;
  return [
    ...(user === undefined && !hasGap(node, 'ssh.user') && !hasGap(draft, 'ssh.user')
      ? [problemAt(path, 'no user is given who logs in there', 'ssh: { user: ubuntu }, here or for all')]
      : []),
    ...(node.role !== 'control' && node.ssh?.hostKey === undefined
      ? [
          warning(
            path,
            'no host key is pinned for it, so no run can reach it yet',
            '`npx task trust` shows the key and writes it here once you have compared it',
          ),
        ]
      : []),
  ];
}
