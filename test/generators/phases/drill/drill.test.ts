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
import { breachesOf, scriptOf, textOf } from '../../../support/definitions/phase-files.ts';

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
    expect(text).toContain('fault.sh begin keepalived 60\n');
    expect(text).toContain('witness.py wait 15 40\n');
    expect(textOf(drillWorker, { ...given, drills: limited }, 'drill-worker.yml')).toContain('wait 40 40\n');
  });
});

/** fault.sh with systemd and containerd played by stubs; what they were told, one line each. */
function host(): {
  readonly run: (...words: readonly string[]) => {
    readonly status: number | null;
    readonly lines: readonly string[];
  };
  readonly told: () => readonly string[];
  readonly folder: string;
} {
  const folder = mkdtempSync(join(tmpdir(), 'playsmith-drill-'));
  const log = join(folder, 'log');
  const text = textOf(drillVip, given, 'files/drill/fault.sh')
    .replace('folder=/run/playsmith-drill\n', `folder=${folder}/run\n`)
    .replaceAll('/run/netns/', `${folder}/netns/`);
  const systemctl = `case "$*" in
  'is-active --quiet playsmith-drill-undo.timer') [[ -e ${folder}/timer ]] ;;
  'is-enabled --quiet kubelet') [[ ! -e ${folder}/disabled ]] ;;
  stop*) echo "$*" >> ${log}; [[ "$*" != *timer ]] || rm -f ${folder}/timer ;;
  start*) echo "$*" >> ${log}; [[ ! -e ${folder}/broken ]] || { rm ${folder}/broken; exit 1; } ;;
esac`;
  const run = scriptOf(text, {
    systemctl,
    'systemd-run': `echo "$*" >> ${log}; [[ -e ${folder}/refused ]] || touch ${folder}/timer`,
    ip: `echo "ip $*" >> ${log}`,
    ctr: 'exit 0',
  });
  const told = (): readonly string[] =>
    existsSync(log)
      ? readFileSync(log, 'utf8')
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => line.replaceAll(folder, ''))
      : [];
  return { run, told, folder };
}

describe('a fault', () => {
  test('is promised to be taken back before it is made', () => {
    const { run, told } = host();
    expect(run('begin', 'haproxy', '120')).toEqual({ status: 0, lines: [] });
    expect(told()).toEqual([
      '--quiet --collect --unit playsmith-drill-undo --on-active 120 --timer-property AccuracySec=1s bash /run/fault.sh end host',
      'stop haproxy',
    ]);
  });

  test('is taken back by the run, which disarms the host; again it is nothing', () => {
    const { run, told } = host();
    run('begin', 'keepalived', '120');
    expect(run('end').lines.at(-1)).toMatch(/^\{"held": \d+, "by": "run"\}$/);
    expect(told().slice(-2)).toEqual(['start keepalived', 'stop playsmith-drill-undo.timer']);
    expect(run('end').lines.at(-1)).toMatch(/^\{"held": \d+, "by": "run"\}$/);
    expect(told().filter((line) => line === 'start keepalived')).toHaveLength(1);
  });

  test('is taken back by the host, and the run that comes later learns of it', () => {
    const { run, told } = host();
    run('begin', 'worker', '60');
    run('end', 'host');
    expect(told().at(-1)).toBe('start kubelet');
    expect(run('end').lines.at(-1)).toMatch(/"by": "host"\}$/);
  });

  test('is not made where the host does not promise, is busy with another, or would not begin with it', () => {
    const refusing = host();
    writeFileSync(join(refusing.folder, 'refused'), '');
    expect(refusing.run('begin', 'haproxy', '60')).toMatchObject({ status: 1 });
    expect(refusing.told()).not.toContain('stop haproxy');
    const busy = host();
    busy.run('begin', 'haproxy', '60');
    expect(busy.run('begin', 'keepalived', '60').lines).toEqual(['a drill has not ended here yet']);
    const disabled = host();
    writeFileSync(join(disabled.folder, 'disabled'), '');
    expect(disabled.run('begin', 'worker', '60').lines).toEqual([
      'kubelet would not begin with the host again',
    ]);
    expect(disabled.told()).toEqual([]);
  });

  test('is taken back in the end although the service does not start at once', () => {
    const { run, told, folder } = host();
    run('begin', 'haproxy', '60');
    writeFileSync(join(folder, 'broken'), '');
    expect(run('end').status).toBe(0);
    expect(told().filter((line) => line === 'start haproxy')).toHaveLength(2);
  });

  test('of a test volume is made in its own namespace, and is gone with that', () => {
    const { run, told, folder } = host();
    expect(run('begin', 'storage', '60')).toEqual({ status: 1, lines: ['there is no test volume here'] });
    expect(told()).toEqual([]);
    const namespace = join(folder, 'netns/playsmith-drill');
    mkdirSync(namespace, { recursive: true });
    expect(run('begin', 'storage', '60').status).toBe(0);
    expect(told().at(-1)).toBe('ip -n playsmith-drill link set lo down');
    expect(run('end').lines.at(-1)).toMatch(/"by": "run"\}$/);
    expect(told().slice(-2)).toEqual([
      'ip -n playsmith-drill link set lo up',
      'stop playsmith-drill-undo.timer',
    ]);
    run('begin', 'storage', '60');
    rmSync(namespace, { recursive: true });
    expect(run('end', 'host').status).toBe(0);
    expect(told().slice(-2)).toEqual([
      'ip -n playsmith-drill link set lo down',
      'stop --no-block playsmith-drill-volume',
    ]);
    expect(told().some((line) => /^(?:start|stop) (?!playsmith|--no-block)/.test(line))).toBe(false);
  });

  test('that nobody made is nothing', () => {
    expect(host().run('end')).toEqual({ status: 0, lines: ['{"held": 0, "by": "run"}'] });
    expect(host().run('begin', 'flood', '60').status).toBe(1);
  });
});

/** The program of the witness, as a module, asked one expression. */
function witness(expression: string): unknown {
  const folder = mkdtempSync(join(tmpdir(), 'playsmith-witness-'));
  writeFileSync(join(folder, 'witness.py'), textOf(drillVip, given, 'files/drill/witness.py'));
  const program = `import json, sys; sys.path.insert(0, ${JSON.stringify(folder)}); import witness; print(json.dumps(${expression}))`;
  const { stdout, stderr } = spawnSync('python3', ['-c', program], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
}

describe('the witness', () => {
  const attempts = (...ends: readonly (readonly [number, boolean])[]): string =>
    `[${ends.map(([end, ok]) => `{"asked": ${end - 0.01}, "ended": ${end}, "ok": ${ok ? 'True' : 'False'}}`).join(', ')}]`;

  test('counts the time from the answer before the silence to the one after it', () => {
    const seen = attempts([1, true], [1.05, true], [2.1, false], [3.2, false], [3.5, true], [3.55, true]);
    expect(witness(`witness.summary(${seen})`)).toEqual({ asked: 6, failed: 2, longest: 2.45 });
  });

  test('takes attempts in the order of their ends, and a silence that lasts for one', () => {
    const seen = attempts([5, false], [1, true], [2, true]);
    expect(witness(`witness.summary(${seen})`)).toEqual({ asked: 3, failed: 1, longest: 3 });
  });

  test('finds no silence where every ask was answered, however late it was asked', () => {
    expect(witness(`witness.summary(${attempts([1, true], [4, true])})`)).toMatchObject({ longest: 0 });
    expect(witness('witness.summary([])')).toEqual({ asked: 0, failed: 0, longest: 0 });
  });
});
