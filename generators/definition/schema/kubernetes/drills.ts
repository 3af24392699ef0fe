import { defaults } from '../../defaults.ts';
import type { ValueJudge } from '../key.ts';
import { choice, list, map, text } from '../key.ts';
import { duration, milliseconds, show } from '../judges.ts';

const { drills: own } = defaults;

/** As long as a drill needs to see anything, and no longer than somebody would wait. */
const drillBound: ValueJudge<string> = (value) =>
  milliseconds(value) >= 60_000 && milliseconds(value) <= 900_000
    ? undefined
    : { wrong: `${show(value)} is no bound of a fault`, right: 'from 60s to 900s' };

const timeOfDay: ValueJudge<string> = (value) =>
  /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(value)
    ? undefined
    : { wrong: `${show(value)} is no time of day`, right: '"22:00"' };

/** Seconds for which the drill `storage` cuts the way of its volume. */
export const outage = 20;

/** A writer waits for as long as its way is cut in any case. */
const longer: ValueJudge<string> = (value) =>
  duration(value) ??
  (milliseconds(value) > outage * 1000
    ? undefined
    : { wrong: `${show(value)} is no longer than the way to the storage is cut for`, right: `more than ${outage}s, like 45s` });

const limit = (drill: string): ReturnType<typeof text> =>
  text(duration, {
    description: `The longest time without an answer in the drill \`${drill}\``,
    examples: ['5s'],
    absent: 'none: the time is only told',
  });

const window = map(
  {
    from: text(timeOfDay, { description: 'When it opens', examples: ['"22:00"'] }),
    to: text(timeOfDay, { description: 'When it closes; before `from`: on the next day', examples: ['"04:00"'] }),
    days: list(
      choice(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], {
        description: 'A day on which it opens',
        examples: ['sat'],
      }),
      { description: 'The days on which it opens', examples: [['sat', 'sun']], absent: 'every day' },
    ).optional(),
  },
  {
    description: 'The maintenance window, in UTC by the clock of the control plane: drills that make a fault begin in it',
    examples: [{ from: '"22:00"', to: '"04:00"', days: ['sat'] }],
    absent: 'any time',
  },
);

export const drills = map(
  {
    limits: map(
      {
        vip: limit('vip').optional(),
        controlPlane: limit('control-plane').optional(),
        worker: limit('worker').optional(),
        storage: text(longer, {
          description: `The longest time that a writer waits in the drill \`storage\`, which cuts its way for ${outage} s`,
          examples: ['45s'],
          absent: 'none: the time is only told',
        }).optional(),
      },
      {
        description: 'How long clients of the API, or a writer on storage, may be without an answer; a slower drill ends with exit code 26',
        examples: [{ vip: '5s' }],
        absent: 'none',
      },
    ).optional(),
    atMost: text(drillBound, {
      description: 'How long a fault lasts at most: then the host reverts it by itself, whatever became of the run',
      examples: ['120s'],
      default: own.atMost,
    }).optional(),
    window: window.optional(),
  },
  {
    description: 'Drills, which `npx task drill` runs, and what holds for them; with `{}` no limits, at any time',
    examples: [{ limits: { vip: '5s' } }],
    absent: 'the bundle has no drill',
  },
);
