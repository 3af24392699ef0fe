import { exportChoices, mountPointOf } from '../../../cluster/storage-exports.ts';
import type { StorageFact } from '../../derived.ts';
import { problemAt, warning, type Finding, type Path } from '../../../source/finding.ts';
import { canonicalHost, cidr, contains, parseAddress, parseBlock } from '../../../source/networks.ts';
import { isClientName, isEverybody } from '../../schema/storage/storage-judges.ts';
import { hasGap } from '../../gaps.ts';
import type { Facts } from '../facts.ts';
import { repetitions } from '../node/repeated.ts';

interface ExportFact {
  readonly path: Path;
  readonly folder: string | undefined;
  readonly clients: readonly string[];
  /** False: something is wrong in them. */
  readonly clientsKnown: boolean;
  readonly options: readonly string[];
}

/** Exports lie in volumes, and whoever needs them may mount them. */
export function exportsOf(server: StorageFact, facts: Facts): readonly Finding[] {
  const all = exportFacts(server);
  const { volumes = [] } = server.written;
  const mountPoints = volumes.flatMap((volume) => volume?.mountTo ?? []);
  const mountsKnown = !hasGap(server.written, 'volumes.*.mountTo');
  return [
    ...repetitions(all, ({ folder }) => folder).map(([{ path, folder = '' }]) =>
      problemAt(
        [...path, 'path'],
        `${folder} is exported already`,
        'each folder once, `to` a list of all its clients',
      ),
    ),
    ...all
      .filter(
        ({ folder }) =>
          mountsKnown && folder !== undefined && mountPointOf(folder, mountPoints) === undefined,
      )
      .map(({ path, folder = '' }) =>
        problemAt(
          [...path, 'path'],
          `${folder} is in no volume`,
          `a folder below ${mountPoints.join(' or ') || 'a `mountTo`'}`,
        ),
      ),
    ...all.flatMap((each) => [...clientsTwice(each), ...contradictions(each), ...openDoors(each)]),
    ...all.filter((each) => isUsed(each, server)).flatMap((each) => strangers(each, facts)),
  ];
}

const exportFacts = ({ path, written }: StorageFact): ExportFact[] =>
  (written.exports ?? []).flatMap((each, index) => {
    const clients = [each?.to ?? []].flat();
    return each
      ? [
          {
            path: [...path, 'exports', index],
            folder: each.path,
            clients: clients.filter((client) => client !== undefined),
            clientsKnown: each.to !== undefined && !clients.includes(undefined),
            options: (each.options ?? []).filter((word) => word !== undefined),
          },
        ]
      : [];
  });

/** A client in two spellings is one client. */
const clientsTwice = ({ path, clients }: ExportFact): Finding[] =>
  repetitions(clients, canonicalClient).map(([client]) =>
    problemAt([...path, 'to'], `${client} is listed twice`, 'each client once'),
  );

const canonicalClient = (client: string): string => {
  const block = parseBlock(client) ?? parseAddress(client);
  return block ? cidr(block) : canonicalHost(client);
};

function contradictions({ path, options }: ExportFact): Finding[] {
  const kinds = [...Object.values(exportChoices), ['anonuid'], ['anongid']] as const;
  return kinds.flatMap((choices) => {
    const given = options.filter((word) => (choices as readonly string[]).includes(word.split('=')[0] ?? ''));
    return given.length > 1
      ? [problemAt([...path, 'options'], `${given.join(' and ')} contradict each other`, 'one of them')]
      : [];
  });
}

function openDoors({ path, clients, options }: ExportFact): Finding[] {
  const everybody = clients.find(isEverybody);
  return [
    ...(everybody === undefined
      ? []
      : [
          warning(
            [...path, 'to'],
            `${everybody} lets in everybody who can reach the server`,
            'the network of the nodes',
          ),
        ]),
    ...(options.includes('no_root_squash')
      ? [
          warning(
            [...path, 'options'],
            'with no_root_squash, root of any client is root of these files',
            'root_squash, and `owner` with the user that writes',
          ),
        ]
      : []),
  ];
}

/** Whether Kubernetes is told of it. */
const isUsed = ({ folder }: ExportFact, { written }: StorageFact): boolean =>
  (written.persistentVolumes ?? []).some((volume) => volume?.export === folder && folder !== undefined);

/** Nodes that may not mount what Kubernetes is told of; of names nothing is known here. */
function strangers({ path, folder = '', clients, clientsKnown }: ExportFact, { nodes }: Facts): Finding[] {
  if (!clientsKnown || clients.some(isClientName)) return [];
  const blocks = clients.flatMap((client) => parseBlock(client) ?? parseAddress(client) ?? []);
  const outside = nodes.filter(({ address }) => address && !blocks.some((block) => contains(block, address)));
  const [first] = outside;
  return first
    ? [
        warning(
          [...path, 'to'],
          `${first.name}${outside.length > 1 ? ` and ${outside.length - 1} more` : ''} may not mount ${folder}, and pods with its PersistentVolume can be there`,
          `${first.address?.address ?? ''} as well, or its network`,
        ),
      ]
    : [];
}
