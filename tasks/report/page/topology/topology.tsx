import type { FleetLine, RunReport } from '../../../../generators/report/report.ts';
import type { Box, Topology as Drawn } from '../../../../generators/topology/picture.ts';
import type { JSX } from '../dom.ts';
import { fleetEndings } from '../fleet.tsx';
import { Heads, Section, Table } from '../section.tsx';
import { layout } from './topology-layout.ts';
import { PlacedBox } from './topology-box.tsx';

/** Hosts by role and who speaks to whom; hosts of a run in the colour of how they ended. */
export function Topology({
  topology,
  run,
  fleet,
}: {
  readonly topology: Drawn;
  readonly run: RunReport | undefined;
  readonly fleet: readonly FleetLine[] | undefined;
}): JSX.Element {
  const [ended, clusters] = [endings(run), fleetEndings(fleet ?? [])];
  return (
    <Section
      id="topology"
      title="Topology"
      lead={
        run
          ? 'Each host in the colour of how the run ended on it.'
          : fleet && 'Each cluster in the colour of how its latest run ended.'
      }
    >
      <div class="scroll" tabIndex={0} role="region" aria-label="Picture of the topology">
        <Picture topology={topology} endingsOf={(box) => (box === 'cluster' ? clusters : ended)} />
      </div>
      <details class="print">
        <summary>Hosts, flows and ports in words</summary>
        <div class="columns">
          <HostTable boxes={topology.boxes} />
          <FlowTable topology={topology} />
        </div>
      </details>
    </Section>
  );
}

/** Boxes, and lines between them with their ports. */
function Picture({
  topology,
  endingsOf,
}: {
  readonly topology: Drawn;
  readonly endingsOf: (box: string) => ReadonlyMap<string, string>;
}): JSX.Element {
  const { width, height, boxes, lines } = layout(topology);
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      style={{ minWidth: `${width * 0.62}px`, maxWidth: `${width * 1.1}px` }}
      role="img"
      aria-label={inWords(topology.boxes)}
    >
      <Arrow />
      {lines.map(({ path }) => (
        <path key={path} d={path} class="flow" marker-end="url(#arrow)" />
      ))}
      {boxes.map((placed) => (
        <PlacedBox key={placed.box.id} placed={placed} ended={endingsOf(placed.box.id)} />
      ))}
      {lines.map(({ ports, x, y }) => (
        <text key={`${x} ${y} ${ports.join(' ')}`} x={x} y={y + 4 - (ports.length - 1) * 7} class="port">
          {ports.map((port, line) => (
            <tspan key={port} x={x} dy={line === 0 ? 0 : 14}>
              {port}
            </tspan>
          ))}
        </text>
      ))}
    </svg>
  );
}

/** The head of every line. */
const Arrow = (): JSX.Element => (
  <defs>
    <marker
      id="arrow"
      viewBox="0 0 8 8"
      refX="6"
      refY="4"
      markerWidth="7"
      markerHeight="7"
      orient="auto-start-reverse"
    >
      <path d="M0 0 8 4 0 8z" class="arrow" />
    </marker>
  </defs>
);

const inWords = (boxes: readonly Box[]): string =>
  `${boxes.map(({ title, hosts }) => (hosts.length > 0 ? `${title}: ${hosts.length}` : title)).join(', ')}. The tables below tell all hosts and flows.`;

/** Host → the worst that became of it in the run. */
function endings(run: RunReport | undefined): ReadonlyMap<string, string> {
  return new Map(
    (run?.hosts ?? []).map(({ name, failed, unreachable, changed }) => [
      name,
      unreachable > 0 ? 'unreachable' : failed > 0 ? 'failed' : changed > 0 ? 'changed' : 'ok',
    ]),
  );
}

const HostTable = ({ boxes }: { readonly boxes: readonly Box[] }): JSX.Element => (
  <Table label="Hosts by role" head={<Heads names={['Host', 'Address', 'Role', 'Besides']} />}>
    {boxes.flatMap(({ title, hosts }) =>
      hosts.map(({ name, address, turn, marks }) => (
        <tr key={`${title} ${name}`}>
          <th scope="row">{name}</th>
          <td>{address}</td>
          <td>{title}</td>
          <td>{[...(turn > 0 ? [`VIP, ${turn}. in line`] : []), ...marks].join(', ')}</td>
        </tr>
      )),
    )}
  </Table>
);

const FlowTable = ({ topology: { boxes, flows } }: { readonly topology: Drawn }): JSX.Element => {
  const title = (id: string): string => boxes.find((box) => box.id === id)?.title ?? id;
  return (
    <Table label="Flows and ports" head={<Heads names={['From', 'To', 'Port', 'What']} />}>
      {flows.map(({ from, to, port, what }) => (
        <tr key={`${from} ${to} ${port} ${what}`}>
          <th scope="row">{title(from)}</th>
          <td>{title(to)}</td>
          <td>{port}</td>
          <td>{what}</td>
        </tr>
      ))}
    </Table>
  );
};
