import { pack } from '../../generators/bundle.ts';
import { showProblems } from '../../generators/source/problems.ts';
import type { Files } from '../../generators/definition/files.ts';
import { load } from '../../generators/load.ts';
import { planOf } from '../../generators/plan/plan.ts';
import { appliedAfter, nothingApplied, type AppliedState } from '../../generators/plan/applied.ts';
import { effectOf } from '../../generators/plan/effect.ts';
import { snapshotOf, type Snapshot } from '../../generators/plan/snapshot.ts';
import { render } from '../../generators/render.ts';
import { ok } from '../../generators/result.ts';
import { readTemplates } from '../../library/texts.ts';
import { definitionOf } from './definition.ts';
import { atMost, inWords, type Figure } from './figure.ts';
import { interleaved, timed } from './interleaved.ts';
import { counted, type Bench } from './options.ts';

/** Definition text and what is applied → plan, of a thousand nodes and one more. */
export async function plan({
  repetitions,
  say,
  share,
}: Pick<Bench, 'repetitions' | 'say' | 'share'>): Promise<readonly Figure[]> {
  const [nodes, cnfs] = [counted(1000, { share }), counted(100, { share })];
  say(`plan: ${inWords(nodes)} nodes; ${cnfs} CNFs`);
  const templates = readTemplates();
  const snapshot = (count: number): Snapshot => {
    const loaded = load(definitionOf(count), 'cluster.yml');
    if (!loaded.ok) throw new Error('the definition has faults');
    const { cluster } = loaded.value;
    return snapshotOf(cluster, pack(cluster, render(cluster, templates)), 'bench');
  };
  const applied = whole(snapshot(nodes));
  const work = timed(() => Promise.resolve(planOf({ applied, wanted: snapshot(nodes + 1) })));
  const without = whole(snapshotOfCnfs(templates, 0));
  const tenants = timed(() =>
    Promise.resolve(planOf({ applied: without, wanted: snapshotOfCnfs(templates, cnfs) })),
  );
  const times = await interleaved({ work, tenants }, repetitions);
  return [
    atMost(`plan of ${inWords(nodes)} nodes and a new one`, times.work, { unit: 's', goal: 2 }),
    atMost(`plan of ${cnfs} CNFs in ${cnfs} namespaces`, times.tenants, { unit: 's', goal: 2 }),
  ];
}

/** From the text of the definition and of the manifests, each CNF with three documents. */
function snapshotOfCnfs(templates: ReturnType<typeof readTemplates>, count: number): Snapshot {
  const names = Array.from({ length: count }, (_, index) => `cnf-${index}`);
  const files: Files = new Map(names.map((name) => [`${name}.yaml`, ok(manifestOf(name))]));
  const entries = names.map(
    (name) => `\n  - { name: ${name}, namespace: tenant-${name}, manifests: [${name}.yaml] }`,
  );
  const nodes = definitionOf(5);
  const text = `${nodes}\ncnfs:${entries.join('') || ' []'}\n`;
  const loaded = load(text, 'cluster.yml', files);
  if (!loaded.ok) throw new Error(showProblems(loaded.failure, text));
  const { cluster } = loaded.value;
  return snapshotOf(cluster, pack(cluster, render(cluster, templates)), 'bench');
}

const manifestOf = (name: string): string => `apiVersion: v1
kind: ConfigMap
metadata: { name: ${name} }
data: { value: one }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name} }
spec:
  replicas: 2
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec: { containers: [{ name: main, image: docker.io/lab/echo:1 }] }
---
apiVersion: v1
kind: Service
metadata: { name: ${name} }
spec: { selector: { app: ${name} }, ports: [{ port: 80 }] }
`;

/** What is on the hosts after all of it was run. */
export function whole(of: Snapshot): AppliedState {
  const none = { targets: [], brings: [], completes: '', check: false, limit: [], tagged: false };
  const effect = effectOf({ operation: 'instantiate', ...none }, of);
  if (effect === undefined) throw new Error('a whole run has an effect');
  const run = { run: '', operation: 'instantiate', targets: [], bundle: of.bundle, effect };
  return appliedAfter(nothingApplied, { ...run, status: 'successful', recap: {} }, of);
}
