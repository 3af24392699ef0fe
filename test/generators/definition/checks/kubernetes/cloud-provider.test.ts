import { describe, expect, test } from 'vitest';
import { load } from '../../../../../generators/load.ts';
import { failed, ok } from '../../../../../generators/result.ts';
import type { Files } from '../../../../../generators/definition/files.ts';
import { changed, saidBesides } from '../../support.ts';

const path = 'manifests/ccm.yaml';
const installed = (cloud: string): string =>
  changed([
    'network:\n',
    `installer: { kubeadm: { version: 1.37.2, externalCloudProvider: ${cloud} } }\nnetwork:\n  plugin: static-routes\n`,
  ]);
const definition = installed(`{ manifests: [${path}], cloudConfig: { env: CLOUD_CONFIG } }`);

const daemonSet = (tolerations: string, image = 'registry.example.org/ccm:v1'): string => `apiVersion: apps/v1
kind: DaemonSet
metadata: { name: ccm, namespace: kube-system }
spec: { template: { spec: { tolerations: ${tolerations}, containers: [{ name: ccm, image: '${image}' }] } } }
`;
const tolerant =
  '[{ key: node.cloudprovider.kubernetes.io/uninitialized, value: "true", effect: NoSchedule }]';

const read = (text: string) => load(definition, 'cluster.yml', new Map([[path, ok(text)]]));

function problems(files: Files): readonly string[] {
  const loaded = load(definition, 'cluster.yml', files);
  return loaded.ok ? [] : loaded.failure.map(({ message, remedy }) => `${message} → ${remedy}`);
}

describe('a cloud controller manager', () => {
  test('whose pods start on nodes that wait for it is sound, and is what is applied', () => {
    const loaded = read(daemonSet(tolerant));
    expect(loaded.ok && loaded.value.cluster.kubernetes.externalCloudProvider).toMatchObject({
      objects: [{ kind: 'DaemonSet', metadata: { name: 'ccm' } }],
      configVariable: 'vault_cloud_config',
    });
    expect(read(daemonSet('[{ operator: Exists }]')).ok).toBe(true);
  });

  test.each([
    ['that would wait for itself', daemonSet('[{ key: other, operator: Exists }]'), 'would wait for itself'],
    [
      'with a Secret in it',
      `${daemonSet(tolerant)}---\napiVersion: v1\nkind: Secret\nmetadata: { name: cloud-config }\nstringData: { cloud.conf: hunter2 }\n`,
      'a Secret is in it, and the bundle is for everybody who reads the repository → `cloudConfig`',
    ],
    ['that is no manifest', 'a: [', 'manifests/ccm.yaml:1:'],
  ])('%s is refused', (_, text, expected) => {
    const said = problems(new Map([[path, ok(text)]])).join('\n');
    expect(said).toContain(expected);
    expect(said).not.toContain('hunter2');
  });

  test('that cannot be read is refused with the reason', () => {
    expect(problems(new Map([[path, failed('it is not there')]])).join()).toContain('it is not there');
  });

  test('that nobody brings is warned of', () => {
    expect(saidBesides(installed('{}')).join('\n')).toContain('nobody initialises the nodes: CoreDNS');
  });
});
