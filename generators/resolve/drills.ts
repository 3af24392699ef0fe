import type { Cluster, Drills } from '../cluster/cluster.ts';
import { defaults } from '../definition/defaults.ts';
import { milliseconds } from '../definition/schema/judges.ts';
import type { Definition } from '../definition/schema/schema.ts';

/** What the definition says of drills; nothing where it says nothing. */
export const resolveDrills = ({ drills: written }: Definition): Pick<Cluster, 'drills'> =>
  written === undefined
    ? {}
    : {
        drills: {
          limits: {
            vip: seconds(written.limits?.vip),
            'control-plane': seconds(written.limits?.controlPlane),
            worker: seconds(written.limits?.worker),
            storage: seconds(written.limits?.storage),
          },
          atMost: seconds(written.atMost ?? defaults.drills.atMost),
          window: {
            from: written.window?.from ?? '',
            to: written.window?.to ?? '',
            days: (written.window?.days ?? []).map((day) => days.indexOf(day)).toSorted(),
          },
        },
      };

/** What holds for drills of a cluster, whether the definition says something or not. */
export const drillsOf = ({ drills }: Cluster): Drills => drills ?? usual;

const seconds = (text = '0s'): number => milliseconds(text) / 1000;

const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

const usual: Drills = {
  limits: { vip: 0, 'control-plane': 0, worker: 0, storage: 0 },
  atMost: seconds(defaults.drills.atMost),
  window: { from: '', to: '', days: [] },
};
