import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { controlPlane } from '../../../../generators/phases/control-plane/control-plane.ts';
import { encryptionKey } from '../../../../generators/phases/control-plane/encryption-key.ts';
import { kubernetesSettings } from '../../../../generators/phases/control-plane/kubernetes-settings.ts';
import { workers } from '../../../../generators/phases/node/workers.ts';
import { cluster, kubeadmCluster } from '../../../support/definitions/clusters.ts';
import { breachesOf, textOf } from '../../../support/definitions/phase-files.ts';

const plain = kubeadmCluster();
const encrypted = kubeadmCluster({
  kubernetes: { ...plain.kubernetes, encryption: { provider: 'secretbox', keyVariable: 'vault_key' } },
});

test('it keeps the house rules, and is there only where Secrets are encrypted', () => {
  expect(breachesOf([encryptionKey, controlPlane, kubernetesSettings, workers], encrypted)).toEqual([]);
  expect([cluster(), plain, encrypted].map(encryptionKey.applies)).toEqual([false, false, true]);
});

test('every API server reads the key before the first one writes with it', () => {
  const playbook = textOf(encryptionKey, encrypted, 'encryption-key.yml');
  const plays = load(playbook) as readonly { readonly name: string; readonly serial?: number }[];
  expect(plays.filter(({ serial }) => serial === 1).map(({ name }) => name)).toEqual([
    'Let each API server read the new key, one after the other',
    'Let each API server write with the new key, one after the other',
  ]);
});

type Key = readonly [provider: string, name: string];

const secretOf = (name: string): string => `${name.at(-1)?.repeat(43) ?? ''}=`;

/** What Ansible fills `files/control-plane/encryption.yaml.j2` in to. */
const wanted = (name: string, provider = 'secretbox'): string =>
  textOf(controlPlane, encrypted, 'files/control-plane/encryption.yaml.j2')
    .replace('- secretbox:', `- ${provider}:`)
    .replace(/key-\{\{.*?\}\}/, name)
    .replace(/\{\{.*?\}\}/, secretOf(name));

/** A control plane in a folder: its configuration, and what its API server read when it started. */
function host(file: string, loaded = file, argument = 'encryption-provider-config') {
  const root = mkdtempSync(join(tmpdir(), 'playsmith-keys-'));
  const folders = ['etc/playsmith', 'etc/manifests', 'seen', 'bin'].map((name) => join(root, name));
  for (const folder of folders) mkdirSync(folder, { recursive: true });
  const path = join(root, 'etc/playsmith/encryption.yaml');
  const seen = join(root, 'seen/encryption.yaml');
  writeFileSync(path, file);
  writeFileSync(seen, loaded);
  writeFileSync(join(root, 'etc/manifests/kube-apiserver.yaml'), `    - --${argument}=${path}\n`);
  const script = textOf(encryptionKey, encrypted, 'files/encryption-key/keys.sh')
    .replaceAll('/etc/kubernetes', join(root, 'etc'))
    .replace('"/proc/$process/root$file"', seen)
    .replace('etcd_answers() (', 'etcd_answers() (\n  return 0')
    .replace('api_answers() {', 'api_answers() {\n  return 0')
    // What runs is what the kubelet starts again, with the file that is there then.
    .replace('running_of() {', 'running_of() {\n  echo api 1\n  return 0')
    .replace('restart_api_server() {', `restart_api_server() {\n  cp ${path} ${seen}\n  return 0`);
  return {
    run: (asked: string, configuration: string) => {
      const ran = spawnSync('bash', ['-c', script, 'keys.sh', asked], {
        input: configuration,
        encoding: 'utf8',
      });
      return { status: ran.status, lines: `${ran.stdout}${ran.stderr}`.split('\n').filter(Boolean) };
    },
    keys: (): readonly Key[] => keysOf(readFileSync(path, 'utf8')),
    leftovers: () => existsSync(`${path}.new`),
  };
}

interface Configuration {
  readonly resources: readonly {
    readonly providers: readonly Readonly<Record<string, Provider>>[];
  }[];
}
interface Provider {
  readonly keys?: readonly Named[];
}
interface Named {
  readonly name: string;
  readonly secret: string;
}

/** Every key in its order; a key that lost its secret, or a provider that is there twice, is an error. */
function keysOf(text: string): readonly Key[] {
  const providers =
    (load(text) as Configuration).resources[0]?.providers.flatMap((each) => Object.entries(each)) ?? [];
  expect(providers.map(([provider]) => provider)).toEqual([
    ...new Set(providers.map(([provider]) => provider)),
  ]);
  expect(providers.at(-1)).toEqual(['identity', {}]);
  return providers.flatMap(([provider, { keys = [] }]) =>
    keys.map(({ name, secret }): Key => {
      expect(secret).toBe(secretOf(name));
      return [provider, name];
    }),
  );
}

const [old, now, next] = ['key-0000000a', 'key-0000000b', 'key-0000000c'] as const;

describe('what an API server is given', () => {
  test('is the new key behind the old one, then before it', () => {
    const one = host(wanted(old));
    expect(one.run('state', wanted(now))).toEqual({ status: 0, lines: ['read', 'write'] });
    expect(one.run('read', wanted(now))).toEqual({ status: 0, lines: [] });
    expect(one.keys()).toEqual([
      ['secretbox', old],
      ['secretbox', now],
    ]);
    expect(one.run('state', wanted(now)).lines).toEqual(['write']);
    expect(one.run('write', wanted(now))).toEqual({ status: 0, lines: [] });
    expect(one.keys()).toEqual([
      ['secretbox', now],
      ['secretbox', old],
    ]);
    expect(one.run('state', wanted(now))).toEqual({ status: 0, lines: [] });
    expect(one.leftovers()).toBe(false);
  });

  test('keeps every key of a replacement that did not come to its end', () => {
    const one = host(wanted(old));
    one.run('read', wanted(now, 'aescbc'));
    one.run('write', wanted(now, 'aescbc'));
    one.run('read', wanted(next));
    expect(one.keys()).toEqual([
      ['aescbc', now],
      ['secretbox', old],
      ['secretbox', next],
    ]);
    one.run('write', wanted(next));
    expect(one.keys()).toEqual([
      ['secretbox', next],
      ['secretbox', old],
      ['aescbc', now],
    ]);
  });

  test('is what it runs with, whatever the file says that it has not read yet', () => {
    const one = host(wanted(now), wanted(old));
    expect(one.run('state', wanted(now)).lines).toEqual(['read', 'write']);
    one.run('read', wanted(now));
    expect(one.keys()).toEqual([
      ['secretbox', old],
      ['secretbox', now],
    ]);
  });

  test('asks for nothing more once the old key is forgotten, though the API server still has it', () => {
    const one = host(
      wanted(now),
      wanted(now).replace(
        '      - identity',
        `            - name: ${old}\n              secret: ${secretOf(old)}\n      - identity`,
      ),
    );
    expect(one.run('state', wanted(now))).toEqual({ status: 0, lines: [] });
  });
});

describe('an API server is refused', () => {
  test('that was made without encryption, with the reason', () => {
    const { status, lines } = host(wanted(old), wanted(old), 'event-ttl').run('state', wanted(now));
    expect(status).toBe(1);
    expect(lines).toEqual([expect.stringContaining('was made without encryption of Secrets')]);
  });

  test('whose configuration somebody else wrote, since a key of theirs could be lost', () => {
    const foreign = wanted(old).replace('- identity: {}', '- kms: { name: ours, endpoint: unix:///run/kms }');
    const { status, lines } = host(foreign).run('state', wanted(now));
    expect(status).toBe(1);
    expect(lines).toEqual([expect.stringContaining('is not as Playsmith writes it')]);
  });
});
