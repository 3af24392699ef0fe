import process from 'node:process';
import { styleText } from 'node:util';
import { asTyped } from './command-name.ts';
import type { Event, HostStatus, EventSink } from './events.ts';
import { exitCodes, explain } from './failures.ts';
import { printable } from './printable.ts';
import { Progress } from './progress.ts';

type Formatters = { readonly [K in Event['type']]: (event: Extract<Event, { type: K }>) => string };

export interface Reporter {
  readonly report: EventSink;
  /** Keeps the terminal still while a person is asked; what happens meanwhile is shown after `release`. */
  readonly hold: () => void;
  readonly release: () => void;
}

/** Notes and progress go to standard error, so that standard output holds nothing but results; with `json` it holds events. */
export function reporter(options: {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly isTerminal: boolean;
}): Reporter {
  if (options.json) return { report: asJson, hold: nothing, release: nothing };
  const progress = new Progress(process.stderr, options.isTerminal);
  const waiting: Event[] = [];
  const show = (event: Event): void => {
    progress.follow(event);
    if (options.quiet && !isLoudEvent(event)) return;
    progress.write(format(event, progress));
  };
  return {
    report: (event) => {
      if (progress.isHeld) waiting.push(event);
      else show(event);
    },
    hold: () => {
      progress.isHeld = true;
    },
    release: () => {
      progress.isHeld = false;
      waiting.splice(0).forEach(show);
    },
  };
}

const isLoudEvent = ({ type }: Event): boolean => type === 'failed' || type === 'warning' || type === 'bug';

const nothing = (): void => undefined;

const asJson: EventSink = (event) => {
  process.stdout.write(`${JSON.stringify(machine(event))}\n`);
};

const machine = (event: Event): object =>
  event.type === 'failed' ? { ...event, exitCode: exitCodes[event.failure.kind] } : event;

const format = (event: Event, progress: Progress): string => {
  const formatter = formatters(progress)[event.type] as (event: Event) => string;
  return formatter(event);
};

const formatters = (progress: Progress): Formatters => ({
  note: ({ text }) => asTyped(printable(text)),
  bug: ({ stack }) => `${paint('red', 'error:')} this is a bug in playsmith: ${printable(stack)}`,
  warning: ({ text }) => `${paint('yellow', 'warning:')} ${asTyped(printable(text))}`,
  'bundle-rendered': ({ folder, digest, collection, written, removed, unchanged }) =>
    [
      ...written.map((path) => `  ${paint('green', 'written')} ${folder}/${path}`),
      ...removed.map((path) => `  ${paint('red', 'removed')} ${folder}/${path}`),
      `${folder}: ${written.length} written, ${removed.length} removed, ${unchanged} unchanged (bundle ${digest.slice(0, 12)}${collection === undefined ? '' : `, playsmith.host ${collection}`})`,
    ].join('\n'),
  'bundle-pushed': ({ digest, bytes, wasThere }) =>
    wasThere
      ? `bundle ${digest.slice(0, 12)} is on the server already`
      : `bundle ${digest.slice(0, 12)} pushed (${(bytes / 1000).toFixed(1)} kB) and verified`,
  'run-started': ({ run, playbook, plays, tasks, check }) =>
    `run ${run}: ${playbook}, ${plays} plays, ${tasks} tasks${check ? ', check mode: nothing is changed' : ''}`,
  'play-started': ({ name }) =>
    progress.isNewPlay(name) ? `${progress.endOfTask()}${paint('bold', `== ${name}`)}` : '',
  'task-started': (event) => {
    const before = progress.endOfTask().trimEnd();
    progress.begin(event);
    return before;
  },
  'part-started': (event) => progress.part(event),
  'host-finished': ({ host, status, message, diff }) =>
    [
      isLoud(status) || message !== ''
        ? `  ${shade(status)} ${host}${message === '' ? '' : `: ${indentRest(message)}`}`
        : '',
      indent(diff),
    ]
      .filter((line) => line !== '')
      .join('\n'),
  'run-finished': ({ status, recap, seconds }) =>
    [
      progress.endOfTask().trimEnd(),
      ...Object.entries(recap).map(
        ([host, counts]) =>
          `  ${host}: ${Object.entries(counts)
            .filter(([name, count]) => count > 0 || name === 'ok' || name === 'changed')
            .map(([name, count]) => `${name}=${count}`)
            .join(' ')}`,
      ),
      `${status} after ${seconds.toFixed(1)} s`,
    ]
      .filter((line) => line !== '')
      .join('\n'),
  failed: ({ failure }) => `${paint('red', 'error:')} ${asTyped(printable(explain(failure)))}`,
});

const isLoud = (status: HostStatus): boolean =>
  status === 'failed' || status === 'unreachable' || status === 'ignored';

/** What speaks without having failed, as a task of `debug`, has no colour. */
const shade = (status: HostStatus): string =>
  isLoud(status) ? paint(status === 'ignored' ? 'yellow' : 'red', status) : status;

/** Lines of a host that stood at the beginning could be taken for our own. */
const indentRest = (message: string): string => message.trimEnd().replaceAll(/\n(?=.)/g, '\n    ');

const indent = (text: string): string => (text === '' ? '' : text.trimEnd().replaceAll(/^/gm, '    '));

type Colour = 'red' | 'green' | 'yellow' | 'bold';

/** Colours only for eyes: not without a terminal, not with NO_COLOR. */
const paint = (colour: Colour, text: string): string =>
  process.stderr.isTTY && !process.env['NO_COLOR'] ? styleText(colour, text) : text;
