import { describe, expect, test } from 'vitest';
import type { Files } from '../../../../generators/definition/files.ts';
import { ok } from '../../../../generators/result.ts';
import { changed, loaded, saidBesides } from '../support.ts';

const key =
  'ssh: { hostKey: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAID7NZafZXMzUsM52ZNlgMbR+9K21orbR7bTY1NH/o87u }';
const installed = (more = '', version = '1.37.2'): string =>
  changed([
    'network:\n',
    `installer: { kubeadm: { version: ${version} } }\n${more}network:\n  plugin: { calico: { version: 3.32.2, sha256: ${'a'.repeat(64)} } }\n`,
  ]);
const kubespray = (keys: string): string =>
  changed(['network:\n', `installer: { kubespray: { path: /opt/kubespray, ${keys} } }\nnetwork:\n`]);
const said = (text: string, files?: Files): string[] =>
  saidBesides(text, files).map((line) => line.replace(/^(warning )?\S+ /, '$1'));

describe('no release has a number with a zero first', () => {
  test.each([
    ['Kubernetes', installed('', '1.37.02')],
    ['Kubernetes of kubespray', kubespray('version: v2.28.1, kubernetes: 1.32.08')],
    ['kubespray', kubespray('version: v2.028.1')],
    [
      'containerd',
      installed(
        `containerd: { archive: { version: 2.03.1, url: "https://a.b/c", sha256: ${'a'.repeat(64)} } }\n`,
      ),
    ],
  ])('of %s', (_, text) => {
    expect(said(text).join()).toMatch(/"v?[\d.]+" (?:is not|has no patch version)/);
  });
});

test.each(['Mon *-*-1..7 03:00:00', 'weekly'])('certificates are renewed %s', (calendar) => {
  expect(said(kubespray(`version: v2.28.1, renewal: { automatic: true, calendar: "${calendar}" }`))).toEqual(
    [],
  );
});

test.each(['Mon *-*-1..7 33:00:00', 'sometimes', 'Mo 03:00'])('nothing is renewed at %s', (calendar) => {
  expect(
    said(kubespray(`version: v2.28.1, renewal: { automatic: true, calendar: "${calendar}" }`)).join(),
  ).toContain('is no calendar event of systemd');
});

describe('no port is', () => {
  test.each(['0', '65536', '99999'])('%s', (port) => {
    expect(said(installed(`containerd: { registries: [{ host: "a.b:${port}" }] }\n`)).join()).toContain(
      'is not the host of a registry',
    );
    expect(said(installed(`containerd: { pauseImage: "a.b:${port}/pause:3.10" }\n`))).toHaveLength(1);
    expect(said(installed(`proxy: { http: "http://a.b:${port}" }\n`)).join()).toContain(
      'is not the URL of a proxy',
    );
    expect(
      said(
        installed(`containerd: { registries: [{ host: a.b, mirrors: ["https://c.d:${port}"] }] }\n`),
      ).join(),
    ).toContain('is not a URL');
  });

  test('but 65535 is one', () => {
    expect(said(installed('containerd: { registries: [{ host: "a.b:65535" }] }\n'))).toEqual([]);
  });
});

describe('storage', () => {
  const stored = (capacity: string, to = '192.0.2.0/24', options = 'rw'): string[] =>
    said(`${installed()}hosts:\n  - { name: nfs01, address: 192.0.2.31, ${key} }
storage:
  host: nfs01
  volumes: [{ serial: a, mountTo: /volume }]
  exports: [{ path: /volume/a, to: [${to}], options: [${options}] }]
  persistentVolumes: [{ name: pv1, export: /volume/a, capacity: ${capacity}, accessModes: [ReadWriteMany] }]\n`);

  test.each(['1.5Gi', '0.5Gi', '500m', '5Gi', '"1000"'])('may be %s', (capacity) => {
    expect(stored(capacity)).toEqual([]);
  });

  test.each(['0Gi', '0.0Gi', '5gi', 'Gi', '-1Gi'])('cannot be %s', (capacity) => {
    expect(stored(capacity).join()).toContain('is not an amount');
  });

  test.each([
    ['192.0.2.0/24, 192.0.2.0/24', '192.0.2.0/24'],
    ['192.0.2.0/24, "2001:db8::1", "2001:DB8:0::1"', '2001:DB8:0::1'],
    ['192.0.2.0/24, a.example.org, A.Example.org', 'A.Example.org'],
  ])('is exported to each client once: %s', (to, client) => {
    expect(stored('5Gi', to)).toContainEqual(`${client} is listed twice → each client once`);
  });

  test.each(['anonuid=4294967294', 'anongid=0'])('knows %s', (option) => {
    expect(stored('5Gi', '192.0.2.0/24', option)).toEqual([]);
  });

  test('knows no number of a user beyond', () => {
    expect(stored('5Gi', '192.0.2.0/24', 'anonuid=4294967295').join()).toContain('is not an option');
  });
});

describe('a CNF', () => {
  const files: Files = new Map([
    ['web.yaml', ok('apiVersion: v1\nkind: ConfigMap\nmetadata: { name: web }\n')],
  ]);
  const cnf = (keys: string): string =>
    `${installed()}cnfs:\n  - { name: web, namespace: tenant-a, manifests: [web.yaml], ${keys} }\n`;
  const policy = (port: string): string =>
    cnf(
      `networkPolicy: { deny: [ingress], allow: [{ direction: ingress, namespace: b, ports: ["${port}"] }] }`,
    );

  test.each(['80', '53/UDP', '8000-8080/TCP', 'http', 'a-1'])('lets a port in: %s', (port) => {
    expect(said(policy(port), files)).toEqual([]);
  });

  test.each(['65536', '0', '90-80', '80-', '80/udp', 'a--b', '-a', '8080-65536'])(
    'lets no port in: %s',
    (port) => {
      expect(said(policy(port), files)).toHaveLength(1);
    },
  );

  test('says a range as Kubernetes does', () => {
    expect(JSON.stringify(loaded(policy('8000-8080/UDP'), files).cluster.cnfs)).toContain(
      '{"protocol":"UDP","port":8000,"endPort":8080}',
    );
  });

  test.each([
    ['min: { cpu: "1" }, max: { cpu: 500m }', 'the max of cpu, 500m, is less than its min, 1'],
    [
      'default: { memory: 2Gi }, max: { memory: 1Gi }',
      'the max of memory, 1Gi, is less than its default, 2Gi',
    ],
    [
      'defaultRequest: { memory: 512Mi }, default: { memory: 256Mi }',
      'the default of memory, 256Mi, is less than its defaultRequest, 512Mi',
    ],
    ['min: { cpu: 100m }, defaultRequest: { cpu: 50m }', 'is less than its min, 100m'],
  ])('has limits in their order: %s', (limits, expected) => {
    expect(said(cnf(`limits: { ${limits} }`), files)).toEqual([expect.stringContaining(expected)]);
  });

  test('has limits that fit', () => {
    const limits =
      'min: { memory: 16Mi }, defaultRequest: { memory: 0.25Gi }, default: { memory: 256Mi }, max: { memory: 1Gi, cpu: "2" }';
    expect(said(cnf(`limits: { ${limits} }`), files)).toEqual([]);
  });
});
