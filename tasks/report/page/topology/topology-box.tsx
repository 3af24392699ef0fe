import type { BoxHost } from '../../../../generators/topology/picture.ts';
import type { JSX } from '../dom.ts';
import { boxWidth, headHeight, hostHeight, type BoxPlace, type Tiles } from './topology-layout.ts';

/** One box with its hosts: by name where they are few, as squares where they are many. */
export const PlacedBox = ({
  placed: { box, x, y, width, height, within, tiles },
  ended,
}: {
  readonly placed: BoxPlace;
  readonly ended: ReadonlyMap<string, string>;
}): JSX.Element => (
  <g transform={`translate(${x} ${y})`}>
    <rect width={width} height={height} rx="10" class={`box ${box.id}`} />
    <text x="14" y={box.detail === '' && box.hosts.length === 0 ? headHeight / 2 + 5 : 22} class="title">
      {box.title}
      {box.hosts.length > 1 ? ` (${box.hosts.length})` : ''}
    </text>
    <text x="14" y="41" class="detail">
      {box.id === 'ansible-server'
        ? shorten(`SSH to every host · ${box.detail}`, 31)
        : shorten(box.detail, 31)}
    </text>
    {box.hosts.map((host, place) =>
      tiles === undefined ? (
        <Row
          key={host.name}
          host={host}
          place={place}
          status={ended.get(host.name)}
          hasDetail={box.detail !== ''}
        />
      ) : (
        <Tile key={host.name} host={host} place={place} status={ended.get(host.name)} tiles={tiles} />
      ),
    )}
    {within === '' ? null : (
      <text x="14" y={height - 12} class="detail">
        ⟲ {within}
      </text>
    )}
  </g>
);

interface HostInBox {
  readonly host: BoxHost;
  readonly place: number;
  readonly status: string | undefined;
}

const Row = ({
  host: { name, address, marks, turn },
  place,
  status,
  hasDetail,
}: HostInBox & { readonly hasDetail: boolean }): JSX.Element => (
  <g
    transform={`translate(8 ${headHeight - (hasDetail ? 0 : 16) + place * hostHeight + (hasDetail ? 0 : 8)})`}
  >
    <title>{hover(name, address, [...turnOf(turn), ...marks], status)}</title>
    <rect width={boxWidth - 16} height={hostHeight - 5} rx="6" class="host" />
    <rect width="5" height={hostHeight - 5} rx="2.5" class={`mark ${status ?? 'unknown'}`} />
    <text x="14" y="14" class="name">
      {shorten(name, turn > 0 ? 17 : 24)}
    </text>
    <text x="14" y="28" class="detail">
      {shorten([address, ...marks].join(' · '), 32)}
    </text>
    {turn > 0 ? <Turn turn={turn} /> : null}
  </g>
);

/** The address itself at its holder, its place in the line at the others. */
const Turn = ({ turn }: { readonly turn: number }): JSX.Element => (
  <g transform={`translate(${boxWidth - 16 - 50} 5)`} class={turn === 1 ? 'turn holder' : 'turn'}>
    <rect width="44" height="15" rx="7.5" />
    <text x="22" y="11.5">
      {turn === 1 ? 'VIP' : `VIP ${turn}`}
    </text>
  </g>
);

const turnOf = (turn: number): readonly string[] =>
  turn === 0
    ? []
    : [
        turn === 1
          ? 'holds the virtual address while all are well'
          : `${turn}. in line for the virtual address`,
      ];

const Tile = ({
  host: { name, address, marks, turn },
  place,
  status,
  tiles: { size, across },
}: HostInBox & { readonly tiles: Tiles }): JSX.Element => (
  <rect
    x={10 + (place % across) * size}
    y={headHeight - 12 + Math.floor(place / across) * size}
    width={size - 2}
    height={size - 2}
    rx="2"
    class={`mark ${status ?? 'unknown'}`}
  >
    <title>{hover(name, address, [...turnOf(turn), ...marks], status)}</title>
  </rect>
);

const hover = (name: string, address: string, marks: readonly string[], status = ''): string =>
  [`${name}${status === '' ? '' : `: ${status}`}`, address, ...marks].join('\n');

const shorten = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text;
