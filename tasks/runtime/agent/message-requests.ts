import type { Receiver } from '../../../generators/cluster/cluster.ts';

/** Somebody who is told how runs end; `secrets` names the variables of what is secret. */
export interface MessageReceiver extends Omit<Receiver, 'secrets'> {
  readonly secrets: Readonly<Record<string, string>>;
}

/** What a run does with its end. Values stay in the memory of its supervisor. */
export interface RunMessages {
  /** Whether the run compares all hosts with the bundle: what it would change is drift. */
  readonly drift: boolean;
  readonly receivers: readonly MessageReceiver[];
  /** Variable → value. */
  readonly values: Readonly<Record<string, string>>;
}
