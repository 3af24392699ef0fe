import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { down, exec, type Lab } from '../../../lab/index.ts';
import { kubectl, readiness } from '../../support/hosts/kubernetes.ts';
import { definitionOf, must, on, raiseLab } from '../../support/hosts/lab.ts';
import { changes, planned, project, type Project } from '../../support/project.ts';

const name = 'clouded';
const nodes = ['cp1', 'worker1'] as const;
const taint = 'node.cloudprovider.kubernetes.io/uninitialized';
const variable = 'LAB_CLOUD_CONFIG';
let lab: Lab;
let here: Project;

beforeAll(async () => {
  process.env[variable] = '[Global]\nregion = one\n';
  lab = await raiseLab(name, { kubernetes: true, controlPlanes: 1, workers: 1 });
  here = await project(definitionOf(lab));
});

afterAll(async () => {
  await here.remove();
  must(await down(name));
});

describe('a cluster whose nodes a cloud controller initialises', () => {
  test('is warned of without one, and built up to the point where nodes wait', async () => {
    await define({});
    expect((await here.done('check')).stderr).toContain('nobody initialises the nodes');
    const built = await here.task('apply', '--yes', '--json');
    expect(built.status).toBe(20);
    expect(built.stdout).toContain('no cloud controller has initialised the node');
    for (const node of nodes) expect(await taintsOf(node)).toContain(taint);
    expect(await on(lab, 'worker1', 'cat', '/var/lib/kubelet/kubeadm-flags.env')).toContain(
      '--cloud-provider=external',
    );
  });

  test('is whole once the controller of the definition does its work', async () => {
    await define(await controller());
    await startCloud();
    await here.done('apply', '--yes', '--json');
    expect(await readiness(lab, 'cp1')).toBe('cp1=True worker1=True');
    for (const node of nodes) {
      expect(await taintsOf(node)).not.toContain(taint);
      expect(await kubectl(lab, 'cp1', 'get', 'node', node, '--output', 'jsonpath={.spec.providerID}')).toBe(
        `lab:///${node}`,
      );
    }
    const config = ['get', 'secret', 'cloud-config', '--namespace', 'kube-system', '--output'];
    const stored = await kubectl(lab, 'cp1', ...config, String.raw`jsonpath={.data.cloud\.conf}`);
    expect(Buffer.from(stored, 'base64').toString()).toBe('[Global]\nregion = one\n');
  });

  test('has its controller once, and with another configuration begun anew', async () => {
    expect(await planned(here)).toEqual([]);
    expect(changes(await here.done('run', 'cloud-controller', '--json'))).toEqual({});
    process.env[variable] = '[Global]\nregion = two\n';
    const ran = await here.done('run', 'cloud-controller', '--json');
    expect(changes(ran)).toEqual({ cp1: 1 });
    expect(ran.stdout).not.toContain('region = two');
    await here.done('verify', '--json');
  });

  test('initialises a node that joins', async () => {
    await here.done(
      'scale-in',
      'worker1',
      '--confirm',
      'worker1',
      '--set',
      'node_preflight_minimum=0',
      '--json',
    );
    await here.done('apply', '--yes', '--json');
    expect(await taintsOf('worker1')).not.toContain(taint);
  });

  test('cannot do without it any more, which the plan says', async () => {
    await here.define(definitionOf(lab));
    const refused = await here.task('plan');
    expect(refused.status).toBe(18);
    expect(refused.stdout).toContain('providerID');
  });
});

async function define(cloud: Readonly<Record<string, unknown>>): Promise<void> {
  const document = parseDocument(definitionOf(lab));
  document.setIn(['installer', 'kubeadm', 'externalCloudProvider'], cloud);
  await here.define(document.toString());
  await here.done('render');
}

/** Pods that start where a controller would, of the one image that every node has; what it does is done by {@link startCloud}. */
async function controller(): Promise<Readonly<Record<string, unknown>>> {
  const image = await on(
    lab,
    'cp1',
    'sh',
    '-c',
    'grep -o "registry[^\\"]*pause:[0-9.]*" /etc/containerd/config.toml',
  );
  const labels = { app: 'ccm' };
  await here.define(
    JSON.stringify({
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: 'ccm', namespace: 'kube-system' },
      spec: {
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            hostNetwork: true,
            tolerations: [{ operator: 'Exists' }],
            containers: [{ name: 'ccm', image: image.trim() }],
          },
        },
      },
    }),
    'ccm.yaml',
  );
  return { manifests: ['ccm.yaml'], cloudConfig: { env: variable } };
}

/** A cloud that knows every node: what a controller does at the API, since none of a real cloud is here. */
async function startCloud(): Promise<void> {
  const program = `export KUBECONFIG=/etc/kubernetes/admin.conf; while sleep 2; do
for node in $(kubectl get nodes --output go-template='{{range .items}}{{$name := .metadata.name}}{{range .spec.taints}}{{if eq .key "${taint}"}}{{$name}} {{end}}{{end}}{{end}}'); do
kubectl patch node $node --patch '{"spec":{"providerID":"lab:///'$node'"}}' && kubectl taint node $node ${taint}-
done; done`;
  const unit = ['systemd-run', '--quiet', '--collect', '--unit=lab-cloud'];
  must(await exec(lab, 'cp1', [...unit, 'bash', '-c', program]));
}

const taintsOf = (node: string): Promise<string> =>
  kubectl(lab, 'cp1', 'get', 'node', node, '--output', 'jsonpath={.spec.taints[*].key}');
