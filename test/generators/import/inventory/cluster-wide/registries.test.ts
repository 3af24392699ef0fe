import { describe, expect, test } from 'vitest';
import { importKubespray } from '../../../../../generators/import/inventory/index.ts';
import { clusterOf, made, wishing } from '../../../../support/definitions/imports.ts';

const imported = (...variables: readonly string[]) =>
  importKubespray(
    [
      {
        file: 'hosts.ini',
        text: '[kube_control_plane]\nn1 ip=10.0.0.1\n[etcd]\nn1\n[kube_node]\nn1\n[all:vars]\nansible_user=ops\n',
      },
      { file: 'group_vars/all.yml', text: `${variables.join('\n')}\n` },
    ],
    wishing(),
  );

const mirrors =
  'containerd_registries_mirrors: [{ prefix: docker.io, mirrors: [{ host: "https://mirror.example.org:5000" }] }]';
const auth = (registry: string, password = 'canary1'): string =>
  `containerd_registry_auth: [{ registry: "${registry}", username: bot, password: "${password}" }]`;

describe('mirrors for containerd that kubespray does not read', () => {
  test('with another container manager are listed', () => {
    for (const manager of ['crio', 'docker']) {
      const result = imported('kube_version: 1.32.5', `container_manager: ${manager}`, mirrors);
      expect(clusterOf(result).containerd.registries).toEqual([]);
      expect(made(result).leftOver.map(({ path }) => path)).toEqual([
        'all.containerd_registries_mirrors[].prefix',
        'all.containerd_registries_mirrors[].mirrors[].host',
      ]);
    }
  });

  test('since the tag that is assumed is older are told, too', () => {
    const result = imported('kube_version: 1.26.13', mirrors);
    expect(clusterOf(result).kubespray.version).toBe('v2.22.2');
    expect(made(result).warnings.map(({ message }) => message)).toContain(
      'kubespray v2.22.2, which is assumed, does not know these mirrors, so they are not taken over',
    );
    expect(made(result).leftOver.map(({ path }) => path)).toHaveLength(2);
    expect(made(imported('kube_version: 1.27.10', mirrors)).leftOver).toEqual([]);
  });
});

describe('logins of registries', () => {
  test.each([
    ['docker.io', [{ host: 'docker.io', user: 'bot', mirrors: ['https://mirror.example.org:5000'] }]],
    ['registry-1.docker.io', [{ host: 'docker.io', user: 'bot' }]],
    [
      'mirror.example.org:5000',
      [
        { host: 'docker.io', user: '' },
        { host: 'mirror.example.org:5000', user: 'bot', mirrors: [] },
      ],
    ],
  ])('at %s are asked for by name', (registry, expected) => {
    const result = imported('kube_version: 1.29.5', mirrors, auth(registry));
    expect(clusterOf(result).containerd.registries).toMatchObject(expected);
    expect(made(result).secrets).toHaveLength(1);
    expect(made(result).leftOver).toEqual([]);
    expect(made(result).text).not.toContain('canary');
  });

  test('keep the name that they have in a vault', () => {
    const result = imported('kube_version: 1.29.5', auth('registry.example.org', '{{ vault_registry }}'));
    expect(made(result).secrets).toEqual([
      { variable: 'REGISTRY', what: 'the password of bot at registry.example.org' },
    ]);
  });

  test('of CRI-O are taken from its own variable', () => {
    const result = imported(
      'kube_version: 1.29.5',
      'container_manager: crio',
      auth('a.example.org').replace('containerd', 'crio'),
      auth('b.example.org'),
    );
    expect(clusterOf(result).containerd.registries.map(({ host }) => host)).toEqual(['a.example.org']);
    expect(made(result).leftOver.map(({ path }) => path)).toContain(
      'all.containerd_registry_auth[].password',
    );
  });

  test('that the tag does not know are listed, without the password', () => {
    const result = imported('kube_version: 1.34.1', auth('registry.example.org'));
    expect(clusterOf(result).containerd.registries).toEqual([]);
    expect(made(result).leftOver.map(({ path }) => path)).toContain(
      'all.containerd_registry_auth[].password',
    );
    expect(made(result).text).not.toContain('canary');
  });
});

test('a mirror whose certificate nobody checked is told', () => {
  const result = imported('kube_version: 1.29.5', mirrors.replace('5000"', '5000", skip_verify: yes'));
  expect(made(result).warnings).toContainEqual(
    expect.objectContaining({
      file: 'group_vars/all.yml',
      message: 'the certificate of the mirror https://mirror.example.org:5000 is checked from now on',
    }),
  );
});

test('a mirror without TLS has no certificate that anybody could check', () => {
  const plain = mirrors
    .replace('5000"', '5000", skip_verify: yes')
    .replace('https://mirror.example.org', 'http://mirror.example.org');
  const { warnings, leftOver, text } = made(imported('kube_version: 1.29.5', plain));
  expect(text).toContain('http://mirror.example.org:5000');
  expect(warnings.map(({ message }) => message).join()).not.toContain('certificate');
  expect(leftOver.map(({ path }) => path)).toContain(
    'all.containerd_registries_mirrors[].mirrors[].skip_verify',
  );
});

describe('mirrors', () => {
  const of = (...variables: readonly string[]) => {
    const result = imported(...variables);
    const { registries } = clusterOf(result).containerd;
    return {
      registries: registries.map(({ host, mirrors }) => ({ host, mirrors })),
      left: made(result).leftOver.map(({ path }) => path),
      warnings: made(result).warnings.map(({ message }) => message),
    };
  };
  const row = (more: string, mirrors = '{ location: "mirror.example.org:5000" }'): string =>
    `[{ prefix: docker.io, ${more}, mirrors: [${mirrors}] }]`;
  const mirrored = [{ host: 'docker.io', mirrors: ['https://mirror.example.org:5000'] }];

  test.each([
    ['1.29.5', 'crio_registries'],
    ['1.21.6', 'crio_registries_mirrors'],
  ])('of CRI-O are taken over, at Kubernetes %s from %s', (version, name) => {
    const found = of(
      `kube_version: ${version}`,
      'container_manager: crio',
      `${name}: ${row('location: registry-1.docker.io, insecure: false, blocked: false, unqualified: false')}`,
    );
    expect(found).toMatchObject({ registries: mirrored, left: [] });
  });

  test('of CRI-O without TLS are asked by HTTP, as they were', () => {
    const mirror = '{ location: "10.0.0.9:5000", insecure: true }';
    const { registries } = of('container_manager: crio', `crio_registries: ${row('blocked: no', mirror)}`);
    expect(registries).toEqual([{ host: 'docker.io', mirrors: ['http://10.0.0.9:5000'] }]);
  });

  test('a registry of CRI-O that lies elsewhere is asked there after its mirrors, which is told', () => {
    const found = of(
      'container_manager: crio',
      `crio_registries: ${row('location: harbor.example.org/hub')}`,
    );
    expect(found.registries).toEqual([
      {
        host: 'docker.io',
        mirrors: ['https://mirror.example.org:5000', 'https://harbor.example.org/hub'],
      },
    ]);
    expect(found.warnings.join()).toContain('docker.io is asked at harbor.example.org/hub first');
  });

  test.each([
    ['blocked', row('blocked: true')],
    ['for a path', '[{ prefix: docker.io/library, location: docker.io/library }]'],
  ])('a registry of CRI-O that is %s is listed', (_, rows) => {
    const found = of('container_manager: crio', `crio_registries: ${rows}`);
    expect(found.registries).toEqual([]);
    expect(found.left).toContain('all.crio_registries[].prefix');
  });

  test.each(['bot:canary1@mirror.example.org', 'a b', '$(id)', '{{ mirror }}'])(
    'a mirror of CRI-O at %j is listed, without a login, and the rest is taken over',
    (location) => {
      const mirrors = `{ location: ${JSON.stringify(location)} }, { location: "mirror.example.org:5000" }`;
      const all = ['container_manager: crio', `crio_registries: ${row('blocked: no', mirrors)}`];
      expect(of(...all)).toMatchObject({
        registries: mirrored,
        left: ['all.crio_registries[].mirrors[].location'],
      });
      expect(made(imported(...all)).text).not.toContain('canary');
    },
  );

  test('a registry of CRI-O that lies where no URL leads is listed', () => {
    const found = of('container_manager: crio', `crio_registries: ${row('location: "bot:canary1@h"')}`);
    expect(found.registries).toEqual([]);
    expect(found.left).toContain('all.crio_registries[].location');
  });

  test('a registry of CRI-O without TLS is told, and what says it is listed', () => {
    const found = of('container_manager: crio', `crio_registries: ${row('insecure: true')}`);
    expect(found).toMatchObject({ registries: mirrored, left: ['all.crio_registries[].insecure'] });
    expect(found.warnings.join()).toContain(
      'the certificate of the registry docker.io is checked from now on',
    );
  });

  test('of Docker are those of its own registry; what is no URL is listed', () => {
    const found = of(
      'container_manager: docker',
      'docker_registry_mirrors: ["https://mirror.example.org:5000", "{{ mirror }}"]',
    );
    expect(found).toMatchObject({ registries: mirrored, left: ['all.docker_registry_mirrors[]'] });
  });

  test('of containerd in old tags are URLs by registry, whose own comes last anyway', () => {
    const found = of(
      'kube_version: 1.24.6',
      'containerd_registries: { docker.io: ["https://mirror.example.org:5000", "https://registry-1.docker.io"], "10.0.0.9:5000": "http://10.0.0.9:5000", quay.io: "https://quay.io" }',
    );
    expect(found).toMatchObject({
      registries: [...mirrored, { host: '10.0.0.9:5000', mirrors: ['http://10.0.0.9:5000'] }],
      left: [],
    });
  });
});

test('peers of BGP are passed on, with what is said of them in words', () => {
  const peers = [{ router_id: '10.99.0.34', as: '65400', scope: 'node', filters: ['no-default'] }];
  const plain = ['10.0.0.2:65000::false'];
  const result = imported(
    `peers: ${JSON.stringify(peers)}`,
    `kube_vip_bgppeers: ${JSON.stringify(plain)}`,
    'calico_rr_id: rr-west',
  );
  expect(clusterOf(result).kubespray.variables).toMatchObject({
    peers,
    kube_vip_bgppeers: plain,
    calico_rr_id: 'rr-west',
  });
  expect(made(result).leftOver).toEqual([]);
});

test('a peer of BGP with a password is listed, without it', () => {
  const result = imported('kube_vip_bgppeers: ["10.0.0.2:65000:canary1:false"]');
  expect(clusterOf(result).kubespray.variables).not.toHaveProperty('kube_vip_bgppeers');
  expect(made(result).leftOver).toHaveLength(1);
  expect(made(result).text).not.toContain('canary');
});
