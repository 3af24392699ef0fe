import type { FleetCluster } from '../../generators/cluster/cluster.ts';
import type { Event } from '../runtime/events.ts';
import type { World } from '../runtime/world.ts';

/**
 * The world of one cluster among many: it says whom it is about, in few lines for people, and asks nobody. `begun` is called
 * when a run of it begins.
 */
export function worldOf(
  { name, node }: FleetCluster,
  world: World,
  begun: () => void = () => undefined,
): World {
  const note = (text: string): void => {
    world.report({ type: 'note', text: `${name}: ${text}` });
  };
  return {
    ...world,
    isTerminal: false,
    json: false,
    ask: () => Promise.resolve(undefined),
    print: note,
    report: (event) => {
      if (event.type === 'run-started') begun();
      const text = shortly(event, node);
      if (event.type === 'warning') world.report({ type: 'warning', text: `${name}: ${event.text}` });
      else if (text !== '') note(text);
    },
  };
}

function shortly(event: Event, node: string): string {
  switch (event.type) {
    case 'run-started':
      return `run ${event.run} on ${node}: ${event.playbook}, ${event.tasks} tasks`;
    case 'run-finished':
      return `${event.status} after ${event.seconds.toFixed(0)} s`;
    default:
      return '';
  }
}
