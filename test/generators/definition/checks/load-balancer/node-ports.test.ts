import { describe, expect, test } from 'vitest';
import type { Files } from '../../../../../generators/definition/files.ts';
import { ok } from '../../../../../generators/result.ts';
import { changed, saidBesides } from '../../support.ts';

const kubeadm =
  'installer: { kubeadm: { version: 1.37.2 } }\nnetwork:\n  plugin: { calico: { version: 3.32.2, sha256: ' +
  `${'a'.repeat(64)} } }\n`;
const key =
  'ssh: { hostKey: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAID7NZafZXMzUsM52ZNlgMbR+9K21orbR7bTY1NH/o87u }';

type Edits = readonly (readonly [string, string])[];

/** A cluster of kubeadm. */
const installed = (...edits: Edits): string => changed(['network:\n', kubeadm], ...edits);

/** The same with an external load balancer that has these Services. */
const balanced = (services: string, ...edits: Edits): string => `${installed(...edits)}hosts:
  - { name: elb01, address: 198.51.100.11, ${key} }
externalLoadBalancer:
  hosts: [elb01]
  services: [${services}]
`;

/** With another range of node ports. */
const ranged = (range: string): readonly [string, string] => [
  'version: 1.37.2',
  `version: 1.37.2, extraArguments: { apiServer: { service-node-port-range: "${range}" } }`,
];

/** Without line and column, and without what is said of versions. */
const said = (text: string, files?: Files): string[] =>
  saidBesides(text, files).map((line) => line.replace(/^(warning )?\S+ /, '$1'));

describe('a port of the endpoint', () => {
  test('that Kubernetes may give to a Service is told', () => {
    expect(said(installed(['port: 8443', 'port: 30443']))).toEqual([
      'warning port 30443 of HAProxy is among those that Kubernetes may give to any Service (30000-32767), and kube-proxy would take its traffic first → a port outside of them, like 8443',
    ]);
    expect(said(installed(['  podSubnet', '  apiServerPort: 30500\n  podSubnet'])).join()).toContain(
      'port 30500 of the API server is among those',
    );
  });

  test.each(['nodePort: 30443', 'nodePort: 30080, externalTrafficPolicy: Local, healthCheckNodePort: 30443'])(
    'cannot be that of a Service: %s',
    (more) => {
      expect(
        said(balanced(`{ name: web, port: 80, ${more} }`, ['port: 8443', 'port: 30443'])),
      ).toContainEqual(
        expect.stringMatching(
          /^port 30443 is used by HAProxy and as `\w+` of the Service web: kube-proxy would take the traffic first → another port for HAProxy, outside of 30000-32767$/,
        ),
      );
    },
  );

  test('cannot be that of a Service of a manifest or of a CNF', () => {
    const service =
      'apiVersion: v1\nkind: Service\nmetadata: { name: web }\nspec: { type: NodePort, ports: [{ port: 80, nodePort: 30443 }] }\n';
    const files: Files = new Map([['web.yaml', ok(service)]]);
    const manifest = balanced('', ['port: 8443', 'port: 30443']).replace(
      'services: []',
      'manifests: [web.yaml]',
    );
    expect(said(manifest, files)[0]).toContain('port 30443 is used by HAProxy and as `nodePort`');
    const cnf = `${installed(['port: 8443', 'port: 30443'])}cnfs:\n  - { name: web, namespace: tenant-a, manifests: [web.yaml] }\n`;
    expect(said(cnf, files)[0]).toContain('port 30443 is used by HAProxy and as `nodePort`');
  });

  test('is free where load balancers are no nodes', () => {
    const text = `${installed(['port: 8443', 'port: 30443'], ['placement: stacked', 'placement: { hosts: [lb01] }'])}hosts:\n  - { name: lb01, address: 192.0.2.31, ${key} }\n`;
    expect(said(text).join()).not.toContain('30443');
  });
});

describe('node ports', () => {
  test('belong to one Service each', () => {
    const two = '{ name: web, port: 80, nodePort: 30080 }, { name: api, port: 81, nodePort: 30080 }';
    expect(said(balanced(two))).toEqual([
      'the nodePort 30080 is that of the Service web already → another port',
    ]);
    const twice = '{ name: web, port: 80, nodePort: 30080 }, { name: web, port: 81, nodePort: 30080 }';
    expect(said(balanced(twice))).toEqual([]);
  });

  test('are not those of health checks', () => {
    const service =
      '{ name: web, port: 80, nodePort: 30080, externalTrafficPolicy: Local, healthCheckNodePort: 30080 }';
    expect(said(balanced(service))).toEqual([
      'the healthCheckNodePort 30080 is the nodePort of the Service web already → another port',
    ]);
  });

  test('lie within the range of the API servers', () => {
    const service = '{ name: web, port: 80, nodePort: 8080 }';
    expect(said(balanced(service))).toEqual([
      'the API server takes no nodePort 8080 → one of 30000-32767, or `service-node-port-range` in `extraArguments.apiServer`',
    ]);
    expect(said(balanced(service, ranged('8000-8100')))).toEqual([]);
    expect(said(balanced(service, ranged('8000+100')))).toEqual([]);
  });

  test.each(['30000-', '32767-30000', '30000-70000', 'all', '1-2-3'])(
    'have no range that an API server does not read: %s',
    (range) => {
      expect(said(installed(ranged(range)))).toEqual([
        `${JSON.stringify(range)} is no range of ports, so no API server would start → 30000-32767`,
      ]);
    },
  );

  test('whose range holds ports of the nodes themselves are told', () => {
    expect(said(installed(ranged('10000-32767')))).toEqual([
      'warning Kubernetes may give ports of the nodes themselves to any Service: 10248, 10249, 10250, 10256, 10257, 10259 → a range without them, like 30000-32767',
    ]);
  });
});

describe('sshd', () => {
  const ssh = (port: number): readonly [string, string] => ['user: ubuntu', `user: ubuntu, port: ${port}`];

  test.each([
    [6443, 'placement: { hosts: [lb01] }', 'the API server'],
    [6443, 'placement: external', 'the API server'],
    [10250, 'placement: external', 'the kubelet'],
  ])('at %i with %s is told', (port, placement, what) => {
    const text = `${installed(ssh(port), ['placement: stacked', placement])}hosts:\n  - { name: lb01, address: 192.0.2.31, ${key} }\n`;
    expect(said(text)).toContainEqual(
      `port ${port} is used by both sshd and ${what} on the same machine → another port for sshd`,
    );
  });

  test('of a worker is told where the worker says it', () => {
    const text = installed(['AAAAIABZ', 'AAAAIABZ']).replace(
      /(worker01\n.*\n.*ssh: \{) /,
      '$1 port: 10250, ',
    );
    expect(saidBesides(text).join()).toMatch(/^33:\d+ port 10250 is used by both sshd and the kubelet/);
  });

  test('behind a port that somebody forwards is not known', () => {
    const text = installed().replace(/(worker01\n.*\n.*ssh: \{) /, '$1 host: 203.0.113.9, port: 10250, ');
    expect(said(text)).toEqual([]);
  });
});
