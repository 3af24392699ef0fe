import { failed, ok, type Result } from '../../../generators/result.ts';
import { demonstrate } from './lab-demo.ts';
import { faultNames, turnFault } from '../../../lab/faults/fault-words.ts';
import { extraNames, labReleases, labVersion, type Extra } from '../../../lab/kubernetes/releases.ts';
import {
  announce,
  defaultShape,
  down,
  kubernetesShape,
  openLab,
  preflight,
  rebuild,
  sshArgv,
  status,
  up,
  type LabShape,
} from '../../../lab/index.ts';
import { adviceFor, labOption } from '../../../lab/state/lab.ts';
import { agreement } from '../../runtime/agreement.ts';
import { columns } from '../../runtime/columns.ts';
import type { Failure } from '../../runtime/failures.ts';
import { interact } from '../../runtime/program.ts';
import type { World } from '../../runtime/world.ts';
import { task } from '../../task.ts';

const actions = ['up', 'status', 'ssh', 'fault', 'rebuild', 'down', 'demo'] as const;

export const lab = task({
  name: 'lab',
  positionals: '<action> [words..]',
  example: 'lab fault freeze cp1',
  options: {
    action: { choices: actions, demandOption: true, describe: 'What to do' },
    words: {
      type: 'string',
      array: true,
      default: [] as string[],
      describe: `ssh: host and command; rebuild: host; fault: ${faultNames}`,
    },
    name: { type: 'string', default: 'lab', describe: 'Which lab' },
    subnet: { type: 'string', describe: 'A free private /24' },
    'ansible-server': {
      choices: ['bookworm', 'trixie', 'bare'] as const,
      default: 'bookworm' as const,
      describe: 'Debian 12 or 13 with its own Ansible, or bare without one',
    },
    'control-planes': { type: 'number', default: defaultShape.controlPlanes, describe: 'How many' },
    'load-balancers': { type: 'number', default: defaultShape.loadBalancers, describe: 'How many' },
    workers: {
      type: 'number',
      describe: `How many; ${kubernetesShape.workers} with --kubernetes, else none`,
    },
    mesh: { type: 'number', default: 0, describe: 'Debian 13 hosts for nodes of a mesh' },
    kubernetes: {
      type: 'boolean',
      describe:
        'up: for a real cluster; builds Kubernetes once (6 minutes). demo: the default, unless --no-kubernetes',
    },
    'kubernetes-version': {
      choices: labReleases.map((release) => release.kubernetes),
      describe: `Another Kubernetes than ${labVersion}`,
    },
    calico: {
      type: 'boolean',
      default: false,
      describe: 'up: include Calico (5 more minutes, once)',
    },
    cilium: {
      type: 'boolean',
      default: false,
      describe: 'up: include Cilium and helm (10 more minutes, once)',
    },
    conformance: {
      type: 'boolean',
      default: false,
      describe: 'up: include the Kubernetes conformance tests (10 more minutes, once)',
    },
    volume: {
      type: 'number',
      array: true,
      default: [] as number[],
      describe: 'Size in megabytes of a disk of the storage host; once per disk',
    },
    vm: {
      type: 'string',
      array: true,
      default: [] as string[],
      describe: 'Make this host a virtual machine with its own kernel; once per host, or all',
    },
    'debian-13': {
      type: 'string',
      array: true,
      default: [] as string[],
      describe: 'Make this host Debian 13 instead of 12; once per host, or all',
    },
    undo: { type: 'boolean', default: false, describe: 'Revert the fault' },
    yes: { alias: 'y', type: 'boolean', default: false, describe: 'Answer yes without being asked' },
  },
  run: async (values, world): Promise<Result<void, Failure>> => {
    const { action, words, name, yes, undo } = values;
    const wish: LabRequest = {
      name,
      shape: shapeOf(values),
      yes,
      ...(values.subnet === undefined ? {} : { subnet: values.subnet }),
    };
    const acts: Readonly<Record<typeof action, () => Promise<Result<void, Failure>>>> = {
      up: () => raise(wish, world),
      status: () => show(name, world),
      ssh: () => shell(name, words),
      fault: () => turnFault(name, words, undo),
      rebuild: () => rebuild(name, words[0] ?? '', note(world)),
      down: () => down(name, note(world)),
      demo: () => raise(wish, world).then((raised) => (raised.ok ? demonstrate(name, world) : raised)),
    };
    return withAdvice(name, await acts[action]());
  },
});

function withAdvice(name: string, done: Result<void, Failure>): Result<void, Failure> {
  if (done.ok || !('next' in done.failure)) return done;
  return failed({ ...done.failure, next: adviceFor(name, done.failure.next) });
}

interface LabRequest {
  readonly name: string;
  readonly shape: LabShape;
  readonly subnet?: string;
  readonly yes: boolean;
}

const extrasOf = (values: Readonly<Record<Extra, boolean>>): readonly Extra[] =>
  extraNames.filter((name) => values[name]);

const shapeOf = (values: {
  readonly 'ansible-server': LabShape['ansibleServer'];
  readonly 'control-planes': number;
  readonly 'load-balancers': number;
  readonly workers: number | undefined;
  readonly mesh: number;
  readonly kubernetes: boolean | undefined;
  readonly 'kubernetes-version': string | undefined;
  readonly calico: boolean;
  readonly cilium: boolean;
  readonly conformance: boolean;
  readonly action: string;
  readonly volume: readonly number[];
  readonly vm: readonly string[];
  readonly 'debian-13': readonly string[];
}): LabShape => ({
  ...((values.kubernetes ?? values.action === 'demo') ? kubernetesShape : defaultShape),
  ...(values['kubernetes-version'] === undefined ? {} : { kubernetesVersion: values['kubernetes-version'] }),
  ...(extrasOf(values).length > 0 ? { extras: extrasOf(values) } : {}),
  ansibleServer: values['ansible-server'],
  controlPlanes: values['control-planes'],
  loadBalancers: values['load-balancers'],
  ...(values.workers === undefined ? {} : { workers: values.workers }),
  ...(values.mesh > 0 ? { mesh: values.mesh } : {}),
  ...(values.vm.length > 0 ? { virtual: values.vm } : {}),
  ...(values['debian-13'].length > 0 ? { debian13: values['debian-13'] } : {}),
  volumes: values.volume.map((megabytes) => ({ megabytes })),
});

const note =
  ({ report }: World) =>
  (text: string): void => {
    report({ type: 'note', text });
  };

/** Announces what will change here before it does; asks where somebody can answer. */
async function raise({ yes, ...options }: LabRequest, world: World): Promise<Result<void, Failure>> {
  const { problems, changes } = await preflight(options);
  if (problems.length === 0 && changes.length > 0) {
    const list = changes.map((change) => `  ${announce(change)}`).join('\n');
    world.report({
      type: 'note',
      text: `The lab will change this machine:\n${list}\n\`npx task lab down${labOption(options.name)}\` removes all of it except packages and images.`,
    });
    // Without a terminal the announcement has to do: `npm start` is asked for by hand.
    const agreed = await agreement('Go on?', yes || !world.isTerminal, world);
    if (!agreed.ok) return agreed;
  }
  const raised = await up(options, note(world));
  return raised.ok ? ok(undefined) : raised;
}

async function show(name: string, { print, json }: World): Promise<Result<void, Failure>> {
  const found = await status(name);
  if (!found.ok) return found;
  const { hosts, lab: described } = found.value;
  if (json) print(JSON.stringify({ ...described, passwords: undefined, hosts }));
  else
    print(
      columns([
        ['host', 'address', 'roles', 'state'],
        ...hosts.map(({ name: host, address, roles, state, kind }) => [
          ...[host, address, roles.join(' ')],
          kind === 'virtual' ? `${state}, virtual machine` : state,
        ]),
      ]),
    );
  return ok(undefined);
}

async function shell(name: string, [host, ...command]: readonly string[]): Promise<Result<void, Failure>> {
  const opened = await openLab(name);
  if (!opened.ok) return opened;
  const argv = sshArgv(opened.value, host ?? '', command);
  if (!argv.ok) return argv;
  const ended = await interact(argv.value);
  return ended === 0
    ? ok(undefined)
    : failed({
        kind: 'lab',
        message: `ssh to ${host ?? ''} ended with status ${ended ?? 'unknown'}`,
        evidence: '',
        next: 'npx task lab status',
      });
}
