import * as z from 'zod';
import { jobNames } from '../../cluster/schedule.ts';
import { calendarEvent } from './calendar.ts';
import { absolutePath, matching } from './judges.ts';
import { choice, list, map, oneOrMore, text } from './key.ts';

/** Longest first seconds to hours, as systemd and a person read them alike. */
const span = matching(/^[1-9]\d{0,3}(?:s|min|h)$/, 'a time span', '30min');

const job = map(
  {
    job: choice([...jobNames], {
      description:
        'What runs: `drift`, `verify`, `etcd-backup`; `certificates` only shows when they expire, `rotate-certificates` renews those that soon do; a drill makes its fault without asking anybody',
      examples: ['drift'],
    }),
    onCalendar: oneOrMore(
      text(calendarEvent, { description: 'A calendar event of systemd', examples: ['daily'] }),
      {
        description:
          'When, as `OnCalendar=` of systemd.timer(5) says it; by the clock of the Ansible server where no time zone stands',
        examples: ['daily', ['Mon..Fri 02:00', '*-*-01 04:00 UTC']],
      },
    ),
    randomizedDelay: text(span, {
      description: 'Up to this long after that, by chance, so that many clusters do not begin at one moment',
      examples: ['30min'],
      absent: 'at that moment',
    }).optional(),
  },
  { description: 'One job', examples: [{ job: 'drift', onCalendar: 'daily', randomizedDelay: '30min' }] },
);

export const schedule = map(
  {
    jobs: list(job, {
      description: 'Each job once. One whose time passed while the server was off runs when it is on again; a drill does not',
      examples: [[{ job: 'etcd-backup', onCalendar: '"*-*-* 02:00"' }]],
    }),
    secretsFolder: text(absolutePath, {
      description:
        'A folder on the Ansible server, of its user alone, with one file for each secret that a run needs, named like its variable: no client is there that could fetch them',
      examples: ['/etc/playsmith/edge-a'],
      absent: 'none: the definition may have no secret that a run needs',
    }).optional(),
  },
  {
    description:
      'What the Ansible server runs at set times, by timers of its systemd that `npx task schedule install` puts there; no client is needed then',
    examples: [{ jobs: [{ job: 'drift', onCalendar: 'daily' }] }],
    absent: 'nothing',
  },
);

export type ScheduleDefinition = z.output<typeof schedule>;
