import type { SecretUse } from './server.ts';

/** How a run ended, in the words by which a definition chooses what is told. */
export const runResults = ['successful', 'failed', 'cancelled', 'drifted', 'slow'] as const;

export type RunResult = (typeof runResults)[number];

/** Somebody who is told how runs end. */
export interface Receiver {
  /** Also part of the names of its secrets. */
  readonly name: string;
  readonly kind: 'webhook' | 'slack' | 'matrix' | 'teams' | 'opentelemetry' | 'ara' | 'email';
  readonly on: readonly RunResult[];
  /** Of an e-mail; else empty. */
  readonly to: readonly string[];
  readonly from: string;
  /** By what it is: `webhookUrl`, `signingKey`, `accessToken`, `endpoint`, `headers`. */
  readonly secrets: Readonly<Record<string, SecretUse>>;
}
