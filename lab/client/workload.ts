import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ok, type Result } from '../../generators/result.ts';
import type { Failure } from '../../tasks/runtime/failures.ts';
import { describe } from '../hosts/describe.ts';
import type { OnProgress } from '../machine/lab-failure.ts';
import { filesFolder } from '../machine/place.ts';
import type { Lab } from '../state/lab.ts';
import { untilAnswered } from './until-answered.ts';
import { ask, kubectl } from './user.ts';

/** Lets the cluster run something, as its user does with kubectl, and asks it through its Service on every worker. */
export async function runWorkload(lab: Lab, tell: OnProgress): Promise<Result<void, Failure>> {
  tell('A user on the host client starts a workload: two pods and a Service');
  const manifest = await readFile(join(filesFolder, 'workload.yaml'), 'utf8');
  const apply = ['apply', '--filename', '-'];
  const applied = await untilAnswered(() => kubectl(lab, apply, { input: manifest }), tell);
  if (!applied.ok) return applied;
  const rolled = await kubectl(lab, ['rollout', 'status', 'deployment/echo', '--timeout=180s']);
  if (!rolled.ok) return rolled;
  const answers = await ask(lab, workloadUrls(lab));
  if (!answers.ok) return answers;
  for (const [index, url] of workloadUrls(lab).entries())
    tell(`  ${url} answers: ${answers.value[index] ?? ''}`);
  return ok(undefined);
}

/** The workload's port on every worker. */
const workloadUrls = (lab: Lab): readonly string[] =>
  describe(lab)
    .hosts.filter(({ roles }) => roles.includes('worker'))
    .map(({ address }) => `http://${address}:30080/`);

/** The nodes as kubectl shows them, once all are ready. */
export async function showNodes(lab: Lab, tell: OnProgress): Promise<Result<void, Failure>> {
  const ready = await kubectl(lab, ['wait', '--for=condition=Ready', 'node', '--all', '--timeout=300s']);
  if (!ready.ok) return ready;
  const nodes = await kubectl(lab, ['get', 'nodes']);
  if (!nodes.ok) return nodes;
  tell(nodes.value.replaceAll(/^/gm, '  '));
  return ok(undefined);
}
