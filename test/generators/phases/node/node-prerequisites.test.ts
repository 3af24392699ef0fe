import { describe, expect, test } from 'vitest';
import type { Cluster } from '../../../../generators/cluster/cluster.ts';
import { artifacts } from '../../../../generators/phases/node/artifacts.ts';
import { nodePrerequisites } from '../../../../generators/phases/node/node-prerequisites.ts';
import { readYaml } from '../../../../generators/yaml.ts';
import { awkward, cluster, kubeadmCluster } from '../../../support/definitions/clusters.ts';
import { breachesOf, filesOf, textOf } from '../../../support/definitions/phase-files.ts';

const sysctl = 'files/node-prerequisites/etc/sysctl.d/90-kubernetes.conf';

/** A file without content is taken away. */
function goneFrom(given: Cluster): readonly string[] {
  const text = textOf(nodePrerequisites, given, 'node-prerequisites.yml');
  if (!text.includes('settings_gone')) return [];
  expect(text).toContain('files: "{{ settings_files + settings_gone }}"');
  const [, list = ''] = /settings_gone: (.*)/.exec(text) ?? [];
  return (readYaml(list) as readonly { readonly path: string }[]).map(({ path }) => path);
}

describe('the phase node-prerequisites', () => {
  test('is nobody else’s business where somebody else installs Kubernetes', () => {
    expect(nodePrerequisites.applies(cluster())).toBe(false);
    expect(nodePrerequisites.applies(kubeadmCluster())).toBe(true);
  });

  test('sets what the traffic of pods needs, of IPv6 only where there is any', () => {
    expect(textOf(nodePrerequisites, kubeadmCluster(), sysctl)).not.toContain('ipv6');
    expect(textOf(nodePrerequisites, awkward(), sysctl)).toContain('net.ipv6.conf.all.forwarding = 1\n');
  });

  test('loads IPVS with its scheduler where kube-proxy works with it, since the image of kube-proxy loads nothing', () => {
    const modules = (kubeProxy: Cluster['kubernetes']['kubeProxy']): string => {
      const from = kubeadmCluster();
      const path = 'files/node-prerequisites/etc/modules-load.d/kubernetes.conf';
      return textOf(nodePrerequisites, { ...from, kubernetes: { ...from.kubernetes, kubeProxy } }, path);
    };
    expect(modules({ mode: 'ipvs' })).toMatch(/\nbr_netfilter\nip_vs\nip_vs_rr\n$/);
    expect(modules({ mode: 'ipvs', ipvs: { scheduler: 'sh' } })).toMatch(/\nip_vs\nip_vs_sh\n$/);
    expect(modules({ mode: 'nftables', ipvs: { scheduler: 'sh' } })).not.toContain('ip_vs');
  });

  test('tells apt the proxy, and single hosts that need none; networks mean nothing to apt', () => {
    const proxy = {
      http: 'http://proxy.example.org:3128',
      https: '',
      noProxy: ['.example.org', '10.0.0.0/8', 'repo'],
    };
    const text = textOf(
      nodePrerequisites,
      kubeadmCluster({ proxy }),
      'files/node-prerequisites/etc/apt/apt.conf.d/90playsmith-proxy',
    );
    expect(text).toContain('Acquire::http::Proxy "http://proxy.example.org:3128";\n');
    expect(text).toContain('Acquire::http::Proxy::repo "DIRECT";\n');
    expect(text).not.toContain('10.0.0.0');
  });

  test('takes the proxy of apt away where there is none any more', () => {
    expect(filesOf(nodePrerequisites, kubeadmCluster()).some(({ path }) => path.includes('proxy'))).toBe(
      false,
    );
    expect(goneFrom(kubeadmCluster())).toContain('apt/apt.conf.d/90playsmith-proxy');
  });

  test('takes away online what apt has only offline', () => {
    const offline = { artifacts: '/srv/artifacts', sha256: 'ab'.repeat(32) };
    const sources = ['apt/preferences.d/playsmith.pref', 'apt/sources.list.d/playsmith.list'];
    const etc = 'files/artifacts/';
    const sent = filesOf(artifacts, kubeadmCluster({ offline })).map(({ path }) => path);
    expect(sent.filter((path) => path.startsWith(etc))).toEqual(sources.map((path) => etc + path));
    expect(goneFrom(kubeadmCluster())).toEqual(expect.arrayContaining(sources));
    expect(goneFrom(kubeadmCluster({ offline }))).toEqual(['apt/apt.conf.d/90playsmith-proxy']);
    const proxy = { http: 'http://proxy.example.org:3128', https: '', noProxy: [] };
    expect(goneFrom(kubeadmCluster({ offline, proxy }))).toEqual([]);
  });

  test.each([kubeadmCluster(), awkward()])('keeps the house rules for $name', (given) => {
    expect(breachesOf([nodePrerequisites], given)).toEqual([]);
  });
});
