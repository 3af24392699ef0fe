import { describe, expect, test } from 'vitest';
import type { Files } from '../../../../../generators/definition/files.ts';
import { ok } from '../../../../../generators/result.ts';
import { changed, saidBesides } from '../../support.ts';

const key =
  'ssh: { hostKey: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAID7NZafZXMzUsM52ZNlgMbR+9K21orbR7bTY1NH/o87u }';
const installer = 'installer: { kubeadm: { version: 1.37.2 } }\nnetwork:\n  plugin: static-routes\n';
const host = (name: string, address: string): string =>
  `  - { name: ${name}, address: ${address}, ${key} }\n`;
const service = (name: string, port: number): string =>
  `apiVersion: v1\nkind: Service\nmetadata: { name: ${name} }\nspec: { type: NodePort, ports: [{ port: ${port}, nodePort: 30080 }] }\n`;

/** A CNF that is published at a port of the load balancer, which has these keys. */
const published = (port: number, keys: string): string[] => {
  const files: Files = new Map([
    ['web.yaml', ok(service('web', 80))],
    ['own.yaml', ok(service('own', 8080).replace('30080', '30081'))],
  ]);
  const text = `${changed(['network:\n', installer])}hosts:\n${host('elb01', '198.51.100.11')}externalLoadBalancer: { hosts: [elb01]${keys} }
cnfs: [{ name: web, namespace: tenant-a, manifests: [web.yaml], publish: [{ service: web, servicePort: 80, port: ${port} }] }]\n`;
  return saidBesides(text, files).map((line) => line.replace(/^(warning )?\S+ /, '$1'));
};

describe('a CNF is published at a port that is free', () => {
  test.each([
    [8080, ', manifests: [own.yaml]', 'own of own.yaml'],
    [22, ', manifests: [own.yaml]', 'sshd'],
    [6443, ', api: { port: 6443 }', 'the API'],
    [81, ', services: [{ name: other, port: 81, nodePort: 30099 }]', 'other'],
  ])('%i is not, with%s', (port, keys, what) => {
    expect(published(port, keys)).toEqual([
      `port ${port} of the load balancer is taken by ${what} → another port`,
    ]);
  });

  test('beside other ports', () => {
    expect(published(8081, ', manifests: [own.yaml]')).toEqual([]);
  });
});

describe('NFS has its port where a load balancer is the storage server too', () => {
  const storage = (name: string): string =>
    `storage: { host: ${name}, volumes: [{ serial: a, mountTo: /volume }], exports: [{ path: /volume/a, to: 192.0.2.0/24 }] }\n`;
  const said = (text: string): string => saidBesides(text).join('\n');

  test('outside of the cluster', () => {
    const text = (owner: string): string =>
      `${changed(['network:\n', installer])}hosts:\n${host('elb01', '198.51.100.11')}${host('nfs01', '198.51.100.12')}externalLoadBalancer: { hosts: [elb01], services: [{ name: web, port: 2049, nodePort: 30080 }] }\n${storage(owner)}`;
    expect(said(text('elb01'))).toContain(
      'port 2049 of the load balancer is used by both NFS and web → another port for web',
    );
    expect(said(text('nfs01'))).not.toContain('2049');
  });

  test('before the control plane', () => {
    const text = `${changed(['network:\n', installer], ['placement: stacked', 'placement: { hosts: [lb01] }'], ['port: 8443', 'port: 2049'])}hosts:\n${host('lb01', '192.0.2.31')}${storage('lb01')}`;
    expect(said(text)).toContain('port 2049 is used by both HAProxy and NFS on the same machine');
  });

  test('and sshd has another one', () => {
    const text = `${changed(['network:\n', installer])}hosts:\n${host('nfs01', '192.0.2.31').replace('ssh: {', 'ssh: { port: 2049,')}${storage('nfs01')}`;
    expect(said(text)).toContain('port 2049 is used by both sshd and NFS on the same machine');
  });
});
