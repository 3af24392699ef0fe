import { describe, expect, test } from 'vitest';
import type { Files } from '../../../generators/definition/files.ts';
import { failed, ok } from '../../../generators/result.ts';
import { changed, loaded, said } from './support.ts';

const key =
  'ssh: { hostKey: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAID7NZafZXMzUsM52ZNlgMbR+9K21orbR7bTY1NH/o87u }';

/** The sound definition with two hosts outside the cluster, and what is written about the load balancer. */
const written = (keys: string, ...edits: readonly (readonly [string, string])[]): string =>
  `${changed(...edits)}hosts:
  - { name: elb01, address: 198.51.100.11, ${key} }
  - { name: elb02, address: 198.51.100.12, ${key} }
externalLoadBalancer:
${keys.replaceAll(/^/gm, '  ')}
`;

const sound =
  'hosts: [elb01, elb02]\naddress: 198.51.100.10/24\nservices: [{ name: web, port: 80, nodePort: 30080 }]';

const balancer = (text: string, files?: Files) => loaded(text, files).cluster.externalLoadBalancer;

describe('a definition', () => {
  test('without an external load balancer has one without machines', () => {
    expect(balancer(changed())).toMatchObject({ balancers: [], services: [], address: '' });
  });

  test('says who holds the address, what is balanced, and how nodes are watched', () => {
    expect(said(written(sound))).toEqual([]);
    expect(balancer(written(sound))).toMatchObject({
      balancers: [{ name: 'elb02' }, { name: 'elb01' }].toSorted((a, b) => (a.name < b.name ? -1 : 1)),
      address: '198.51.100.10',
      prefix: 24,
      apiPort: 0,
      services: [
        {
          namespace: 'default',
          name: 'web',
          port: 80,
          servicePort: 80,
          nodePort: 30080,
          backends: 'workers',
          lookUp: false,
        },
      ],
      check: { intervalMilliseconds: 1000, fall: 2, rise: 2 },
      healthPort: 10256,
      drainSeconds: 30,
    });
  });

  test('looks up what it does not say', () => {
    const { services } = balancer(written(sound.replace(', nodePort: 30080', '')));
    expect(services).toMatchObject([{ nodePort: 0, lookUp: true }]);
  });

  test('puts the names by which clients reach the API into its certificates', () => {
    const text = written(`${sound}\napi: { port: 6443 }`, [
      'network:',
      'installer: { kubeadm: { version: 1.37.2 } }\nnetwork:\n  plugin: static-routes',
    ]);
    expect(loaded(text).cluster.kubernetes.certificateSans).toEqual(
      expect.arrayContaining(['198.51.100.10', '198.51.100.11', '198.51.100.12']),
    );
  });
});

describe('hosts', () => {
  test.each([
    ['elb03', '31:11 there is no host elb03 → elb01'],
    [
      'worker01',
      '31:11 worker01 is a node, and an external load balancer stands outside the cluster → the name of a machine from `hosts`',
    ],
    ['elb02', '31:11 elb02 is listed twice → each host once'],
  ])('with %s are refused', (name, fault) => {
    expect(
      said(written(sound.replace('[elb01,', `[elb02, ${name},`).replace(', elb02]', ']')))
        .at(-1)
        ?.slice(6),
    ).toBe(fault.slice(6));
  });

  test('cannot balance the control plane as well', () => {
    const text = written(sound, ['placement: stacked', 'placement: { hosts: [elb01] }']);
    expect(said(text).join('\n')).toContain(
      'elb01 balances the control plane already, and a host has one HAProxy',
    );
  });

  test('that are several want an address, one with an address wants another host', () => {
    expect(said(written(sound.replace(/address.*\n/, '')))).toEqual([
      expect.stringContaining('no virtual address moves between these hosts'),
    ]);
    expect(said(written(sound.replace(', elb02', ''))).join()).toContain('one load balancer: if it fails');
  });
});

describe('the address', () => {
  test.each([
    ['198.51.100.11/24', '198.51.100.11 is the address of elb01'],
    ['192.0.2.80/24', "192.0.2.80 is the address of the control plane's endpoint"],
    ['198.51.100.0/24', '198.51.100.0 is the name of the network 198.51.100.0/24 itself'],
    ['203.0.113.10/24', '198.51.100.11 of elb01 is not in 203.0.113.0/24'],
  ])('cannot be %s', (address, fault) => {
    expect(said(written(sound.replace('198.51.100.10/24', address))).join('\n')).toContain(fault);
  });

  test('has a VRRP number that the endpoint does not have in the same network', () => {
    const inner = ['election: nopreempt', 'election: nopreempt, virtualRouterId: 7'] as const;
    const text = written(
      `${sound.replace('198.51.100.10/24', '192.0.2.90/16')}\nkeepalived: { virtualRouterId: 7 }`,
      inner,
      ['192.0.2.80/24', '192.0.2.80/16'],
    );
    expect(said(text).join('\n')).toContain('the endpoint of the control plane has the VRRP number 7');
  });

  test('obeys the rules of VRRP as the endpoint does', () => {
    const text = written(`${sound}\nkeepalived: { failover: fast, password: { env: X }, vrrpVersion: 2 }`);
    expect(said(text).join('\n')).toContain('version 2 cannot do `failover: fast`');
  });

  test('is what interface and keepalived are for', () => {
    const text = written(`${sound.replace(/address.*\n/, '').replace(', elb02', '')}\ninterface: eth1`);
    expect(said(text).join('\n')).toContain('`interface` has no effect without `address`');
  });
});

describe('services', () => {
  test.each([
    ['protocol: UDP', 'UDP of web cannot be balanced: HAProxy takes connections, and only those of TCP'],
    ['healthCheckNodePort: 31080', 'only a Service with `externalTrafficPolicy: Local` has such a port'],
    ['servicePort: 8080', 'this has no effect: nothing is looked up when `nodePort` is given'],
  ])('with %s are told what is wrong', (more, fault) => {
    expect(said(written(sound.replace('nodePort: 30080', `nodePort: 30080, ${more}`))).join('\n')).toContain(
      fault,
    );
  });

  test('each have a port of their own, which sshd and the API do not have', () => {
    const two = sound.replace(
      '[{ name',
      '[{ name: ssh, port: 22, nodePort: 30022 }, { name: api, port: 80 }, { name',
    );
    expect(said(written(`${two}\napi: { port: 6443 }`)).map((line) => line.replace(/^\S+ /, ''))).toEqual([
      'port 22 of the load balancer is used by both sshd and ssh → another port for ssh',
      'port 80 of the load balancer is used by both api and web → another port for web',
    ]);
  });

  test('are wanted', () => {
    expect(said(written('hosts: [elb01]')).join('\n')).toContain('there is nothing that it would balance');
  });
});

describe('manifests', () => {
  const text = written(sound.replace(/services.*/, 'manifests: [web.yaml]'));
  const service = (ports: string): string =>
    `kind: Service\nmetadata: { name: web }\nspec: { type: LoadBalancer, externalTrafficPolicy: Local, ports: [${ports}] }\n`;
  const having = (manifest: string): Files => new Map([['web.yaml', ok(manifest)]]);

  test('bring services, whose health check is looked up where the cluster gives it', () => {
    expect(balancer(text, having(service('{ port: 80, nodePort: 30080 }'))).services).toMatchObject([
      { name: 'web', port: 80, nodePort: 30080, externalTrafficPolicy: 'Local', lookUp: true },
    ]);
  });

  test('yield to what the definition says of a service', () => {
    const both = written(`${sound}\nmanifests: [web.yaml]`);
    expect(balancer(both, having(service('{ port: 81 }'))).services.map(({ port }) => port)).toEqual([80]);
  });

  test('are faulty at their own line and column', () => {
    expect(said(text, having(service('{ port: 80, protocol: UDP }'))).join()).toContain(
      'web.yaml:3:89: UDP of web',
    );
  });

  test('need a worker that answers, as services do, for they go nowhere else', () => {
    const alone = (keys: string): string => written(keys).replace(/ {2}- name: worker01\n.*\n.*\n/, '');
    const files = having(service('{ port: 80, nodePort: 30080 }'));
    const without = (keys: string): string => said(alone(keys), files).join('\n');
    expect(without(sound.replace(/services.*/, 'manifests: [web.yaml]'))).toContain(
      'no node is a worker, so nothing would answer at web of web.yaml → the Service in `externalLoadBalancer.services`, with `backends: control-planes`',
    );
    expect(without(sound)).toContain(
      'no node is a worker, so nothing would answer → backends: control-planes',
    );
    expect(
      without(sound.replace('nodePort: 30080', 'nodePort: 30080, backends: control-planes')),
    ).not.toContain('would answer');
  });

  test('that cannot be read, or hold nothing, are told', () => {
    expect(said(text, new Map([['web.yaml', failed('there is no file web.yaml')]])).join()).toContain(
      'there is no file web.yaml',
    );
    expect(said(text, having('kind: ConfigMap\n')).join()).toContain('holds no Service of type NodePort');
  });
});

describe('a script', () => {
  const text = written(
    'hosts: [elb01, elb02]\nscript: { path: own.sh, arguments: [-w, <workers>, "-m <x>"] }',
  );
  const having = (script: string): Files => new Map([['own.sh', ok(script)]]);

  test('is carried with the addresses that it asks for', () => {
    expect(said(text, having('#!/bin/sh\n'))).toEqual([]);
    expect(balancer(text, having('#!/bin/sh\n')).script).toEqual({
      text: '#!/bin/sh\n',
      arguments: ['-w', '192.0.2.21', '-m <x>'],
    });
  });

  test('says which program reads it, and stands alone', () => {
    expect(said(text, having('echo\n')).join()).toContain('no program is given that reads own.sh');
    expect(said(text, having('#!/bin/sh\r\necho\r\n')).join()).toContain(
      'the first line of own.sh ends with CR LF',
    );
    const both = written(`${sound}\nscript: { path: own.sh }`);
    expect(said(both, having('#!/bin/sh\n')).map((line) => /`(\w+)` has no effect/.exec(line)?.[1])).toEqual([
      'address',
      'services',
    ]);
  });
});
