import { describe, expect, test } from 'vitest';
import { engine } from '../../../../generators/engine.ts';
import { controlPlane } from '../../../../generators/phases/control-plane/control-plane.ts';
import type { Cluster } from '../../../../generators/cluster/cluster.ts';
import { cluster, kubeadm, kubernetes, machine } from '../../../support/definitions/clusters.ts';
import { templates } from '../../../support/definitions/templates.ts';

const machines = ['cp1', 'cp2'].map((name, index) =>
  machine(name, `10.0.0.1${index}`, { roles: ['control-plane', 'etcd'] }),
);
const plain = cluster({ machines, ...kubeadm(machines) });

const guarded: Cluster = {
  ...plain,
  kubernetes: {
    ...plain.kubernetes,
    audit: { rules: [{ level: 'Metadata' }], keepDays: 1, keepFiles: 2, megabytes: 3 },
    encryption: { provider: 'aescbc', keyVariable: 'vault_key' },
  },
};

const rendered = (given: Cluster): ReadonlyMap<string, string> =>
  new Map(controlPlane.render(given, engine(templates, given.name)).map(({ path, text }) => [path, text]));

describe('the phase control-plane', () => {
  test('is there for kubeadm alone', () => {
    expect(controlPlane.applies(plain)).toBe(true);
    expect(controlPlane.applies(cluster({ kubernetes: kubernetes() }))).toBe(false);
  });

  test('joins a running cluster one at a time, where an unreachable host ends the roll, and a new one all at once', () => {
    const playbook = rendered(plain).get('control-plane.yml') ?? '';
    const joining = playbook.match(/^- name: Join the other .*(?:\n .*|\n)*?(?= {2}vars)/gm);
    expect(joining?.map((play) => /serial: 1\n {2}any_errors_fatal: false/.test(play))).toEqual([
      false,
      true,
    ]);
    expect(joining?.[0]).toContain('any_errors_fatal: true');
    // There each waits until etcd of the one before is up.
    const waits = playbook.split(/^- name: /m).map((play) => play.includes('    control_plane_before: '));
    expect(waits.filter(Boolean)).toHaveLength(1);
    expect(playbook).not.toMatch(/serial: 1\n {2}any_errors_fatal: true/);
  });

  test('writes neither audit policy nor keys where none are asked for', () => {
    const files = [...rendered(plain).keys()];
    expect(files.filter((path) => /audit|encryption/.test(path))).toEqual([]);
    expect(rendered(plain).get('control-plane.yml')).not.toContain('encryption.yaml');
  });

  test('names the key by what it is, so that etcd tells what was written with it', () => {
    const file = rendered(guarded).get('files/control-plane/encryption.yaml.j2') ?? '';
    expect(file).toContain(`name: "key-{{ (vault_key | hash('sha256'))[:8] }}"`);
    expect(file).toContain('- aescbc:');
  });

  test('asks for the key before anything is done', () => {
    expect(rendered(guarded).get('control-plane.yml')).toContain('- vault_key is defined');
  });

  test('refuses a cluster with another key, and names what replaces it', () => {
    expect(rendered(guarded).get('control-plane.yml')).toContain('npx task run encryption-key sees to it');
    expect(rendered(plain).get('control-plane.yml')).toContain('and the definition no longer says so');
  });

  test('says nothing secret anywhere but in what Ansible fills in', () => {
    const said = [...rendered(guarded)].filter(
      ([path, text]) => text.includes('vault_') && !path.endsWith('.j2'),
    );
    expect(said.map(([path]) => path)).toEqual(['control-plane.yml']);
  });
});
