import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { down, type Lab } from '../../../lab/index.ts';
import { program } from '../../../tasks/runtime/program.ts';
import {
  definitionOfImport,
  flannelManifest,
  importedBy,
  podsAndNodes,
  startEcho,
  withNode,
} from '../../support/hosts/adoption.ts';
import { readiness } from '../../support/hosts/kubernetes.ts';
import { must, raiseLab, until } from '../../support/hosts/lab.ts';
import { guidedInstallation } from '../../support/hosts/plain-install.ts';
import { changes, planned, project, type Project } from '../../support/project.ts';

const name = 'guided';
const nodes = ['cp1', 'worker1'];
let lab: Lab;
let here: Project;
/** What ran before anything of ours did. */
let found: Readonly<Record<string, string>>;

/** What ends or starts something that runs, or tells it something else. */
const disturbing = /drain|static pods|configure the kubelet|kube-proxy|initialise|join/i;

const ready = (...members: readonly string[]): string => members.map((node) => `${node}=True`).join(' ');

describe(
  'a cluster of one control plane without an endpoint, by the guide of kubeadm',
  { timeout: 1_800_000 },
  () => {
    beforeAll(async () => {
      lab = await raiseLab(name, { kubernetes: true, controlPlanes: 1, workers: 2 });
      const line = await guidedInstallation({ lab, nodes, network: await flannelManifest() });
      const installed = await program(line, { timeout: 900 });
      expect(installed.ok, installed.ok ? '' : installed.failure.stderr).toBe(true);
      here = await project('');
      await startEcho(lab);
      found = await podsAndNodes(lab);
    });

    afterAll(async () => {
      await here.remove();
      must(await down(name));
    });

    test('is written down from what it says of itself', async () => {
      const imported = await importedBy(here, lab, name);
      expect(imported).toContain('clusterName: kubernetes');
      await here.define(definitionOfImport(lab, imported));
      await here.done('render');
    });

    // The service of the kubelet is ours from then on, and restarts once.
    test('would get two names into a certificate, and no static pod and kubelet another word, says the check', async () => {
      const { events } = await here.done('run', '--check', '--json');
      const told = events.flatMap((event) =>
        event.type === 'host-finished' && event.status === 'changed' ? [event] : [],
      );
      expect(told.map(({ task }) => task)).toContain('Claim unowned hosts');
      expect(told.flatMap(({ task, diff }) => (disturbing.test(task) ? [diff.trim()] : []))).toEqual([
        "names of the API server's certificate: +127.0.0.1 +localhost",
      ]);
      expect(await podsAndNodes(lab)).toEqual(found);
    });

    test('becomes one of ours, and no pod that ran is started again', async () => {
      await here.done('run', '--json');
      expect(await podsAndNodes(lab)).toEqual(found);
      expect(await readiness(lab, 'cp1')).toBe(ready(...nodes));
      expect(await planned(here)).toEqual([]);
      expect(changes(await here.done('run', '--json'))).toEqual({});
      const drift = await here.task('drift', '--json');
      expect([drift.status, drift.stdout.includes('"type":"drift"')], drift.stdout).toEqual([0, false]);
    });

    test('gets another worker', async () => {
      await here.define(withNode(lab, await readFile(join(here.folder, 'cluster.yml'), 'utf8'), 'worker2'));
      await here.done('render');
      expect(await planned(here)).toEqual(['scale-out worker2']);
      await here.done('apply', '--yes', '--json');
      await until(
        'worker2 is ready',
        async () => (await readiness(lab, 'cp1')) === ready(...nodes, 'worker2'),
        120,
      );
    });
  },
);
