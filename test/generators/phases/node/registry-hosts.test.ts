import { expect, test } from 'vitest';
import type { Registry } from '../../../../generators/cluster/cluster.ts';
import { loginsOf, registryHosts } from '../../../../generators/phases/node/registry-hosts.ts';

const registry = (host: string, overrides: Partial<Registry> = {}): Registry => ({
  host,
  mirrors: [],
  ca: '',
  user: '',
  passwordVariable: '',
  ...overrides,
});

test('mirrors are asked in their order, and the registry itself needs no entry', () => {
  const [hub] = registryHosts([
    registry('docker.io', { mirrors: ['https://a.example.org', 'http://b:5000/'] }),
  ]);
  expect(hub?.server).toBe('https://registry-1.docker.io');
  expect(hub?.hosts.map(({ url }) => url)).toEqual(['https://a.example.org', 'http://b:5000']);
});

test('a registry with an authority or a password is the last of its hosts', () => {
  const [own] = registryHosts([
    registry('r.example.org:5000', {
      mirrors: ['https://a.example.org'],
      ca: 'PEM',
      user: 'u',
      passwordVariable: 'vault_r',
    }),
  ]);
  expect(own?.folder).toBe('r.example.org_5000_');
  expect(own?.hosts.map(({ url, ca, login }) => [url, ca, login?.user])).toEqual([
    ['https://a.example.org', '/etc/containerd/certs.d/r.example.org_5000_/ca.crt', undefined],
    ['https://r.example.org:5000', '/etc/containerd/certs.d/r.example.org_5000_/ca.crt', 'u'],
  ]);
});

test('a password goes to the registry that it is for and to no mirror of it', () => {
  const [own] = registryHosts([
    registry('r.example.org', { mirrors: ['https://a.example.org'], user: 'u', passwordVariable: 'vault_r' }),
  ]);
  expect(own?.hosts[0]?.login).toBeNull();
});

test('a mirror that is a registry of the list is reached with the authority and password of that one', () => {
  const [hub] = registryHosts([
    registry('docker.io', { mirrors: ['https://harbor.example.org/v2/hub'] }),
    registry('harbor.example.org', { ca: 'PEM', user: 'robot', passwordVariable: 'vault_harbor' }),
  ]);
  expect(hub?.hosts).toEqual([
    {
      url: 'https://harbor.example.org/v2/hub',
      wholePath: true,
      ca: '/etc/containerd/certs.d/harbor.example.org/ca.crt',
      login: { user: 'robot', passwordVariable: 'vault_harbor' },
    },
  ]);
  expect(hub === undefined ? [] : loginsOf(hub)).toHaveLength(1);
});

test('no host is named twice, since TOML has no table twice', () => {
  const [own] = registryHosts([
    registry('r.example.org', { mirrors: ['https://r.example.org'], user: 'u', passwordVariable: 'vault_r' }),
  ]);
  expect(own?.hosts.map(({ url }) => url)).toEqual(['https://r.example.org']);
});
