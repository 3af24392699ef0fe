import { describe, expect, test } from 'vitest';
import { artifacts } from '../../../../generators/phases/node/artifacts.ts';
import { kubernetesPackages } from '../../../../generators/phases/node/kubernetes-packages.ts';
import { kubeadmCluster, podNetwork } from '../../../support/definitions/clusters.ts';
import { breachesOf, filesOf, textOf } from '../../../support/definitions/phase-files.ts';

const playbook = 'kubernetes-packages.yml';
const offline = { artifacts: '/srv/artifacts', sha256: 'ab'.repeat(32) };

describe('the phase kubernetes-packages', () => {
  test('takes the repository of the minor version, with its key', () => {
    const list = 'files/kubernetes-packages/etc/apt/sources.list.d/playsmith-kubernetes.list';
    expect(textOf(kubernetesPackages, kubeadmCluster(), list)).toContain(
      'deb [signed-by=/etc/apt/keyrings/playsmith-kubernetes.asc,DE15B14486CD377B9E876E1A234654DA9A296436] https://pkgs.k8s.io/core:/stable:/v1.34/deb/ /\n',
    );
    expect(textOf(kubernetesPackages, kubeadmCluster(), playbook)).toContain(
      'url: "https://pkgs.k8s.io/core:/stable:/v1.34/deb/Release.key"',
    );
  });

  test('brings another key before the source that names it, also to nodes that have every program', () => {
    const text = textOf(kubernetesPackages, kubeadmCluster(), playbook);
    const [before = '', after = ''] = text.split('- name: Write the settings of the kubelet service');
    expect(before).toMatch(
      /when: \(kubernetes_wanting \+ kubernetes_found\.settings\) \| length > 0\n[^]*Fetch the key of the repository/,
    );
    expect(after).not.toContain('playsmith-kubernetes.asc');
    expect(textOf(kubernetesPackages, kubeadmCluster({ offline }), playbook)).not.toContain('Fetch the key');
  });

  test('refuses to change the version of a running node, and says what does', () => {
    const text = textOf(kubernetesPackages, kubeadmCluster(), playbook);
    expect(text).toMatch(/Keep the version of a running node[^]*npx task run upgrade/);
    expect(text.indexOf('Keep the version')).toBeLessThan(
      text.indexOf('Install the packages at exactly this version'),
    );
  });

  test('offline brings the unit of the kubelet and names no address outside', () => {
    const files = filesOf(kubernetesPackages, kubeadmCluster({ offline }));
    expect(files.map(({ path }) => path)).toContain(
      'files/kubernetes-packages/etc/systemd/system/kubelet.service.d/10-kubeadm.conf',
    );
    const addresses = files.flatMap(({ text }) => text.match(/https?:\/\/[^\s/]+/g) ?? []);
    expect(addresses).toEqual(['https://kubernetes.io']);
  });

  test('has what the other way wrote taken away, the unit of the kubelet or the source of apt', () => {
    const etc = 'files/kubernetes-packages';
    const [online, without] = [kubeadmCluster(), kubeadmCluster({ offline })];
    const written = [online, without].map((given) =>
      filesOf(kubernetesPackages, given)
        .filter(({ path }) => path.startsWith(etc))
        .map(({ path }) => path.slice(etc.length)),
    );
    const gone = (given: typeof online): readonly string[] => {
      const text = textOf(kubernetesPackages, given, playbook);
      const [, list = ''] = /settings_gone: (.*)/.exec(text) ?? [];
      return [...list.matchAll(/"(.+?)"/g)].map(([, path = '']) => path);
    };
    const [ofOnline = [], ofOffline = []] = written;
    expect(gone(online)).toEqual(ofOffline.filter((path) => !ofOnline.includes(path)));
    expect(gone(without)).toEqual(ofOnline.filter((path) => !ofOffline.includes(path)));
    expect(gone(online)).toContain('/etc/systemd/system/kubelet.service');
  });

  test('lets the kubelet wait for kubeadm, whoever brought its unit', () => {
    for (const given of [kubeadmCluster(), kubeadmCluster({ offline })])
      expect(
        textOf(
          kubernetesPackages,
          given,
          'files/kubernetes-packages/etc/systemd/system/kubelet.service.d/20-playsmith.conf',
        ),
      ).toContain('ConditionPathExists=/var/lib/kubelet/config.yaml');
  });

  test('unpacks the plugins only offline, where no package brings them, for every network of ours', () => {
    const flannel = podNetwork({ plugin: 'flannel' });
    const text = (given: Parameters<typeof kubeadmCluster>[0]): string =>
      textOf(kubernetesPackages, kubeadmCluster(given), playbook);
    expect(text({ offline, podNetwork: flannel })).toContain('cni-plugins.tgz');
    expect(text({ podNetwork: flannel })).not.toContain('cni-plugins.tgz');
    expect(text({ offline })).toContain('cni-plugins.tgz');
    expect(text({ offline, podNetwork: podNetwork({ plugin: 'none' }) })).not.toContain('cni-plugins.tgz');
  });

  test.each([
    ['online', kubeadmCluster()],
    ['offline', kubeadmCluster({ offline })],
    ['offline with flannel', kubeadmCluster({ offline, podNetwork: podNetwork({ plugin: 'flannel' }) })],
  ])('%s keeps the house rules', (_, given) => {
    const phases = given.offline.artifacts === '' ? [kubernetesPackages] : [artifacts, kubernetesPackages];
    expect(breachesOf(phases, given)).toEqual([]);
  });
});
