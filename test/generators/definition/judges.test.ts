import { describe, expect, test } from 'vitest';
import * as openStackAnsible from '../../../generators/definition/openstack-ansible/judges.ts';
import * as judges from '../../../generators/definition/schema/judges.ts';
import {
  publicKey,
  publicKeyOrFingerprint,
} from '../../../generators/definition/schema/machines/host-key.ts';
import type { ValueJudge } from '../../../generators/definition/schema/key.ts';
import * as kubernetes from '../../../generators/definition/schema/kubernetes/kubernetes-judges.ts';
import { noProxyEntry, proxyUrl } from '../../../generators/definition/schema/machines/proxy-judges.ts';

const ed25519 = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMWF5R/rGki6T+Vb4BMpf3PZzZ3P+ldk4MJKR8K07W36';

/** Nothing in this list may reach a file that a program reads. */
const hostile = [
  '',
  ' ',
  'a b',
  ' a',
  'a ',
  'a\tb',
  '"a"',
  "a'b",
  'a;b',
  'a&b',
  'a|b',
  'a`b`',
  '$(a)',
  '${a}',
  'a\\b',
  '-a',
  '#a',
  '!a',
  '%h',
  'a*',
  'a?',
  '<a',
  'a>b',
  '(a)',
  '{a}',
  '[a]',
];

interface Row {
  readonly good: readonly string[];
  readonly bad: readonly string[];
}

const cases: Readonly<Record<string, readonly [ValueJudge<string>, Row]>> = {
  name: [
    judges.name,
    {
      good: ['a', 'worker-01', 'a'.repeat(63)],
      bad: ['A', '1a', 'a_b', 'a-', 'all', 'localhost', 'kubectl_host'],
    },
  ],
  machineName: [
    judges.machineName,
    {
      good: ['a', 'worker-01', 'worker-01.example.org', 'a.1b', `a.${'b'.repeat(61)}`],
      bad: ['1a.b', 'A.b', 'a..b', 'a.', '.a', 'a.-b', 'a-.b', 'a_b.c', 'a.1', 'all', `a.${'b'.repeat(62)}`],
    },
  ],
  host: [
    judges.host,
    {
      good: ['node1', 'Node_1.example.org', '192.0.2.1', '2001:db8::1'],
      bad: ['192.0.2.256', '192.0.2', '1234', 'a:b', ':', 'fe80::1%eth0', 'a.', 'user@host', '.a'],
    },
  ],
  user: [
    judges.user,
    { good: ['root', '_apt', 'first.last', 'A-1'], bad: ['1a', 'a@b', 'a'.repeat(33), 'a:b', 'ä'] },
  ],
  absolutePath: [
    judges.absolutePath,
    {
      good: ['/a', '~/.ssh/id_ed25519', '/home/jürgen/my keys/id', '/a@b+c=d:e,f'],
      bad: ['a', './a', '~a/b', '~', '/a\nb', '/a%h', '/a"b', '/a$b'],
    },
  ],
  directory: [
    judges.directory,
    {
      good: ['/opt/playsmith', '~/playsmith', '/srv/jürgen/a.b_c-d'],
      bad: ['/', '~/', '~', '/a/', '/a/../b', '/..', '/a/.', '/a//b', '/a b', 'a', '~a/b', '/a:b'],
    },
  ],
  interfaceName: [
    judges.interfaceName,
    {
      good: ['eth0', 'enp0s3', 'bond0.100', 'a'.repeat(15)],
      bad: ['a'.repeat(16), '.', '..', 'eth0:1', 'a/b'],
    },
  ],
  jumpHost: [
    judges.jumpHost,
    {
      good: ['bastion', 'ubuntu@203.0.113.4', 'a@b.c:2222', '[2001:db8::1]:22', 'u@[2001:db8::1]', 'none'],
      bad: [
        '2001:db8::1',
        'a@',
        '@a',
        'a:0',
        'a:65536',
        'a:b',
        'a@b@c',
        '[192.0.2.1]',
        '[a]',
        'a,b',
        'ssh://a',
      ],
    },
  ],
  duration: [
    judges.duration,
    {
      good: ['1s', '200ms', '3600s'],
      bad: ['1', '0s', '1m', '1.5s', '-1s', '3601s', '1S', '99999999s', '1 s'],
    },
  ],
  kubernetesVersion: [
    kubernetes.kubernetesVersion,
    { good: ['1.37.2', '1.20.2'], bad: ['1.34', 'v1.37.2', '2.0.0', '1.37.2-rc.0', 'latest', '1.19.16'] },
  ],
  'httpUrl of OpenStack-Ansible': [
    openStackAnsible.httpUrl,
    {
      good: [
        'https://github.com/vexxhost/magnum-cluster-api',
        'http://[2001:db8::1]:8080/a',
        'http://mirror:8080',
      ],
      bad: ['http://mirror:0/a', 'http://mirror:99999', 'http://[2001:db8::1', 'http://:80/'],
    },
  ],
  gitPlace: [
    openStackAnsible.gitPlace,
    {
      good: [
        '/srv/mirror/git',
        'ssh://git@git.example.org:2222/mirror',
        'file:///srv/git',
        'https://git.example.org/a',
      ],
      bad: ['ssh://git@git.example.org:0/mirror', 'https://git.example.org:65536/a', 'https:///a', 'ssh://a'],
    },
  ],
  registryPrefix: [
    openStackAnsible.registryPrefix,
    {
      good: ['registry.example.org/osa', 'registry.example.org:5000', 'registry:5000/a/b'],
      bad: ['registry.example.org:0/osa', 'registry.example.org:99999', 'https://a'],
    },
  ],
  kubeadmVersion: [kubernetes.kubeadmVersion, { good: ['1.31.0', '1.37.2'], bad: ['1.30.14', '1.37'] }],
  httpUrl: [
    kubernetes.httpUrl,
    {
      good: [
        'https://pkgs.k8s.io/core:/stable:',
        'http://192.0.2.1:8080/a/b.tar.gz',
        'https://[2001:db8::1]/a',
      ],
      bad: [
        'ftp://a',
        'http://me:pw@a/',
        'http://a?b',
        'https://',
        'https://a/b#c',
        'a/b',
        'https://a:99999',
      ],
    },
  ],
  sha256: [
    kubernetes.sha256,
    { good: ['0123456789abcdef'.repeat(4)], bad: ['0123456789ABCDEF'.repeat(4), 'ab', 'a'.repeat(65)] },
  ],
  registryHost: [
    kubernetes.registryHost,
    {
      good: ['docker.io', 'registry.example.org:5000', '192.0.2.1:5000'],
      bad: ['a/b', 'https://a', 'A.b', 'a.', 'a:b'],
    },
  ],
  imageRepository: [
    kubernetes.imageRepository,
    {
      good: ['registry.k8s.io', 'a.example.org:5000/k8s/x-y'],
      bad: ['a/', 'https://a', 'a//b', 'a/B', 'a/b:1'],
    },
  ],
  imageReference: [
    kubernetes.imageReference,
    {
      good: ['registry.k8s.io/pause:3.10.1', `a/b@sha256:${'0'.repeat(64)}`, 'lab/echo:1'],
      bad: ['pause:3.2', 'a/b:', 'a/b@sha256:0', 'a/b:1:2'],
    },
  ],
  certificateName: [
    kubernetes.certificateName,
    {
      good: ['api.example.org', '*.example.org', '192.0.2.80', '2001:db8::80', 'localhost'],
      bad: ['A.example.org', 'a_b', '192.0.2.256', '*', 'a..b', '-a.b'],
    },
  ],
  certificates: [
    kubernetes.certificates,
    {
      good: ['-----BEGIN CERTIFICATE-----\nMIIB\nQQ==\n-----END CERTIFICATE-----\n'],
      bad: [
        'MIIB',
        '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----',
        '-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----',
        '-----BEGIN CERTIFICATE-----\nMI"IB\n-----END CERTIFICATE-----',
      ],
    },
  ],
  labelKey: [
    kubernetes.labelKey,
    {
      good: ['disk', 'example.org/disk', 'CIS-node', 'a_b.c'],
      bad: ['a/b/c', '/a', 'a/', 'A.b/c', 'a'.repeat(64), '.a'],
    },
  ],
  proxyUrl: [
    proxyUrl,
    {
      good: [
        'http://proxy:3128',
        'https://proxy.example.org',
        'http://[2001:db8::1]:3128/',
        'http://192.0.2.1:8080',
      ],
      bad: [
        'proxy:3128',
        'ftp://a',
        'http://me:pw@a',
        'http://me@a',
        'http://a/b',
        'http://a?b',
        'http://a:99999',
        'http://',
      ],
    },
  ],
  noProxyEntry: [
    noProxyEntry,
    {
      good: ['localhost', '.example.org', 'a.b', '10.0.0.0/8', '192.0.2.1', '2001:db8::/32', '::1'],
      bad: ['*.example.org', 'a,b', 'http://a', '10.0.0.0/33', 'a..b', 'a/b'],
    },
  ],
  environmentName: [judges.environmentName, { good: ['A', '_a1'], bad: ['1A', 'A-B', 'A=B', 'ä'] }],
  publicKey: [
    publicKey,
    {
      good: [
        ed25519,
        `${ed25519} root@node`,
        'ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBKM/Rwymw7sWzQSZkNHuGQ/OufSL5uLmkD9wH9TH5EMRaQGQMd1+YwoBc0fF5GgDHpVI6OVtVHLa1+2JR/EgYLY=',
      ],
      bad: [
        ed25519.slice(0, -4),
        ed25519.replace('ssh-ed25519', 'ssh-rsa'),
        `192.0.2.1 ${ed25519}`,
        `${ed25519}AAAA`,
        'ssh-ed25519',
        'ssh-dss AAAA',
        'SHA256:XScFhfY9QZFlzIYUGXemnXdzPLTJ+EtTyXXdpzRx6x0',
        'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAAA==',
      ],
    },
  ],
  publicKeyOrFingerprint: [
    publicKeyOrFingerprint,
    {
      good: [ed25519, 'SHA256:XScFhfY9QZFlzIYUGXemnXdzPLTJ+EtTyXXdpzRx6x0'],
      bad: ['SHA256:abc', 'MD5:00:11', 'XScFhfY9QZFlzIYUGXemnXdzPLTJ+EtTyXXdpzRx6x0'],
    },
  ],
};

describe.each(Object.entries(cases))('%s', (_name, [judge, { good, bad }]) => {
  test.each(good)('takes %j', (value) => {
    expect(judge(value)).toBeUndefined();
  });

  test.each([...bad, ...hostile])('refuses %j and says what would be right', (value) => {
    expect(judge(value)?.wrong).not.toBe('');
    expect(judge(value)?.right).toMatch(/\S/);
  });
});
