import { describe, expect, test } from 'vitest';
import { changed, loaded, saidBesides, sound } from '../../support.ts';

const kubeadm = 'installer: { kubeadm: { version: 1.37.2 } }\nnetwork:\n  plugin: static-routes\n';
const kubespray =
  'installer: { kubespray: { version: v2.28.1, path: /opt/kubespray, kubernetes: 1.32.8, networkPlugin: calico } }\nnetwork:\n';

/** The sound definition with a name for its endpoint, and whoever installs it. */
const named = (name: string, installer = kubeadm): string =>
  changed(['  address: 192.0.2.80/24\n', `  address: 192.0.2.80/24\n  dnsName: ${name}\n`]).replace(
    'network:\n',
    installer,
  );

const place = '13:12';

/** One control plane, which is the endpoint itself. */
const single = (installer: string): string => `apiVersion: playsmith/v1
kind: Cluster
metadata: { name: one }
ansibleServer: local
${installer}  nodeSubnet: 192.0.2.0/24
ssh: { user: root }
controlPlaneEndpoint: { address: 192.0.2.11/24, dnsName: api.example.org }
nodes:
  - name: node01
    roles: [control-plane, worker]
    address: 192.0.2.11
    ssh: { host: api.example.org, hostKey: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA1lU2tqe9yO6DZSsd961mfdhmDXmWHmcsmvyKKlRBa5 }
`;

describe('the name of the endpoint', () => {
  test.each([
    'api.cluster.example.org',
    'api',
    'lb-apiserver.kubernetes.local',
    `${'a'.repeat(63)}.org`,
    '7.example',
  ])('%s is one', (name) => {
    expect(saidBesides(named(name))).toEqual([]);
    expect(loaded(named(name)).cluster.endpoint).toMatchObject({ address: '192.0.2.80', dnsName: name });
  });

  test('is absent where nobody writes it', () => {
    expect(loaded(sound).cluster.endpoint).not.toHaveProperty('dnsName');
  });

  test.each([
    ['"192.0.2.80"', '"192.0.2.80" is an address, where a DNS name belongs → api.cluster.example.org'],
    ['"2001:db8::80"', '"2001:db8::80" is an address, where a DNS name belongs → api.cluster.example.org'],
    ['API.Example.org', '"API.Example.org" is not a DNS name → api.example.org'],
    ...[
      'api_1.example.org',
      '"*.example.org"',
      'api..example.org',
      'api.example.org.',
      '-api',
      'api.1',
      '"api.example.org:6443"',
      `${'a'.repeat(64)}.org`,
    ].map((written) => [
      written,
      `"${written.replaceAll('"', '')}" is not a DNS name → words of up to 63 small letters, digits and hyphens, joined by dots, like api.cluster.example.org`,
    ]),
  ])('%s is none', (written, problem) => {
    expect(saidBesides(named(written))).toEqual([`${place} ${problem}`]);
  });

  const alone = 'a name that leads to the endpoint alone';

  test.each([
    ['localhost', 'localhost is every machine itself'],
    ['api.localhost', 'api.localhost is every machine itself'],
    ['kubernetes', "kubernetes is a name of the cluster's own, which pods find by CoreDNS"],
    [
      'api.default.svc.cluster.local',
      "api.default.svc.cluster.local is a name of the cluster's own, which pods find by CoreDNS",
    ],
    ['master02', 'master02 is already the name of nodes[1]'],
  ])('%s is taken', (name, problem) => {
    expect(saidBesides(named(name))).toEqual([`${place} ${problem} → ${alone}`]);
  });

  test('is not the way by SSH to one of several machines', () => {
    const text = named('api.example.org').replace('ssh: { hostKey', 'ssh: { host: API.example.org, hostKey');
    expect(saidBesides(text)).toEqual([
      `${place} master01 is reached by SSH at api.example.org, which leads to whoever holds the address → ${alone}`,
    ]);
    expect(saidBesides(single(kubeadm))).toEqual([]);
  });

  test('is not that of a registry', () => {
    const text = `${named('api.example.org')}containerd:\n  registries: [{ host: "api.example.org:5000", mirrors: [https://mirror.example.org] }]\n`;
    expect(saidBesides(text)).toEqual([
      `${place} api.example.org is the registry api.example.org:5000, which nodes would look for at the endpoint → ${alone}`,
    ]);
  });

  test('has no effect on the Kubernetes of somebody else', () => {
    expect(saidBesides(named('api.example.org', 'network:\n'))).toEqual([
      'warning 11:3 `dnsName` has no effect: this definition does not install Kubernetes → remove the key, or add `installer`',
    ]);
  });

  test('is known to kubespray where a load balancer stands before the API', () => {
    expect(saidBesides(named('api.example.org', kubespray))).toEqual([]);
    expect(saidBesides(single(kubespray))).toEqual([
      '9:58 kubespray gives the endpoint a name where a load balancer stands before it, and with `none` none does → the name in `installer.kubespray.certificateSans`, or another `placement`',
    ]);
  });
});
