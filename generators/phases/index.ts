import { haproxy } from './haproxy.ts';
import { keepalived } from './keepalived.ts';
import type { Phase } from './phase.ts';
import { preflight } from './preflight.ts';

/** Every phase, in the order in which they are run. */
export const phases: readonly Phase[] = [preflight, haproxy, keepalived];
