import type { HostLine, RunReport } from '../../../generators/report/report.ts';
import { useState, type JSX } from './dom.ts';
import { duration, several } from './format.ts';
import { Section, Table, ShowAll } from './section.tsx';
import { Status } from './status.tsx';

type Column = keyof HostLine;

const columns: readonly (readonly [Column, string])[] = [
  ['name', 'Host'],
  ['ok', 'ok'],
  ['changed', 'changed'],
  ['failed', 'failed'],
  ['unreachable', 'unreachable'],
  ['skipped', 'skipped'],
  ['ignored', 'ignored'],
  ['busy', 'busy'],
  ['heldUp', 'kept others waiting'],
];

/** Ansible's recap with the times, sorted as the reader likes. */
export function Hosts({ run: { hosts } }: { readonly run: RunReport }): JSX.Element {
  const [order, setOrder] = useState<{ readonly by: Column; readonly down: boolean }>({
    by: 'failed',
    down: true,
  });
  const [wanted, setWanted] = useState('');
  const [limit, setLimit] = useState(50);
  const found = hosts
    .filter(({ name }) => name.includes(wanted.trim()))
    .toSorted((a, b) => compare(a, b, order));
  return (
    <Section
      id="hosts"
      title="Hosts"
      lead="How tasks ended on each host. “Busy” is time in tasks; the last column is time in which all others had finished."
    >
      <p class="tools">
        <label>
          Find a host{' '}
          <input
            type="search"
            value={wanted}
            onInput={({ currentTarget }) => {
              setWanted(currentTarget.value);
            }}
          />
        </label>
        <span role="status">{several(found.length, 'host')}</span>
      </p>
      <Table
        label="Table of hosts"
        head={columns.map(([by, title]) => (
          <Head
            key={by}
            title={title}
            order={by === order.by ? order.down : undefined}
            onChoose={() => {
              setOrder({ by, down: by === order.by ? !order.down : by !== 'name' });
            }}
          />
        ))}
      >
        {found.slice(0, limit).map((host) => (
          <Row key={host.name} host={host} />
        ))}
      </Table>
      <ShowAll all={found.length} shown={limit} onShow={setLimit} />
    </Section>
  );
}

const Head = ({
  title,
  order,
  onChoose,
}: {
  readonly title: string;
  readonly order: boolean | undefined;
  readonly onChoose: () => void;
}): JSX.Element => (
  <th scope="col" aria-sort={order === undefined ? 'none' : order ? 'descending' : 'ascending'}>
    <button type="button" class="plain" onClick={onChoose}>
      {title}
      <span aria-hidden="true">{order === undefined ? '' : order ? ' ▾' : ' ▴'}</span>
    </button>
  </th>
);

const Row = ({ host }: { readonly host: HostLine }): JSX.Element => (
  <tr>
    <th scope="row">{host.name}</th>
    <td class="number">{host.ok}</td>
    <Count of="changed" count={host.changed} />
    <Count of="failed" count={host.failed} />
    <Count of="unreachable" count={host.unreachable} />
    <td class="number">{host.skipped}</td>
    <td class="number">{host.ignored}</td>
    <td class="number">{duration(host.busy)}</td>
    <td class="number">{duration(host.heldUp)}</td>
  </tr>
);

const Count = ({ of, count }: { readonly of: string; readonly count: number }): JSX.Element => (
  <td class={count > 0 ? 'number loud' : 'number'}>{count > 0 ? <Status of={of} count={count} /> : 0}</td>
);

function compare(
  a: HostLine,
  b: HostLine,
  { by, down }: { readonly by: Column; readonly down: boolean },
): number {
  const [one, other] = down ? [b, a] : [a, b];
  const left = by === 'failed' ? one.failed + one.unreachable : one[by];
  const right = by === 'failed' ? other.failed + other.unreachable : other[by];
  const order =
    typeof left === 'string'
      ? left.localeCompare(String(right), 'en', { numeric: true })
      : left - Number(right);
  return order === 0 ? a.name.localeCompare(b.name, 'en', { numeric: true }) : order;
}
