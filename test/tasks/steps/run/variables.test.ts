import { describe, expect, test } from 'vitest';
import type { Parameter } from '../../../../generators/phases/phase.ts';
import type { Result } from '../../../../generators/result.ts';
import type { Failure } from '../../../../tasks/runtime/failures.ts';
import { settle, type RunVariables } from '../../../../tasks/steps/run/variables.ts';

const snapshot: Parameter = {
  variable: 'etcd_restore_snapshot',
  what: 'which snapshot',
  required: true,
  pattern: 'latest|\\d{8}T\\d{6}Z',
  example: 'latest',
};
const confirmation: Parameter = {
  variable: 'etcd_restore_confirm',
  what: 'the name of the cluster, since everything after the snapshot is lost',
  required: true,
  pattern: '[a-z0-9-]+',
  example: 'edge-a',
};
const days: Parameter = {
  variable: 'certificates_days',
  what: 'renew what ends sooner',
  required: false,
  pattern: '.*',
  example: '30',
};

interface Typed {
  readonly parameters?: readonly Parameter[];
  readonly given: readonly string[];
  readonly answer?: string;
  readonly confirm?: string;
  readonly targets?: readonly string[];
}

const settled = ({
  parameters = [snapshot],
  given,
  answer,
  confirm,
  targets = [],
}: Typed): Promise<Result<RunVariables, Failure>> =>
  settle(
    { cluster: 'edge-a', playbook: 'etcd-restore', parameters, given, confirm, targets },
    { ask: () => Promise.resolve(answer) },
  );

const messageOf = async (typed: Typed): Promise<string> => {
  const result = await settled(typed);
  if (result.ok) throw new Error(`taken: ${JSON.stringify(result.value)}`);
  expect(result.failure.kind).toBe('usage');
  return result.failure.message;
};

describe('variables of a run', () => {
  test('that the playbook declares are taken, up to the first equals sign', async () => {
    expect(await settled({ given: ['etcd_restore_snapshot=20261120T174500Z'] })).toEqual({
      ok: true,
      value: { etcd_restore_snapshot: '20261120T174500Z' },
    });
    expect(await settled({ parameters: [days], given: ['certificates_days=a=b'] })).toMatchObject({
      value: { certificates_days: 'a=b' },
    });
  });

  test('that nobody declares are refused with those that are known', async () => {
    expect(await messageOf({ given: ['ansible_user=root'] })).toBe(
      '--set ansible_user: etcd-restore has no such variable; it has etcd_restore_snapshot',
    );
    expect(await messageOf({ parameters: [], given: ['x=1'] })).toBe(
      '--set x: etcd-restore takes no variables',
    );
  });

  test('are refused all at once: no value, twice, not matching as a whole', async () => {
    const said = await messageOf({
      parameters: [snapshot, days],
      given: ['certificates_days', 'etcd_restore_snapshot=latest', 'etcd_restore_snapshot=later-or-latest'],
    });
    expect(said.split('\n')).toEqual([
      '--set certificates_days: it is variable=value that is wanted',
      '--set etcd_restore_snapshot: "later-or-latest" is no value of it (which snapshot), like latest',
      '--set etcd_restore_snapshot is given twice',
    ]);
  });

  test.each(['{{ lookup("pipe", "id") }}', '{% raw %}', '{# no #}', 'a\nb', 'a\u001b[2J'])(
    'that Ansible would evaluate or a terminal obey are refused whatever the pattern says: %j',
    async (value) => {
      expect(await messageOf({ parameters: [days], given: [`certificates_days=${value}`] })).toContain(
        'is no value of it',
      );
    },
  );

  test('that are required and missing are named with the way to give them', async () => {
    expect(await messageOf({ given: [] })).toBe(
      'etcd-restore needs etcd_restore_snapshot (which snapshot): --set etcd_restore_snapshot=latest',
    );
  });
});

describe('a confirmation', () => {
  const parameters = [confirmation];

  test('is the name of the cluster, given or typed', async () => {
    const value = { etcd_restore_confirm: 'edge-a' };
    expect(await settled({ parameters, given: ['etcd_restore_confirm=edge-a'] })).toEqual({
      ok: true,
      value,
    });
    expect(await settled({ parameters, given: [], answer: ' edge-a ' })).toEqual({ ok: true, value });
  });

  test('that names another cluster stops the run', async () => {
    expect(await messageOf({ parameters, given: ['etcd_restore_confirm=edge-b'] })).toContain(
      'the cluster is edge-a, not "edge-b"',
    );
    expect(await messageOf({ parameters, given: [], answer: 'yes' })).toContain('nothing was run');
  });

  test('cannot be left out where nobody can be asked', async () => {
    expect(await messageOf({ parameters, given: [] })).toContain(
      '(the name of the cluster, since everything after the snapshot is lost): --confirm <name of the cluster>',
    );
  });

  test('--confirm stands for whatever the playbook calls its confirmation, and for nothing where there is none', async () => {
    const parameters = [confirmation];
    expect(await settled({ parameters, given: [], confirm: 'edge-a' })).toEqual({
      ok: true,
      value: { etcd_restore_confirm: 'edge-a' },
    });
    expect(await settled({ parameters: [days], given: [], confirm: 'edge-a' })).toEqual({
      ok: true,
      value: {},
    });
  });

  test('what is about targets is confirmed by their names, not by that of the cluster', async () => {
    const about = { parameters: [confirmation], given: [], targets: ['worker10'] };
    expect(await settled({ ...about, confirm: 'worker10' })).toMatchObject({ ok: true });
    expect(await messageOf({ ...about, confirm: 'edge-a' })).toBe(
      'etcd-restore is about worker10, not "edge-a"; nothing was run',
    );
    expect(await messageOf(about)).toContain('is about worker10 and needs the names once more: --confirm');
  });
});
