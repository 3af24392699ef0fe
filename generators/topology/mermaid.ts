import type { Flow } from './picture.ts';
import type { Box, Topology } from './picture.ts';

/** A topology as the lines of a Mermaid flowchart, which git servers draw: a box a role, an arrow for all flows of a pair. */
export function topologyChart({ boxes, flows }: Topology): readonly string[] {
  const between = flows.filter(({ from, to }) => from !== to && from !== 'ansible-server');
  const pairs = [...new Set(between.map(({ from, to }) => `${from} ${to}`))];
  return [
    'flowchart LR',
    ...boxes.map((box) => `  ${idOf(box.id)}["${labelOf(box)}"]`),
    ...pairs.map((pair) => arrow(between.filter(({ from, to }) => pair === `${from} ${to}`))),
  ];
}

/** An id of Mermaid's has no dash, and `end` is a word of its own. */
const idOf = (id: string): string => `box_${id.replaceAll('-', '_')}`;

function labelOf({ id, title, detail, hosts }: Box): string {
  const holder = hosts.find(({ turn }) => turn === 1);
  const lines = [
    hosts.length > 1 ? `${title} (${hosts.length})` : title,
    id === 'ansible-server' ? `${detail}, SSH to every host` : detail,
    shorten(hosts.map(({ name }) => name)),
    holder === undefined ? '' : `${holder.name} holds the address while all are well`,
  ];
  return lines
    .filter((line) => line !== '')
    .map(plain)
    .join('<br>');
}

const shorten = (names: readonly string[]): string =>
  names.length <= 6 ? names.join(', ') : `${names.slice(0, 2).join(', ')}, … ${names.at(-1) ?? ''}`;

function arrow(flows: readonly Flow[]): string {
  const [first] = flows;
  if (first === undefined) return '';
  const ports = [...new Set(flows.map(({ port }) => port))];
  const shown =
    ports.length <= 3 ? ports.join(', ') : `${ports.slice(0, 2).join(', ')}, ${ports.length - 2} more`;
  return `  ${idOf(first.from)} -->|"${plain(shown)}"| ${idOf(first.to)}`;
}

/** A quotation mark would end the label. */
const plain = (text: string): string => text.replaceAll('"', '#quot;');
