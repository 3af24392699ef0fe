import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import type {
  BalancedService,
  Cluster,
  ExternalLoadBalancer,
} from '../../../../generators/cluster/cluster.ts';
import { drainBackends } from '../../../../generators/phases/load-balancer/drain-backends.ts';
import { externalKeepalived } from '../../../../generators/phases/load-balancer/external-keepalived.ts';
import { externalLoadBalancer as phase } from '../../../../generators/phases/load-balancer/external-load-balancer.ts';
import { externalLoadBalancer, kubeadmCluster, machine } from '../../../support/definitions/clusters.ts';
import { breachesOf, filesOf, textOf } from '../../../support/definitions/phase-files.ts';

const web: BalancedService = {
  namespace: 'default',
  name: 'web',
  servicePort: 80,
  port: 80,
  nodePort: 30080,
  backends: 'workers',
  externalTrafficPolicy: 'Cluster',
  healthCheckNodePort: 0,
  lookUp: false,
};

const hosts = [1, 2].map((number) =>
  machine(`elb0${number}`, `10.0.1.1${number}`, { roles: ['external-load-balancer'] }),
);

const balanced = (overrides: Partial<ExternalLoadBalancer> = {}): Cluster => {
  const plain = kubeadmCluster();
  return kubeadmCluster({
    machines: [...plain.machines, ...hosts],
    externalLoadBalancer: externalLoadBalancer({
      balancers: hosts.map(({ name, address }, index) => ({ name, address, priority: 100 - index })),
      address: '10.0.1.10',
      prefix: 24,
      services: [web],
      ...overrides,
    }),
  });
};

const cfg = 'files/external-load-balancer/haproxy.cfg';
const backend = (text: string, name: string): string => text.split(`backend ${name}\n`)[2] ?? '';
const described = (cluster: Cluster): string =>
  /description (\S+)/.exec(textOf(phase, cluster, cfg))?.[1] ?? '';

const script = { text: '#!/bin/sh\n{{ x }}\n', arguments: ['-w', 'two words'] };
const lookedUp = balanced({ services: [{ ...web, nodePort: 0, lookUp: true }], apiPort: 6443 });

test.each([
  ['fixed ports', balanced()],
  ['ports that are looked up', lookedUp],
  ['no address', balanced({ address: '', prefix: 0 })],
  ['IPv6', balanced({ family: 6, address: '2001:db8::10', prefix: 64 })],
])('the playbooks with %s keep the house rules', (_what, cluster) => {
  expect(breachesOf([phase, externalKeepalived, drainBackends], cluster)).toEqual([]);
});

test.each([
  ['HAProxy', {}],
  ['a script', { script }],
])('with %s, Keepalived gives up an address that is gone, and nobody else’s is touched', (_what, by) => {
  const playbook = (address: string): string =>
    textOf(phase, balanced({ ...by, address }), 'external-load-balancer.yml');
  expect(playbook('10.0.1.10')).not.toContain('keepalived');
  const text = playbook('');
  const [, left = ''] = /--no-messages, "(.*?)"/.exec(text) ?? [];
  const configurations = filesOf(externalKeepalived, balanced(by)).filter(({ path }) =>
    path.includes('/keepalived.conf'),
  );
  expect(configurations).toHaveLength(2);
  for (const configuration of configurations) expect(configuration.text).toMatch(new RegExp(left));
  expect(text).toMatch(/name: keepalived\n +state: stopped\n +enabled: false\n +when: .*rc == 0\n/);
  expect(text).toMatch(/path: \/etc\/keepalived\/keepalived\.conf\n +state: absent\n +when: .*rc == 0\n/);
});

test('nothing of it is rendered for a cluster without one', () => {
  for (const each of [phase, externalKeepalived, drainBackends])
    expect(each.applies(kubeadmCluster())).toBe(false);
  expect(externalKeepalived.applies(balanced({ address: '' }))).toBe(false);
});

describe('HAProxy', () => {
  test('sends a service to the node port of every worker that kube-proxy calls well', () => {
    const text = textOf(phase, balanced(), cfg);
    expect(text).toContain('bind 0.0.0.0:80\n');
    expect(backend(text, 'default_web_80')).toContain('http-check send meth GET uri /healthz');
    expect(backend(text, 'default_web_80')).toContain('default-server check port 10256 inter 1000ms');
    expect(text.match(/server w\d .*/g)).toEqual(['server w1 10.0.0.21:30080', 'server w2 10.0.0.22:30080']);
  });

  test('asks with the policy Local at the port of the service, or tries the node port itself', () => {
    const local = { ...web, externalTrafficPolicy: 'Local' as const };
    const own = backend(
      textOf(phase, balanced({ services: [{ ...local, healthCheckNodePort: 31080 }] }), cfg),
      'default_web_80',
    );
    expect(own).toContain('uri /healthz');
    expect(own).toContain('check port 31080 ');
    const tried = backend(textOf(phase, balanced({ services: [local] }), cfg), 'default_web_80');
    expect(tried).not.toContain('httpchk');
    expect(tried).toContain('default-server check inter');
  });

  test('sends the API, and services that want it, to the control planes', () => {
    const text = textOf(
      phase,
      balanced({ apiPort: 6443, services: [{ ...web, backends: 'control-planes' }] }),
      cfg,
    );
    expect(backend(text, 'kubernetes_api')).toContain('uri /readyz');
    expect(backend(text, 'kubernetes_api')).toContain('check check-ssl verify none inter');
    expect(text).toContain('server cp3 10.0.0.13:6443\n');
    expect(text).toContain('server cp3 10.0.0.13:30080\n');
  });

  test('lets only root change it while it runs, and keeps its sockets over a reload', () => {
    expect(textOf(phase, balanced(), cfg)).toContain(
      'stats socket /run/haproxy/admin.sock mode 600 level admin expose-fd listeners',
    );
  });

  test('says what all but its servers is, so that a node may come or go without a reload', () => {
    const more = balanced();
    const fewer = { ...more, machines: more.machines.filter(({ name }) => name !== 'w2') };
    expect(textOf(phase, fewer, cfg)).not.toBe(textOf(phase, more, cfg));
    expect(described(fewer)).toBe(described(more));
    expect(described(balanced({ healthPort: 10_257 }))).not.toBe(described(more));
  });

  test('listens somewhere even where every port is still looked up', () => {
    const text = textOf(phase, balanced({ services: [{ ...web, lookUp: true }] }), `${cfg}.j2`);
    expect(text).toContain('bind /run/haproxy/idle.sock mode 600');
  });
});

describe('a port that only the cluster knows', () => {
  test('is filled in by Ansible, and its service left out while it is not there', () => {
    const text = textOf(phase, lookedUp, `${cfg}.j2`);
    expect(text).toContain('{% if service.nodePort > 0 %}\nfrontend default_web_80');
    expect(text).toContain('server w1 10.0.0.21:{{ service.nodePort }}');
  });

  test('is asked for by namespace, name and port, and kept on the Ansible server', () => {
    const program = textOf(phase, lookedUp, 'files/external-load-balancer/services.py');
    const [, wanted = ''] = /^WANTED = (.*)$/m.exec(program) ?? [];
    expect(JSON.parse(wanted)).toEqual([
      {
        namespace: 'default',
        name: 'web',
        port: 80,
        nodePort: 0,
        policy: 'Cluster',
        checkNodePort: 0,
        healthPort: 10256,
      },
    ]);
    expect(textOf(phase, lookedUp, 'external-load-balancer.yml')).toContain(
      `kept_folder ~ '/external-load-balancer.json'`,
    );
  });

  test('is nobody asked for when all are known', () => {
    expect(filesOf(phase, balanced()).map(({ path }) => path)).not.toContain(
      'files/external-load-balancer/services.py',
    );
  });
});

describe('a script of the user', () => {
  const cluster = balanced({ script, address: '', services: [] });

  test('is carried as it is, and told what it is told word by word', () => {
    expect(textOf(phase, cluster, 'files/external-load-balancer/given/script')).toBe(script.text);
    const plays = load(textOf(phase, cluster, 'external-load-balancer.yml')) as readonly {
      readonly tasks: readonly {
        readonly name: string;
        readonly 'ansible.builtin.command'?: { readonly argv: readonly string[] };
      }[];
    }[];
    const run = plays[1]?.tasks.find(({ name }) => name === 'Run the script');
    expect(run?.['ansible.builtin.command']?.argv.slice(1)).toEqual(script.arguments);
    expect(breachesOf([phase], cluster)).toEqual([]);
  });

  test('has a stamp that differs when the script or a word does', () => {
    const stamp = (changed: typeof script): string =>
      /stamp: "(\w{64})"/.exec(
        textOf(phase, balanced({ script: changed }), 'external-load-balancer.yml'),
      )?.[1] ?? '';
    const stamps = [
      script,
      { ...script, text: '#!/bin/sh\n' },
      { ...script, arguments: ['-w two words'] },
    ].map(stamp);
    expect(new Set(stamps).size).toBe(3);
  });

  test('stands for everything: nothing is drained', () => {
    expect(drainBackends.applies(cluster)).toBe(false);
  });
});
