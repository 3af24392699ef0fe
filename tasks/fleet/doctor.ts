import type { FleetNode } from '../../generators/cluster/cluster.ts';
import { failed, ok, type Result } from '../../generators/result.ts';
import type { Fitness, MeshAnswers } from '../runtime/agent/mesh-messages.ts';
import { columns } from '../runtime/columns.ts';
import type { Failure } from '../runtime/failures.ts';
import type { World } from '../runtime/world.ts';
import { fingerprintOf } from '../runtime/secrets/node-seal.ts';
import { compareVersions, type CheckResult } from '../steps/server/examine.ts';
import { overMesh, type FleetPlace } from './place.ts';

const mostSkew = 5;
const leastFree = 200_000_000;
const leastDays = 30;

/** Examines the mesh from its control node, and every execution node over it; leftovers of lost requests are taken away. */
export async function examineMesh(place: FleetPlace, world: World): Promise<Result<void, Failure>> {
  const control = await overMesh(place);
  if (!control.ok) return control;
  try {
    const nodes = place.fleet.nodes.map(({ name }) => name);
    const mesh = await control.value.agent().ask('mesh', { nodes });
    if (!mesh.ok) return mesh;
    const swept = await control.value.agent().ask('sweep', { seconds: 3600 });
    if (!swept.ok) return swept;
    const findings = [
      ...place.fleet.nodes.map((node) => answerCheck(node, mesh.value)),
      ...(
        await Promise.all(
          place.fleet.nodes
            .filter(({ name, role }) => role === 'execution' && typeof mesh.value.answers[name] === 'number')
            .map((node) => examineNode(place, node, mesh.value)),
        )
      ).flat(),
    ];
    return reportChecks(findings, world);
  } finally {
    await control.value.close();
  }
}

type Mesh = MeshAnswers['mesh'];

function answerCheck({ name, role }: FleetNode, { answers, version }: Mesh): CheckResult {
  const what = `${name} (${role})`;
  const answer = answers[name];
  return typeof answer === 'number'
    ? {
        what,
        state: 'fit',
        seen: `answers in ${answer.toFixed(1)} ms${role === 'control' ? `, Receptor ${version}` : ''}`,
        remedy: '',
      }
    : {
        what,
        state: 'unfit',
        seen: answer ?? 'no answer',
        remedy: 'is its playsmith-receptor.service running, and those of the hops on the way?',
      };
}

async function examineNode(place: FleetPlace, node: FleetNode, mesh: Mesh): Promise<readonly CheckResult[]> {
  const server = await overMesh(place, {
    ...{ node: node.name, directory: '~/playsmith', sealingKey: node.sealingKey },
  });
  if (!server.ok) return [silent(node, server.failure)];
  try {
    const asked = Date.now() / 1000;
    const askedKey = server.value.ahead('sealing-key', {});
    const found = await server.value.ahead('fitness', {})();
    if (!found.ok) return [silent(node, found.failure)];
    const key = await askedKey();
    return [
      ...nodeChecks(node, found.value, { mesh, asked, now: Date.now() / 1000 }),
      key.ok ? sealCheck(node, fingerprintOf(key.value.key)) : silent(node, key.failure),
    ];
  } finally {
    await server.value.close();
  }
}

const sealCheck = ({ name, sealingKey: pinned }: FleetNode, found: string): CheckResult => ({
  what: `${name}: sealing key`,
  state: pinned === '' ? 'unsure' : pinned === found ? 'fit' : 'unfit',
  seen: found,
  remedy:
    pinned === ''
      ? 'compare it on the node, and pin it as sealingKey of its definition'
      : pinned === found
        ? ''
        : `it is pinned as ${pinned}, and gets no secrets: find out who changed it`,
});

const silent = ({ name }: FleetNode, failure: Failure): CheckResult => ({
  what: `${name}: work`,
  state: 'unfit',
  seen: failure.message,
  remedy: 'npx task run: rebuilds the mesh where it differs',
});

interface Moment {
  readonly mesh: Mesh;
  /** When it was asked and when it had answered; seconds since 1970. */
  readonly asked: number;
  readonly now: number;
}

function nodeChecks(
  { name }: FleetNode,
  found: Fitness,
  { mesh, asked, now }: Moment,
): readonly CheckResult[] {
  const { receptor, clock, free, certificate, collections } = found;
  const finding = (what: string, seen: string, wrong: string): CheckResult => ({
    what: `${name}: ${what}`,
    state: wrong === '' ? 'fit' : 'unfit',
    seen,
    remedy: wrong,
  });
  const core = found['ansible-core'];
  const skew = clock < asked ? asked - clock : Math.max(0, clock - now);
  const days = (certificate - now) / 86_400;
  return [
    finding(
      'Receptor',
      receptor,
      receptor === mesh.version ? '' : `${mesh.version}, as the control node runs: npx task run mesh-upgrade`,
    ),
    finding(
      'ansible-core',
      core === '' ? 'missing' : core,
      core !== '' && compareVersions(core, '2.14') >= 0 ? '' : '2.14 or newer: npx task run mesh-install',
    ),
    finding(
      'ansible-runner',
      found.runner ? found['ansible-runner'] || 'there, of a version it does not tell' : 'missing',
      found.runner ? '' : 'npx task run mesh-install',
    ),
    finding('collections', `${Object.keys(collections).length} beside ansible-core's own`, ''),
    finding(
      'clock',
      `at least ${skew.toFixed(0)} s from this machine's`,
      skew <= mostSkew ? '' : 'set the clock right: requests that seem late are refused',
    ),
    finding(
      'free space',
      `${(free / 1e6).toFixed(0)} MB`,
      free >= leastFree ? '' : `${leastFree / 1e6} MB for bundles and records`,
    ),
    finding(
      'certificate',
      `${days.toFixed(0)} days left`,
      days >= leastDays ? '' : 'npx task run mesh-certificates, then npx task run mesh-configuration',
    ),
  ];
}

function reportChecks(findings: readonly CheckResult[], world: World): Result<void, Failure> {
  const word = { fit: 'ok', unfit: 'NO', unsure: '?' } as const;
  if (world.json) for (const finding of findings) world.print(JSON.stringify(finding));
  else
    world.print(
      columns([
        ['', 'what', 'seen', 'remedy'],
        ...findings.map(({ state, what, seen, remedy }) => [word[state], what, seen, remedy]),
      ]),
    );
  const unfit = findings.filter(({ state }) => state === 'unfit');
  return unfit.length === 0
    ? ok(undefined)
    : failed({ kind: 'unfit', message: `not fit: ${unfit.map(({ what }) => what).join(', ')}` });
}
