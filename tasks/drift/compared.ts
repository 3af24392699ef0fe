import type { RenderedFile } from '../../generators/rendered-file.ts';
import { readYaml } from '../../generators/yaml.ts';
import type { Event, HostStatus } from '../runtime/events.ts';

/** Something on a host that is not as the bundle says, or that could not be checked. */
export interface HostDifference {
  readonly kind: 'differs' | 'unknown';
  readonly host: string;
  /** The phase that would mend it, or empty. */
  readonly phase: string;
  /** What that phase would do; of `verify`, what differs and what mends it. */
  readonly task: string;
  /** The words of the task, and the difference of a file. */
  readonly detail: string;
}

/** Listens to a run in check mode, and keeps what it would change. */
export class Comparison {
  readonly #phases: ReadonlyMap<string, string>;
  readonly #found: HostDifference[] = [];
  readonly #gone = new Set<string>();
  readonly #seen = new Set<string>();
  #phase = '';

  constructor(files: readonly RenderedFile[]) {
    this.#phases = playsOf(files);
  }

  /** Hosts that did not answer, each once. */
  get unreachable(): readonly string[] {
    return [...this.#gone];
  }

  /** Whether a play of the phase has begun. */
  hasSeen(phase: string): boolean {
    return this.#seen.has(phase);
  }

  get differences(): readonly HostDifference[] {
    return this.#found;
  }

  hear(event: Event): void {
    if (event.type === 'play-started') {
      this.#phase = this.#phases.get(event.name) ?? '';
      this.#seen.add(this.#phase);
    }
    if (event.type !== 'host-finished') return;
    const { host, task, status, message, diff } = event;
    if (status === 'unreachable') this.#gone.add(host);
    const kind = status === 'changed' ? 'differs' : isBlind(status) ? 'unknown' : undefined;
    if (kind === undefined) return;
    const detail = [message, diff].filter((text) => text.trim() !== '').join('\n');
    const row = { kind, host, phase: this.#phase } as const;
    // A phase that only looks would do nothing: each of its lines is what somebody has to do.
    if (kind === 'differs' && this.#phase === 'verify')
      for (const line of (detail || task).split('\n').filter((each) => each.trim() !== ''))
        this.#found.push({ ...row, task: line, detail: line });
    else this.#found.push({ ...row, task, detail });
  }
}

const isBlind = (status: HostStatus): boolean => status === 'failed' || status === 'unreachable';

interface PlayEntry {
  readonly name?: string;
  readonly hosts?: string;
}

/** Name of a play → its phase; a play that several phases have belongs to none. */
function playsOf(files: readonly RenderedFile[]): ReadonlyMap<string, string> {
  const pairs = files
    .filter(({ path }) => /^[\w-]+\.yml$/.test(path))
    .flatMap(({ path, text }) =>
      (readYaml(text) as readonly PlayEntry[]).flatMap(({ name, hosts }) =>
        name === undefined || hosts === undefined ? [] : [[name, path.replace(/\.yml$/, '')] as const],
      ),
    );
  const names = pairs.map(([name]) => name);
  return new Map(pairs.filter(([name]) => names.indexOf(name) === names.lastIndexOf(name)));
}
