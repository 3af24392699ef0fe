import process from 'node:process';
import { parseArgs } from 'node:util';
import type { BenchLab } from './lab/bench-lab.ts';

const partNames = [
  'start',
  'render',
  'kubespray',
  'plan',
  'fleet',
  'mesh',
  'slots',
  'push',
  'memory',
  'run',
  'vip',
  'instantiate',
  'installers',
  'scale',
  'elb',
] as const;
export type PartName = (typeof partNames)[number];

export interface Bench {
  /** How often everything is measured; each figure is the median. */
  readonly repetitions: number;
  /** Of what is counted in hundreds and thousands: 1 is all of it; less is to see whether it still runs. */
  readonly share: number;
  /** How many clusters a fleet has. */
  readonly clusters: number;
  /** Says on standard error what is measured now. */
  readonly say: (text: string) => void;
  /** A lab of this benchmark's own; it comes up when a part first asks for it. */
  readonly lab: () => Promise<BenchLab>;
}

export interface BenchOptions extends Omit<Bench, 'lab'> {
  readonly json: boolean;
  readonly only: readonly PartName[];
}

/** `--json`, `--only render,push`, `-n 3`, `--small`; throws on what it does not know. */
export function readOptions(argv: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      json: { type: 'boolean', default: false },
      only: { type: 'string', default: partNames.join(',') },
      repetitions: { type: 'string', short: 'n', default: '5' },
      clusters: { type: 'string', default: '100' },
      small: { type: 'boolean', default: false },
    },
  });
  const repetitions = Number(values.repetitions);
  if (!Number.isInteger(repetitions) || repetitions < 1) throw new Error('-n is a whole number from 1');
  const clusters = Number(values.clusters);
  if (!Number.isInteger(clusters) || clusters < 4 || clusters > 160)
    throw new Error('--clusters is a whole number from 4 to 160');
  return {
    json: values.json,
    only: values.only.split(',').map(partName),
    repetitions,
    clusters,
    share: values.small ? 0.01 : 1,
    say: (text) => process.stderr.write(`${text}\n`),
  };
}

/** A share of a count, which is never less than a cluster needs. */
export const counted = (count: number, { share }: Pick<Bench, 'share'>): number =>
  Math.max(3, Math.round(count * share));

function partName(word: string): PartName {
  const found = partNames.find((name) => name === word);
  if (found === undefined) throw new Error(`--only knows ${partNames.join(', ')}, not ${word}`);
  return found;
}
