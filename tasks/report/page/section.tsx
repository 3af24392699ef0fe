import type { ComponentChildren, JSX } from './dom.ts';

/** One part of the page, with a heading that the navigation leads to. */
export const Section = ({
  id,
  title,
  lead,
  children,
}: {
  readonly id: string;
  readonly title: string;
  readonly lead?: ComponentChildren;
  readonly children: ComponentChildren;
}): JSX.Element => (
  <section id={id} class="card" aria-labelledby={`${id}-title`}>
    <h2 id={`${id}-title`}>{title}</h2>
    {lead === undefined ? null : <p class="lead">{lead}</p>}
    {children}
  </section>
);

/** A table that scrolls by itself where it is too wide, with the keyboard too. */
export const Table = ({
  label,
  head,
  children,
}: {
  readonly label: string;
  readonly head: ComponentChildren;
  readonly children: ComponentChildren;
}): JSX.Element => (
  <div class="scroll" tabIndex={0} role="region" aria-label={label}>
    <table>
      <thead>
        <tr>{head}</tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
);

export const Heads = ({ names }: { readonly names: readonly string[] }): JSX.Element => (
  <>
    {names.map((name) => (
      <th key={name} scope="col">
        {name}
      </th>
    ))}
  </>
);

/** The rest of a long table, for whoever asks for it. */
export const ShowAll = ({
  all,
  shown,
  onShow,
}: {
  readonly all: number;
  readonly shown: number;
  readonly onShow: (all: number) => void;
}): JSX.Element | null =>
  all > shown ? (
    <button
      type="button"
      onClick={() => {
        onShow(all);
      }}
    >
      Show all {all}
    </button>
  ) : null;
