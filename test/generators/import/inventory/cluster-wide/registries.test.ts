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
