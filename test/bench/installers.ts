import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { describe, down, exec, sshArgv, type Lab } from '../../lab/index.ts';
import type { HostRecap } from '../../tasks/runtime/events.ts';
import {
  kubesprayFor,
  realDefinition,
  repositoryWith,
  type Kubespray,
} from '../support/hosts/kubespray/kubespray-real.ts';
import { brought, mirrorFor, type Mirror } from '../support/hosts/kubespray/kubespray-mirror.ts';
import { definitionWithout, must, on, raiseLab } from '../support/hosts/lab.ts';
import { readiness } from '../support/hosts/kubernetes.ts';
import { command, node } from './command.ts';
import { median, seconds, seen, type Figure } from './figure.ts';
import { rotated } from './interleaved.ts';
import type { Bench } from './options.ts';
import { processorSeconds } from './processor.ts';

const name = 'bench-installers';
const version = 'v2.31.0';
const kubernetes = '1.35.4';

/**
 * The same five bare hosts to a cluster, once more, and a sixth host as a worker: by our own phases, by kubespray through us,
 * and by kubespray as its documentation calls it, each on hosts of its own. Nothing where `PLAYSMITH_KUBESPRAY` is no git
 * repository with the tag.
 */
export async function installers({ repetitions, say }: Bench): Promise<readonly Figure[]> {
  const repository = repositoryWith(version);
  if (repository === '') {
    say(`installers: not measured, since PLAYSMITH_KUBESPRAY names no git repository with ${version}`);
    return [];
  }
  const rounds = new Map<string, Steps[]>();
  for (let round = 0; round < repetitions; round += 1) {
    for (const [title, way] of rotated(Object.entries(ways), round)) {
      say(`installers: ${title}, round ${round + 1} of ${repetitions}`);
      const cost = await onBareHosts(way, repository);
      say(`installers: ${title}: ${JSON.stringify(cost)}`);
      rounds.set(title, [...(rounds.get(title) ?? []), cost]);
    }
  }
  return [...rounds].flatMap(([title, of]) => figuresOf(title, of));
}

const ways = { 'own phases': own, 'kubespray through us': through, 'kubespray alone': alone };

const steps = { bare: 'five bare hosts', again: 'the same again', grown: 'one more worker' };
type Step = keyof typeof steps;
type Steps = Readonly<Record<Step, Cost>>;

interface Cost {
  readonly seconds: number;
  /** Of the whole machine, which all hosts of the lab share. */
  readonly processor: number;
  /** Tasks that were done, not skipped, counted on each host: `ok` of Ansible's recaps. */
  readonly done: number;
}

const figuresOf = (title: string, rounds: readonly Steps[]): readonly Figure[] =>
  (Object.keys(steps) as readonly Step[]).flatMap((step) => {
    const of = (key: keyof Cost): number => median(rounds.map((round) => round[step][key]));
    const what = `installers: ${title}, ${steps[step]}`;
    return [
      seen(what, of('seconds'), 's'),
      seen(`${what}, processor`, of('processor'), 's'),
      seen(`${what}, tasks done on hosts`, of('done'), ''),
    ];
  });

interface Bare {
  readonly lab: Lab;
  readonly folder: string;
  readonly repository: string;
}

/** Does a step, and how many tasks Ansible counted. */
type Installer = (step: Step) => Promise<number>;

async function onBareHosts(way: (bare: Bare) => Promise<Installer>, repository: string): Promise<Steps> {
  const folder = mkdtempSync(join(tmpdir(), 'playsmith-bench-'));
  try {
    const lab = await raiseLab(name, { kubernetes: true, kubernetesVersion: kubernetes, workers: 3 });
    const install = await way({ lab, folder, repository });
    const measured = async (step: Step): Promise<Cost> => {
      const before = processorSeconds();
      let done = 0;
      const took = await seconds(async () => (done = await install(step)));
      return { seconds: took, processor: processorSeconds() - before, done };
    };
    const cost = {
      bare: await measured('bare'),
      again: await measured('again'),
      grown: await measured('grown'),
    };
    const nodes = ['cp1', 'cp2', 'cp3', 'worker1', 'worker2', 'worker3'];
    const ready = await readiness(lab, 'cp1');
    if (ready !== nodes.map((each) => `${each}=True`).join(' ')) throw new Error(`nodes: ${ready}`);
    return cost;
  } finally {
    must(await down(name));
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `npx task` in a folder with the definition of a step. */
function client(folder: string, definition: (step: Step) => string) {
  const task = (...words: readonly string[]): Promise<string> => command([...node, ...words], {}, folder);
  const bring = async (step: Step): Promise<void> => {
    writeFileSync(join(folder, 'cluster.yml'), definition(step));
    await task('render');
  };
  const call = async (step: Step): Promise<number> => {
    if (step === 'grown') await bring(step);
    const words = step === 'grown' ? ['scale-out', 'worker3'] : ['run'];
    return doneIn(await task(...words, '--json'));
  };
  return { task, bring, call };
}

function doneIn(said: string): number {
  const events = said.split('\n').filter((line) => line.startsWith('{'));
  const ended = events
    .map(
      (line) =>
        JSON.parse(line) as { readonly type: string; readonly recap: Readonly<Record<string, HostRecap>> },
    )
    .find(({ type }) => type === 'run-finished');
  return Object.values(ended?.recap ?? {}).reduce((sum, { ok }) => sum + ok, 0);
}

async function own({ lab, folder }: Bare): Promise<Installer> {
  const { bring, call } = client(folder, (step) =>
    definitionWithout(lab, ...(step === 'grown' ? [] : ['worker3'])),
  );
  await bring('bare');
  return call;
}

async function through(bare: Bare): Promise<Installer> {
  const { call } = await withKubespray(bare);
  const logs = `/home/ops/playsmith/kept/${name}/kubespray/logs`;
  const inLogs = async (): Promise<number> =>
    doneByRecaps(await on(bare.lab, 'ansible', 'sh', '-c', `cat ${logs}/* 2>/dev/null || true`));
  return async (step) => {
    const before = await inLogs();
    const ours = await call(step);
    return ours + (await inLogs()) - before;
  };
}

/** The mirror, the tag and its Ansible on the server, which are there before anything is measured. */
async function withKubespray({ lab, folder, repository }: Bare): Promise<ReturnType<typeof client>> {
  const mirror: Mirror = await mirrorFor(lab, kubernetes);
  const kubespray: Kubespray = await kubesprayFor(lab, repository, version);
  const made = client(folder, (step) =>
    realDefinition(lab, { kubespray, mirror, kubernetes, without: step === 'grown' ? [] : ['worker3'] }),
  );
  await made.bring('bare');
  await made.task('bootstrap', '--yes', '--archive', kubespray.archive);
  return made;
}

/** The same variables, but for the load balancer that kubespray does not bring: every node calls the first control plane. */
async function alone(bare: Bare): Promise<Installer> {
  const { lab, folder } = bare;
  const { bring } = await withKubespray(bare);
  const { passwords, user } = describe(lab);
  const secret = `install --mode=0600 --owner=${user} /dev/stdin /dev/shm/become.yml`;
  const input = `vault_ssh_become_password: ${JSON.stringify(passwords.become)}\n`;
  must(await exec(lab, 'ansible', ['sh', '-c', secret], { input }));
  const inventory = async (step: Step): Promise<void> => {
    await bring(step);
    await bringInventory(lab, join(folder, 'playbooks', name));
  };
  await inventory('bare');
  return async (step) => {
    if (step !== 'grown') return play(lab, 'cluster.yml');
    await inventory(step);
    return (await play(lab, 'playbooks/facts.yml')) + (await play(lab, 'scale.yml --limit=worker3'));
  };
}

const byHand = '/home/ops/alone';

/** What a bundle has for kubespray, as a folder of somebody who has no bundle. */
async function bringInventory(lab: Lab, bundle: string): Promise<void> {
  const all = join(bundle, 'kubespray', 'group_vars', 'all', 'all.yml');
  const variables = parseDocument(readFileSync(all, 'utf8'));
  for (const key of ['loadbalancer_apiserver', 'apiserver_loadbalancer_domain_name']) variables.delete(key);
  writeFileSync(all, variables.toString());
  await on(lab, 'ansible', 'rm', '-rf', byHand);
  await on(lab, 'ansible', 'mkdir', byHand);
  await brought(lab, 'ansible', join(bundle, 'kubespray'), `${byHand}/inventory`);
  await brought(lab, 'ansible', join(bundle, 'known_hosts'), `${byHand}/known_hosts`);
  await on(lab, 'ansible', 'chown', '-R', describe(lab).user, byHand);
}

/** In the tag's tree, with its own ansible.cfg, as its documentation says. */
async function play(lab: Lab, playbook: string): Promise<number> {
  const [tree, venv] = ['tree', 'venv'].map((each) => `/home/ops/playsmith/kubespray/${version}/${each}`);
  const words = `--inventory ${byHand}/inventory/hosts.yml --become --extra-vars @/dev/shm/become.yml`;
  const line = `cd ${tree} && PATH=${venv}/bin:$PATH VIRTUAL_ENV=${venv} ansible-playbook ${words} ${playbook}`;
  return doneByRecaps(await command(must(sshArgv(lab, 'ansible', [line]))));
}

const doneByRecaps = (said: string): number =>
  [...said.matchAll(/^\S+ +: ok=(\d+) /gm)].reduce((sum, [, ok]) => sum + Number(ok), 0);
