import type { Cluster } from '../cluster/cluster.ts';
import { isDrill } from '../cluster/schedule.ts';
import type { Definition } from '../definition/schema/schema.ts';

/** What runs at set times; nothing where the definition says nothing. */
export const resolveSchedule = ({ schedule: written }: Definition): Pick<Cluster, 'schedule'> =>
  written === undefined
    ? {}
    : {
        schedule: {
          secretsFolder: written.secretsFolder ?? '',
          jobs: written.jobs.map(({ job, onCalendar, randomizedDelay }) => ({
            name: job,
            onCalendar: [onCalendar].flat(),
            randomizedDelay: randomizedDelay ?? '0',
            // Nobody expects a fault in the morning that was meant for the night.
            persistent: !isDrill(job),
          })),
        },
      };
