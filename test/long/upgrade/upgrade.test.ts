import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { down, exec, labArtifacts, type Lab } from '../../../lab/index.ts';
import { labReleases, type LabRelease } from '../../../lab/kubernetes/releases.ts';
import { members } from '../../support/hosts/etcd.ts';
import { kubectl, longestWait, readiness, startWriter, stopWriter } from '../../support/hosts/kubernetes.ts';
import { definitionOf, must, raiseLab } from '../../support/hosts/lab.ts';
import { planned, project, type Project } from '../../support/project.ts';
import { definitionWith } from '../../support/definitions/releases.ts';
import { there } from '../../support/there.ts';

const name = 'upgrades';
const allReady = 'cp1=True cp2=True cp3=True worker1=True worker2=True';
const [oldest, ...later] = labReleases;
const first = there(oldest);
let lab: Lab;
let here: Project;

beforeAll(async () => {
  for (const { kubernetes } of labReleases)
    must(await labArtifacts(() => undefined, { version: kubernetes }));
  lab = await raiseLab(name, { kubernetes: true, kubernetesVersion: first.kubernetes, workers: 2 });
  here = await project(definitionOf(lab));
  await here.done('render');
  await here.done('apply', '--yes', '--json');
  await here.done('kubeconfig');
  await kubectl(lab, 'cp1', 'create', 'deployment', 'echo', '--image=docker.io/lab/echo:1', '--replicas=2');
});

afterAll(async () => {
  await here.remove();
  must(await down(name));
});

test('a skipped minor is refused before anything is changed', async () => {
  const last = there(labReleases.at(-1));
  await brought(last);
  await here.done('run', 'etcd-backup', '--json');
  const refused = await here.task('run', 'upgrade');
  expect(refused.status).toBe(20);
  expect(refused.stderr).toContain('one minor version is the most at a time');
  expect(await versions()).toEqual(new Set([`v${first.kubernetes}`]));
});

describe.each(later)('from the minor before to $kubernetes, while a client writes', (release) => {
  test('every node, etcd and CoreDNS follow, and no accepted write is lost', async () => {
    await brought(release);
    const kubeconfig = await readFile(join(here.folder, '.playsmith', name, 'kubeconfig'), 'utf8');
    const prefix = `w${release.kubernetes.replaceAll('.', '-')}`;
    await startWriter(lab, kubeconfig, prefix);
    await here.done('apply', '--yes', '--json');
    const writes = await stopWriter(lab);
    const kept = new Set(
      (await kubectl(lab, 'cp1', 'get', 'configmaps', '-o', 'jsonpath={.items[*].metadata.name}')).split(' '),
    );
    process.stderr.write(
      `to ${release.kubernetes}: ${writes.length} writes accepted, longest wait ${longestWait(writes).toFixed(1)} s\n`,
    );
    expect(writes.length).toBeGreaterThan(50);
    expect(writes.filter((write) => !kept.has(write.name))).toEqual([]);
    expect(await planned(here)).toEqual([]);
  });

  test('and what runs is what was asked for', async () => {
    expect(await readiness(lab, 'cp2')).toBe(allReady);
    expect(await versions()).toEqual(new Set([`v${release.kubernetes}`]));
    expect(await members(lab)).toHaveLength(3);
    const images = await kubectl(
      lab,
      'cp1',
      ...['get', 'pods', '--namespace=kube-system', '-o', 'jsonpath={.items[*].spec.containers[*].image}'],
    );
    for (const image of [
      `etcd:${release.etcd}-0`,
      `coredns:v${release.coredns}`,
      `kube-proxy:v${release.kubernetes}`,
    ])
      expect(images).toContain(`/${image}`);
    const answers = await exec(lab, 'cp1', [
      'kubectl',
      '--kubeconfig',
      '/etc/kubernetes/admin.conf',
      'rollout',
      'status',
      'deployment/echo',
      '--timeout=120s',
    ]);
    expect(answers.ok).toBe(true);
  });
});

async function brought(release: LabRelease): Promise<void> {
  const built = must(await labArtifacts(() => undefined, { version: release.kubernetes }));
  const folder = `/home/ops/artifacts-${release.kubernetes}`;
  await here.define(definitionWith(lab, built, folder));
  await here.done('render');
  await here.done('artifacts', 'push', '--from', built.folder);
}

async function versions(): Promise<ReadonlySet<string>> {
  const shown = await kubectl(
    lab,
    'cp1',
    'get',
    'nodes',
    '-o',
    'jsonpath={.items[*].status.nodeInfo.kubeletVersion}',
  );
  return new Set(shown.split(' '));
}
