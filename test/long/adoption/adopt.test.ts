import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { down, type Lab } from '../../../lab/index.ts';
import { labReleases } from '../../../lab/kubernetes/releases.ts';
import { program } from '../../../tasks/runtime/program.ts';
import {
  definitionOfImport,
  flannelManifest,
  importedBy,
  podsAndNodes,
  startEcho,
  withNode,
} from '../../support/hosts/adoption.ts';
import { kubectl, readiness } from '../../support/hosts/kubernetes.ts';
import { definitionOf, must, on, raiseLab, until } from '../../support/hosts/lab.ts';
import { plainInstallation } from '../../support/hosts/plain-install.ts';
import { changes, planned, project, type Project } from '../../support/project.ts';
import { there } from '../../support/there.ts';

const name = 'adopt';
const nodes = ['cp1', 'cp2', 'cp3', 'worker1'];
let lab: Lab;
let here: Project;
/** What ran before anything of ours did. */
let found: Readonly<Record<string, string>>;

/** What ends or starts something that runs. */
const disturbing =
  /drain|restart containerd|kubelet|kube-proxy|static pods|certificate|etcd|initialise|join/i;

describe('a cluster that kubeadm made without Playsmith', { timeout: 1_800_000 }, () => {
  beforeAll(async () => {
    lab = await raiseLab(name, { kubernetes: true, workers: 2 });
    const document = parseDocument(definitionOf(lab));
    document.setIn(['network', 'plugin'], { flannel: { version: there(labReleases.at(-1)).flannel } });
    here = await project(document.toString());
    await here.done('render');
    await here.done('push');
    const bundle = join(here.folder, 'playbooks', name);
    const line = await plainInstallation({ lab, bundle, nodes, network: await flannelManifest() });
    const installed = await program(line, { timeout: 900 });
    expect(installed.ok, installed.ok ? '' : installed.failure.stderr).toBe(true);
    await on(lab, 'ansible', 'rm', '-rf', '/home/ops/playsmith');
    await here.remove();
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
    expect(imported).toContain(`flannel: { version: ${there(labReleases.at(-1)).flannel}`);
    await here.define(
      definitionOfImport(lab, imported, [
        { at: ['controlPlaneEndpoint', 'loadBalancer', 'placement'], value: 'stacked' },
      ]),
    );
    await here.done('render');
  });

  test('would have no program that runs changed, says the check', async () => {
    const { events } = await here.done('run', '--check', '--json');
    const told = events.flatMap((event) =>
      event.type === 'host-finished' && event.status === 'changed' ? [event.task] : [],
    );
    expect(told).toContain('Claim unowned hosts');
    expect(told.filter((task) => disturbing.test(task))).toEqual([]);
  });

  test('becomes one of ours, and nothing that ran is started again', async () => {
    await here.done('run', '--json');
    expect(await podsAndNodes(lab)).toEqual(found);
    expect(await readiness(lab, 'cp1')).toBe(nodes.map((node) => `${node}=True`).join(' '));
    expect(await planned(here)).toEqual([]);
    expect(changes(await here.done('run', '--json'))).toEqual({});
  });

  test('gets another worker', async () => {
    await here.define(withNode(lab, await readFile(join(here.folder, 'cluster.yml'), 'utf8'), 'worker2'));
    await here.done('render');
    expect(await planned(here)).toEqual(['scale-out worker2']);
    await here.done('apply', '--yes', '--json');
    const all = [...nodes, 'worker2'].map((node) => `${node}=True`).join(' ');
    await until('worker2 is ready', async () => (await readiness(lab, 'cp1')) === all, 120);
  });

  // Somebody followed Kubernetes' own guide, on one control plane so far.
  test('is left alone while an API server reads keys of Secrets that Playsmith did not bring', async () => {
    const keys = '/etc/kubernetes/pki/keys.yaml';
    const manifest = '/etc/kubernetes/manifests/kube-apiserver.yaml';
    const script = [
      `printf '%s\\n' ${encryption.map((line) => `'${line}'`).join(' ')} >${keys}`,
      `sed 's|^    - --allow-privileged=true|&\\n    - --encryption-provider-config=${keys}|' ${manifest} >/root/new`,
      `mv /root/new ${manifest}`,
    ];
    await on(lab, 'cp2', 'sh', '-c', script.join(' && '));
    await until(
      'cp2 has the keys',
      async () =>
        (await on(lab, 'cp2', 'sh', '-c', 'cat /proc/$(pgrep -o kube-apiserver)/cmdline || true')).includes(
          keys,
        ),
      180,
    );
    await until(
      'cp2 answers',
      async () => (await kubectl(lab, 'cp2', 'get', '--raw', '/readyz')) === 'ok',
      180,
    );
    for (const words of [['run'], ['run', '--check'], ['run', 'upgrade']]) {
      const refused = await here.task(...words, '--json');
      expect(refused.status, refused.said).toBe(20);
      expect(refused.stdout).toContain(`kube-apiserver has --encryption-provider-config=${keys}`);
      expect(await on(lab, 'cp2', 'cat', manifest)).toContain(keys);
    }
  });
});

/** As in the guide of Kubernetes, with a key of zeros. */
const encryption = [
  'apiVersion: apiserver.config.k8s.io/v1',
  'kind: EncryptionConfiguration',
  'resources:',
  '  - resources: [secrets]',
  '    providers:',
  `      - secretbox: { keys: [{ name: own, secret: ${Buffer.alloc(32).toString('base64')} }] }`,
  '      - identity: {}',
];
