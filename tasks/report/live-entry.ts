import { moment, type ReportEntry } from '../../generators/report/entry.ts';
import type { Event } from '../runtime/events.ts';
import { clean } from './read-events.ts';

/** What is told while a run is followed, as an entry; undefined for what a report does not hold. */
export function entryOf(event: Event, now: number): ReportEntry | undefined {
  switch (event.type) {
    case 'play-started':
      return clean({ type: 'play', at: when(event.at, now), name: event.name });
    case 'task-started':
      return clean({
        type: 'task',
        at: when(event.at, now),
        name: event.name,
        id: '',
        handler: event.handler,
      });
    case 'host-finished': {
      const { host, task, status, message, diff, seconds } = event;
      const at = when(event.at, now);
      return clean({ type: 'host', at, host, task, id: '', status, message, output: '', diff, seconds });
    }
    default:
      return undefined;
  }
}

/** The server's time; ours where it tells none. */
const when = (at: string | undefined, now: number): number => {
  const told = moment(at ?? '');
  return Number.isNaN(told) ? now : told;
};
