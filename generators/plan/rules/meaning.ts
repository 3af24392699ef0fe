import type { Cluster } from '../../cluster/cluster.ts';
import type { Change } from '../changes.ts';

/** What a changed key means for hosts that have the old value. */
export type Meaning =
  /** These phases bring it; an empty list: whichever of them is rendered otherwise. `note`: what they cannot do. */
  | { readonly kind: 'phases'; readonly phases: readonly string[]; readonly note?: string }
  /** A machine came, went or is another one: an operation on it, and what must know of it. */
  | { readonly kind: 'machine' }
  | { readonly kind: 'upgrade' }
  | { readonly kind: 'whole' }
  | { readonly kind: 'none'; readonly why: string }
  | { readonly kind: 'refused'; readonly why: string };

/** What is applied, and what is wanted in its place. */
export interface Sides {
  readonly before: Cluster;
  readonly after: Cluster;
}

export type ChangeJudge = (change: Change, sides: Sides) => Meaning;

/** These phases bring it, or whichever is rendered otherwise. */
export const phases = (...names: readonly string[]): Meaning => ({ kind: 'phases', phases: names });

export const none = (why: string): Meaning => ({ kind: 'none', why });
