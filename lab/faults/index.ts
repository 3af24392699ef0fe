import { smallDisk } from './disk.ts';
import { freeze } from './freeze.ts';
import { link } from './link.ts';
import { loss } from './loss.ts';
import { partition } from './partition.ts';
import { power } from './power.ts';
import { serviceKill, serviceStop } from './service.ts';
import { slow } from './slow.ts';

/** Every fault by the name that the command line gives it. */
export const faults = {
  'service-stop': serviceStop,
  'service-kill': serviceKill,
  freeze,
  power,
  link,
  partition,
  loss,
  slow,
  'small-disk': smallDisk,
} as const;
