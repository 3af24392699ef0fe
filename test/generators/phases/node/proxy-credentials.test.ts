import { describe, expect, test } from 'vitest';
import type { Cluster } from '../../../../generators/cluster/cluster.ts';
import { containerd } from '../../../../generators/phases/node/containerd.ts';
import { nodePrerequisites } from '../../../../generators/phases/node/node-prerequisites.ts';
import { proxyCredentials } from '../../../../generators/phases/node/proxy-credentials.ts';
import { render } from '../../../../generators/render.ts';
import { kubeadmCluster } from '../../../support/definitions/clusters.ts';
import { breachesOf, textOf } from '../../../support/definitions/phase-files.ts';
import { templates } from '../../../support/definitions/templates.ts';

const url = 'http://proxy.example.org:3128';
const given = (more: Partial<Cluster['proxy']> = {}): Cluster =>
  kubeadmCluster({
    proxy: {
      http: url,
      https: url,
      noProxy: ['10.0.0.0/8', 'mirror.example.org'],
      credentials: { userVariable: 'vault_proxy_user', passwordVariable: 'vault_proxy_password' },
      ...more,
    },
  });
const file = (name: string): string => `files/proxy-credentials/${name}`;

describe('a proxy that wants a password', () => {
  test('is in files that root alone reads, before anything is fetched', () => {
    expect(breachesOf([proxyCredentials, containerd, nodePrerequisites], given())).toEqual([]);
    const playbook = textOf(proxyCredentials, given(), 'proxy-credentials.yml');
    expect(playbook).toContain('mode: "0600"');
    expect(playbook).toContain('directory_mode: "0700"');
    expect(playbook).toContain('no_log: true');
    const files = new Map(render(given(), templates).map(({ path, text }) => [path, text]));
    for (const operation of ['instantiate', 'scale-out', 'heal-node']) {
      const text = files.get(`${operation}.yml`) ?? '';
      const at = text.indexOf('proxy-credentials.yml');
      expect(at).toBeGreaterThan(0);
      expect(at).toBeLessThan(text.indexOf('node-prerequisites.yml'));
    }
  });

  test('is encoded as URLs want it, for each scheme that goes through it', () => {
    const login =
      "{{ vault_proxy_user | urlencode | replace('/', '%2F') }}:{{ vault_proxy_password | urlencode | replace('/', '%2F') }}";
    const environment = textOf(proxyCredentials, given({ https: '' }), file('environment.j2'));
    expect(environment).toContain(`http_proxy="http://${login}@proxy.example.org:3128"`);
    expect(environment).not.toContain('https_proxy');
    const apt = textOf(proxyCredentials, given(), file('apt.conf.j2'));
    expect(apt).toContain(`Acquire::https::Proxy "http://${login}@proxy.example.org:3128";`);
    expect(apt).toContain('Acquire::http::Proxy::mirror.example.org "DIRECT";');
  });

  test('is in no environment of a task, of a unit or of apt that others read', () => {
    const files = render(given(), templates);
    const naming = files.filter(({ text }) => text.includes('vault_proxy_')).map(({ path }) => path);
    expect(naming.toSorted()).toEqual([file('apt.conf.j2'), file('environment.j2'), 'proxy-credentials.yml']);
    const all = files.find(({ path }) => path === 'inventory/group_vars/all.yml')?.text ?? '';
    expect(all).toContain('PYTHONPATH: "/var/lib/playsmith/proxy"');
    expect(all).not.toContain('http_proxy');
    const unit = textOf(
      containerd,
      given(),
      'files/containerd/etc/systemd/system/containerd.service.d/playsmith-proxy.conf',
    );
    expect(unit).toContain('EnvironmentFile=/var/lib/playsmith/proxy/environment');
    expect(unit).not.toContain('proxy.example.org');
    expect(files.map(({ path }) => path)).not.toContain(
      'files/node-prerequisites/etc/apt/apt.conf.d/90playsmith-proxy',
    );
  });
});
