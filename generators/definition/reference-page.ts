import { keyTree, type KeyNode } from './about.ts';
import { inline } from '../source/inline.ts';
import { kinds } from './kinds.ts';

/** Markdown of every key of a cluster: type, default, example, what it is for. */
export const referencePage = (): string => [head, ...sectionsOf(keyTree()), secrets()].join('\n');

/** The same of kind OpenStackAnsibleMagnum; secrets are told on the page of clusters. */
export const osaReferencePage = (): string =>
  [osaHead, ...sectionsOf(kinds.OpenStackAnsibleMagnum.tree())]
    .join('\n')
    .trimEnd()
    .replaceAll('(#secrets)', '(definition.md#secrets)') + '\n';

/** The same of kind Fleet. */
export const fleetReferencePage = (): string =>
  [fleetHead, ...sectionsOf(kinds.Fleet.tree())]
    .join('\n')
    .trimEnd()
    .replaceAll('(#secrets)', '(definition.md#secrets)') + '\n';

const fleetHead = `# The definition of kind Fleet

One YAML file describes a mesh of Receptor nodes and the clusters that are run over it, see [fleet.md](../fleet.md) and
[examples/fleet.yml](../../examples/fleet.yml). The rules of [definition.md](definition.md) hold here too. Keys in **bold**
must be there.

This page is generated from the same source as the reader and the JSON Schema (\`npx task schema --kind Fleet\`).
`;

const osaHead = `# The definition of kind OpenStackAnsibleMagnum

One YAML file describes Magnum's Cluster API driver in one OpenStack-Ansible deployment, see [osa.md](../osa.md) and
[examples/osa-magnum.yml](../../examples/osa-magnum.yml). The rules of [definition.md](definition.md) hold here too. Keys
in **bold** must be there.

This page is generated from the same source as the reader and the JSON Schema (\`npx task schema --kind
OpenStackAnsibleMagnum\`).
`;

const sectionsOf = (tree: KeyNode): string[] => [
  section('Top', '', tree, 1),
  ...Object.entries(tree.properties ?? {}).flatMap(([key, node]) => keySection(key, node)),
];

const head = `# The definition

One YAML file describes one cluster: \`cluster.yml\`. \`npx task init\` makes a working one, and
[examples/full.yml](../../examples/full.yml) shows every key. All faults are reported at once, each with its place and
what would be right.

- Unknown and repeated keys, anchors, aliases, merge keys and tags are faults.
- A text that YAML 1.1 and YAML 1.2 read differently (\`yes\`, \`022\`, \`22:22\`, a date) must be in quotes.
- \`{{\`, \`{%\`, \`{#\`, line ends and invisible characters are refused everywhere.
- \`nodes[]\` means: of each item of the list \`nodes\`. Keys in **bold** must be there.

This page is generated from the same source as the reader and the JSON Schema (\`npx task schema\`).
`;

const keySection = (key: string, node: KeyNode): string[] => {
  const inner = insideOf(node);
  return inner ? [section(`\`${key}\``, node.description ?? '', inner, Infinity)] : [];
};

/** The mapping that a key leads to, by itself, in a list, or as one of several forms. */
const insideOf = (node: KeyNode): KeyNode | undefined =>
  node.properties ? node : node.items ? insideOf(node.items) : node.anyOf?.map(insideOf).find((each) => each);

function section(title: string, text: string, node: KeyNode, depth: number): string {
  return [
    `## ${title}`,
    '',
    ...(text === '' ? [] : [text + '.', '']),
    '| key | type | without it | example | what it is for |',
    '|---|---|---|---|---|',
    ...rows('', node, depth),
    '',
  ].join('\n');
}

function rows(prefix: string, node: KeyNode, depth: number): string[] {
  return Object.entries(node.properties ?? {}).flatMap(([key, child]) => {
    const name = prefix + key;
    const inner = depth > 1 && !isSecret(child) ? insideOf(child) : undefined;
    const isNeeded = node.required?.includes(key) === true;
    return [
      row([
        isNeeded ? `**\`${name}\`**` : `\`${name}\``,
        typeOf(child),
        withoutIt(child, isNeeded),
        exampleOf(child),
        child.description ?? '',
      ]),
      ...(inner ? rows(`${name}${isList(child) ? '[]' : ''}.`, inner, depth - 1) : []),
    ];
  });
}

const row = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

const withoutIt = (node: KeyNode, isNeeded: boolean): string =>
  isNeeded ? 'needed' : (node.absent ?? (node.default === undefined ? '' : code(node.default)));

const exampleOf = ({ examples = [] }: KeyNode): string =>
  examples[0] === undefined || inline(examples[0]).length > 48 ? '' : code(examples[0]);

const code = (value: unknown): string => `\`${inline(value)}\``;

function typeOf(node: KeyNode): string {
  if (isSecret(node)) return '[secret](#secrets)';
  if (node.const !== undefined) return code(node.const);
  if (node.enum) return node.enum.map(code).join(', ');
  if (node.anyOf) return node.anyOf.map(typeOf).join(' or ');
  if (node.items)
    return `list of ${node.items.properties ? 'mappings' : typeOf(node.items).replace(/^string$/, 'strings')}`;
  if (node.type === 'boolean') return '`true`, `false`';
  if (node.type === 'integer') return `${node.minimum ?? ''}–${node.maximum ?? ''}`;
  return node.type === 'object' ? 'mapping' : 'string';
}

const isList = (node: KeyNode): boolean => node.items !== undefined;

const isSecret = (node: KeyNode): boolean => node.properties?.['env'] !== undefined;

function secrets(): string {
  const secret = keyTree().properties?.['ssh']?.properties?.['password'];
  return (
    section(
      'Secrets',
      'A secret is never written in a definition; what stands there says where it is kept. Exactly one of the four ways',
      secret ?? {},
      2,
    ).trimEnd() + '\n'
  );
}
