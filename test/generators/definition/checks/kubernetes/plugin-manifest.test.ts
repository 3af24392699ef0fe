import { describe, expect, test } from 'vitest';
import { chartOf } from '../../../../../generators/definition/cnf/sources.ts';
import type { Files } from '../../../../../generators/definition/files.ts';
import { filesNamed } from '../../../../../generators/definition/reader.ts';
import { failed, ok } from '../../../../../generators/result.ts';
import { changed, saidBesides } from '../../support.ts';

const sum = 'ab'.repeat(32);

const plugged = (plugin: string): string =>
  changed([
    'network:\n',
    `installer: { kubeadm: { version: 1.37.2 } }\nnetwork:\n  mtu: 1400\n  plugin: { ${plugin} }\n`,
  ]);

const daemonSet = (name: string, image: string, namespace = 'kube-system'): string => `apiVersion: apps/v1
kind: DaemonSet
metadata: { name: ${name}, namespace: ${namespace} }
spec: { template: { spec: { containers: [{ name: one, image: ${image} }] } } }
`;
const calico = daemonSet('calico-node', 'quay.io/calico/node:v3.32.3');
const cilium = daemonSet('cilium', 'quay.io/cilium/cilium:v1.20.2@sha256:00');
const secret = 'apiVersion: v1\nkind: Secret\nmetadata: { name: a, namespace: kube-system }\n';

/** What is said when every file that the definition names holds this. */
const saidWith = (plugin: string, held: string): readonly string[] => {
  const text = plugged(plugin);
  const files: Files = new Map(filesNamed(text).map((key) => [key, ok(held)]));
  return saidBesides(text, files);
};

describe('a plugin whose manifest is in the bundle', () => {
  test.each([
    ['calico: { version: 3.32.3, manifest: calico.yaml }', calico],
    ['cilium: { version: 1.20.2, chart: cilium.tgz }', cilium],
  ])('%s needs no checksum, and nothing to fetch it with', (plugin, held) => {
    expect(saidWith(plugin, held)).toEqual([]);
  });

  test('is asked of helm with what Cilium has to know of the cluster', () => {
    const [key = ''] = filesNamed(
      plugged(
        'cilium: { version: 1.20.2, chart: cilium.tgz, values: { bandwidthManager: { enabled: true } } }',
      ),
    );
    expect(chartOf(key)).toEqual({
      ...{ chart: 'cilium.tgz', release: 'cilium', namespace: 'kube-system', version: '1.37.2', set: [] },
      values: {
        ...{ ipam: { mode: 'kubernetes' }, ipv4: { enabled: true }, ipv6: { enabled: false } },
        ...{ hubble: { enabled: false }, operator: { replicas: 2 } },
        ...{ routingMode: 'tunnel', tunnelProtocol: 'vxlan', MTU: 1450 },
        bandwidthManager: { enabled: true },
      },
    });
  });

  test.each([
    [
      `calico: { version: 3.32.3, manifest: calico.yaml, sha256: ${sum} }`,
      calico,
      /`sha256` is for nothing beside `manifest`: no host fetches anything → remove the key/,
    ],
    [
      'cilium: { version: 1.20.2, chart: cilium.tgz, url: https://a.b/c }',
      cilium,
      /`url` is for nothing beside `chart`/,
    ],
    [
      'calico: { version: 3.32.2, manifest: calico.yaml }',
      calico,
      /8:32 `version` is 3\.32\.2, and the manifest is of 3\.32\.3 → version: 3\.32\.3, or the manifest of 3\.32\.2/,
    ],
    [
      'calico: { version: 3.32.3, manifest: calico.yaml }',
      cilium,
      /8:50 it holds no DaemonSet calico-node in kube-system → the manifest that calico publishes/,
    ],
    [
      'calico: { version: 3.32.3, manifest: calico.yaml }',
      daemonSet('calico-node', 'quay.io/calico/node:v3.32.3', 'calico-system'),
      /it holds no DaemonSet calico-node in kube-system/,
    ],
    [
      'cilium: { version: 1.20.2, chart: cilium.tgz }',
      `${cilium}---\n${secret}`,
      /a Secret is in it, and the bundle is for everybody who reads the repository → `values` without what needs one/,
    ],
    [
      'calico: { version: 3.32.3, manifest: calico.yaml }',
      'a: [',
      /the manifest of calico:\d+:\d+: this is not YAML → what `kubectl apply` takes/,
    ],
    [
      `cilium: { version: 1.20.2, sha256: ${sum} }`,
      '',
      /`helm` is missing in `cilium`: nothing makes a manifest of the chart → `chart`, of which `npx task render` makes it/,
    ],
  ])('%s is refused', (plugin, held, expected) => {
    const [first, ...others] = saidWith(plugin, held);
    expect(first).toMatch(expected);
    expect(others).toEqual([]);
  });

  test('is refused with the reason where it cannot be read', () => {
    const text = plugged('calico: { version: 3.32.3, manifest: calico.yaml }');
    const files: Files = new Map([['calico.yaml', failed('there is no file calico.yaml')]]);
    expect(saidBesides(text, files)).toEqual([
      expect.stringMatching(
        /8:\d+ there is no file calico\.yaml → the manifest of the release, as its project publishes it/,
      ),
    ]);
  });
});
