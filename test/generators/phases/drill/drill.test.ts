import { describe, expect, test } from 'vitest';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drillControlPlane } from '../../../../generators/phases/drill/drill-control-plane.ts';
import { drillVip } from '../../../../generators/phases/drill/drill-vip.ts';
import { drillWorker } from '../../../../generators/phases/drill/drill-worker.ts';
import { parametersOf } from '../../../../generators/playbooks.ts';
import { cluster, drills, kubeadmCluster, machine, single } from '../../../support/definitions/clusters.ts';
import { breachesOf, textOf } from '../../../support/definitions/phase-files.ts';
import { runModule, type ModuleResult } from '../../../support/module.ts';

const given = kubeadmCluster({
  drills,
  machines: [
    ...[1, 2, 3].map((n) => machine(`cp${n}`, `10.0.0.1${n}`, { roles: ['control-plane', 'etcd'] })),
    ...[1, 2].map((n) => machine(`worker${n}`, `10.0.0.2${n}`, { roles: ['worker'] })),
  ],
});

describe('a drill', () => {
  test.each([drillVip, drillControlPlane, drillWorker])('$name keeps the house rules', (phase) => {
    expect(phase.applies(given)).toBe(true);
    expect(breachesOf([phase], given)).toEqual([]);
  });

  test('is there only where the definition asks for drills, and the cluster survives it', () => {
    const all = [drillVip, drillControlPlane, drillWorker];
    const unasked = kubeadmCluster({ machines: given.machines });
    expect(all.map(({ applies }) => applies(unasked))).toEqual([false, false, false]);
    expect(all.map(({ applies }) => applies({ ...cluster(), drills }))).toEqual([false, false, false]);
    expect(all.map(({ applies }) => applies({ ...single(), drills }))).toEqual([false, false, false]);
    const two = given.machines.filter(({ name }) => name !== 'cp3' && name !== 'worker2');
    expect(all.map(({ applies }) => applies(kubeadmCluster({ drills, machines: two })))).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('wants the name of the cluster, and about nodes may be told which', () => {
    const told = (playbook: string): readonly string[] =>
      parametersOf(given, playbook).map(({ variable, required }) => `${variable}${required ? '!' : ''}`);
    expect(told('drill-vip')).toEqual(['drill_vip_confirm!']);
    expect(told('drill-control-plane')).toEqual(['drill_control_plane_confirm!', 'drill_control_plane_node']);
    expect(told('drill-worker')).toEqual(['drill_worker_confirm!', 'drill_worker_node']);
  });

  test('has the limit and the bound of the definition, and takes the fault back before the host does', () => {
    const limits = { vip: 2.5, 'control-plane': 9, worker: 0, storage: 0 };
    const limited = { limits, atMost: 60, window: { from: '', to: '', days: [] } };
    const text = textOf(drillVip, { ...given, drills: limited }, 'drill-vip.yml');
    expect(text).toContain('limit: 2.5\n');
    expect(text).toContain('fault: keepalived\n            seconds: 60\n');
    expect(text).toContain('least: 15\n            most: 40\n');
    expect(textOf(drillWorker, { ...given, drills: limited }, 'drill-worker.yml')).toContain(
      'least: 40\n            most: 40\n',
    );
  });
});

/** A host whose systemd and containerd are played by stubs; what they were told, one line each. */
function host() {
  const folder = mkdtempSync(join(tmpdir(), 'playsmith-drill-'));
  const log = join(folder, 'log');
  const programs = {
    systemctl: `case "$*" in
  'is-active --quiet playsmith-drill-undo.timer') [[ -e ${folder}/timer ]] ;;
  'is-enabled --quiet kubelet') [[ ! -e ${folder}/disabled ]] ;;
  stop*) echo "$*" >> ${log}; [[ "$*" != *timer ]] || rm -f ${folder}/timer ;;
  start*) echo "$*" >> ${log}; [[ ! -e ${folder}/broken ]] || { rm ${folder}/broken; exit 1; } ;;
esac`,
    'systemd-run': `echo "$*" >> ${log}; [[ -e ${folder}/refused ]] || touch ${folder}/timer`,
    ip: `echo "ip $*" >> ${log}`,
    ctr: 'exit 0',
  };
  const call = (given: object): ModuleResult =>
    runModule(
      'drill_fault',
      { ...given },
      {
        programs,
        replaced: {
          '"/run/playsmith-drill"': JSON.stringify(`${folder}/run`),
          '"/run/netns/"': JSON.stringify(`${folder}/netns/`),
        },
      },
    ).result;
  const told = (): readonly string[] =>
    existsSync(log)
      ? readFileSync(log, 'utf8')
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => line.replaceAll(folder, ''))
      : [];
  /** As the timer of the host does it, with the program that was left there. */
  const undo = (): number | null => {
    for (const [name, text] of Object.entries(programs)) {
      mkdirSync(join(folder, 'bin'), { recursive: true });
      writeFileSync(join(folder, 'bin', name), `#!/bin/bash\n${text}\n`, { mode: 0o755 });
    }
    const PATH = `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`;
    return spawnSync('/usr/bin/python3', [join(folder, 'run/revert.py')], { env: { PATH } }).status;
  };
  return {
    ...{ folder, told, undo },
    inject: (fault: string, seconds = 60) => call({ state: 'injected', fault, seconds }),
    revert: () => call({ state: 'reverted' }),
  };
}

const by = (whom: string): object => ({ reverted: { held: expect.any(Number) as number, by: whom } });

describe('a fault', () => {
  test('is promised to be reverted before it is injected', () => {
    const { inject, told } = host();
    expect(inject('haproxy', 120)).toMatchObject({ changed: true });
    expect(told()).toEqual([
      '--quiet --collect --unit playsmith-drill-undo --on-active 120 --timer-property AccuracySec=1s python3 /run/revert.py',
      'stop haproxy',
    ]);
  });

  test('is reverted by the run, which disarms the host; again it is nothing', () => {
    const { inject, revert, told } = host();
    inject('keepalived');
    expect(revert()).toMatchObject(by('run'));
    expect(told().slice(-2)).toEqual(['start keepalived', 'stop playsmith-drill-undo.timer']);
    expect(revert()).toMatchObject(by('run'));
    expect(told().filter((line) => line === 'start keepalived')).toHaveLength(1);
  });

  test('is reverted by the host, and the run that comes later learns of it', () => {
    const { inject, revert, told, undo } = host();
    inject('worker');
    expect(undo()).toBe(0);
    expect(told().at(-1)).toBe('start kubelet');
    expect(revert()).toMatchObject(by('host'));
  });

  test('is not injected where the host does not promise, is busy with another, or would not start with it', () => {
    const refusing = host();
    writeFileSync(join(refusing.folder, 'refused'), '');
    expect(refusing.inject('haproxy')).toMatchObject({
      msg: 'the host does not promise to revert the fault',
    });
    expect(refusing.told()).not.toContain('stop haproxy');
    const busy = host();
    busy.inject('haproxy');
    expect(busy.inject('keepalived').msg).toBe('a drill has not ended here yet');
    const disabled = host();
    writeFileSync(join(disabled.folder, 'disabled'), '');
    expect(disabled.inject('worker').msg).toBe('kubelet would not start with the host');
    expect(disabled.told()).toEqual([]);
  });

  test('is reverted in the end although the service does not start at once', () => {
    const { inject, revert, told, folder } = host();
    inject('haproxy');
    writeFileSync(join(folder, 'broken'), '');
    expect(revert()).toMatchObject(by('run'));
    expect(told().filter((line) => line === 'start haproxy')).toHaveLength(2);
  });

  test('of a test volume is injected in its own namespace, and is gone with that', () => {
    const { inject, revert, told, folder, undo } = host();
    expect(inject('storage').msg).toBe('there is no test volume here');
    expect(told()).toEqual([]);
    const namespace = join(folder, 'netns/playsmith-drill');
    mkdirSync(namespace, { recursive: true });
    expect(inject('storage')).toMatchObject({ changed: true });
    expect(told().at(-1)).toBe('ip -n playsmith-drill link set lo down');
    expect(revert()).toMatchObject(by('run'));
    expect(told().slice(-2)).toEqual([
      'ip -n playsmith-drill link set lo up',
      'stop playsmith-drill-undo.timer',
    ]);
    inject('storage');
    rmSync(namespace, { recursive: true });
    expect(undo()).toBe(0);
    expect(told().slice(-2)).toEqual([
      'ip -n playsmith-drill link set lo down',
      'stop --no-block playsmith-drill-volume',
    ]);
    expect(told().some((line) => /^(?:start|stop) (?!playsmith|--no-block)/.test(line))).toBe(false);
  });

  test('that nobody injected is nothing', () => {
    expect(host().revert()).toMatchObject({ reverted: { held: 0, by: 'run' } });
    expect(host().inject('flood').failed).toBe(true);
  });
});
