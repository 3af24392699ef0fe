import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { controlPlane } from '../../../../generators/phases/control-plane/control-plane.ts';
import { encryptionKey, encryptionOff } from '../../../../generators/phases/control-plane/encryption-key.ts';
import { kubernetesSettings } from '../../../../generators/phases/control-plane/kubernetes-settings.ts';
import { workers } from '../../../../generators/phases/node/workers.ts';
import type { Phase } from '../../../../generators/phases/phase.ts';
import { cluster, kubeadmCluster } from '../../../support/definitions/clusters.ts';
import { breachesOf, textOf } from '../../../support/definitions/phase-files.ts';

const plain = kubeadmCluster();
const encrypted = kubeadmCluster({
  kubernetes: { ...plain.kubernetes, encryption: { provider: 'secretbox', keyVariable: 'vault_key' } },
});

test('they keep the house rules, and are there only where Secrets are encrypted', () => {
  const phases = [encryptionKey, encryptionOff, controlPlane, kubernetesSettings, workers];
  expect(breachesOf(phases, encrypted)).toEqual([]);
  for (const { applies } of [encryptionKey, encryptionOff])
    expect([cluster(), plain, encrypted].map(applies)).toEqual([false, false, true]);
});

interface KeyPlay {
  readonly name: string;
  readonly serial?: number;
  readonly tasks?: readonly { readonly 'playsmith.host.encryption_keys': KeyTask }[];
}
interface KeyTask {
  readonly state: string;
  readonly configuration?: string;
}

/** The states that a phase brings API servers to, with how many at a time. */
const statesOf = (phase: Phase): readonly string[] =>
  (load(textOf(phase, encrypted, `${phase.name}.yml`)) as readonly KeyPlay[]).flatMap(
    ({ serial = 0, tasks = [] }) =>
      tasks.map(({ 'playsmith.host.encryption_keys': { state } }) =>
        serial > 0 ? `${state} by ${serial}` : state,
      ),
  );

test('every API server reads the key before the first one writes with it, and forgets others once nothing is stored with them', () => {
  expect(statesOf(encryptionKey)).toEqual(['known', 'readable by 1', 'first by 1', 'stored', 'alone']);
});

test('no API server writes with a key before what is stored is stored readable, and no key is asked for', () => {
  expect(statesOf(encryptionOff)).toEqual(['known', 'first by 1', 'stored', 'alone']);
  expect(textOf(encryptionOff, encrypted, 'encryption-off.yml')).not.toMatch(/vault_key|encryption\.yaml/);
});

interface Configuration {
  readonly resources: readonly { readonly providers: readonly object[] }[];
}

test('an API server that learns of encryption reads with the key, and writes without it until all of them can', () => {
  const orderOf = (name: string): readonly string[] =>
    (
      load(textOf(controlPlane, encrypted, `files/control-plane/${name}.yaml.j2`)) as Configuration
    ).resources.flatMap(({ providers }) => providers.flatMap((each) => Object.keys(each)));
  expect(orderOf('encryption')).toEqual(['secretbox', 'identity']);
  expect(orderOf('reading')).toEqual(['identity', 'secretbox']);
  expect(textOf(kubernetesSettings, encrypted, 'kubernetes-settings.yml')).toContain(
    'files/control-plane/reading.yaml.j2',
  );
});
