import type { World } from '../../tasks/runtime/world.ts';

/** A world in which nothing is shown and nobody answers. */
export const quietWorld = (cwd: string): World => ({
  cwd,
  report: () => undefined,
  print: () => undefined,
  json: false,
  isTerminal: false,
  ask: () => Promise.resolve(undefined),
  commandLine: ['task'],
});
