import type { JSX } from './dom.ts';

/** A mark beside the word: colour alone tells nothing to some. */
const marks: Readonly<Record<string, string>> = {
  ok: '✓',
  successful: '✓',
  changed: '~',
  failed: '✗',
  error: '✗',
  unreachable: '⊘',
  lost: '⊘',
  ignored: '!',
  skipped: '–',
  canceled: '■',
  running: '▶',
};

export const Status = ({ of, count }: { readonly of: string; readonly count?: number }): JSX.Element => (
  <span class={`status ${of}`}>
    <span aria-hidden="true">{marks[of] ?? '•'}</span> {count === undefined ? '' : `${count} `}
    {of}
  </span>
);

export function Counts({
  counts,
}: {
  readonly counts: Readonly<Partial<Record<string, number>>>;
}): JSX.Element {
  const present = order.filter((status) => (counts[status] ?? 0) > 0);
  return (
    <span class="counts">
      {present.map((status) => (
        <Status key={status} of={status} count={counts[status] ?? 0} />
      ))}
    </span>
  );
}

const order = ['unreachable', 'failed', 'ignored', 'changed', 'ok', 'skipped'];
