import { ok, type Result } from '../../generators/result.ts';
import { exec } from '../hosts/exec.ts';
import type { LabFailure } from '../machine/lab-failure.ts';
import type { Lab } from '../state/lab.ts';
import { probeResult, type Attempt, type ProbeResult } from './probe-result.ts';

/** How often a probe asks, and how long it waits for an answer; in seconds. */
export interface Pace {
  readonly interval: number;
  readonly timeout: number;
}

/** Lets the client host ask a URL like `https://10.77.0.100:6440/readyz` until {@link stopProbe}; back after the first attempt. */
export async function startProbe(
  lab: Lab,
  url: string,
  { interval, timeout }: Pace = { interval: 0.05, timeout: 0.2 },
): Promise<Result<void, LabFailure>> {
  const host = 'client';
  await exec(lab, host, ['systemctl', 'stop', unit]);
  await exec(lab, host, ['systemctl', 'reset-failed', unit]);
  const cleared = await exec(lab, host, ['rm', '--force', file]);
  if (!cleared.ok) return cleared;
  const start = [
    'systemd-run',
    '--quiet',
    `--unit=${unit}`,
    'python3',
    '/usr/local/lib/lab/probe.py',
    url,
    file,
    String(interval),
    String(timeout),
  ];
  const started = await exec(lab, host, start);
  if (!started.ok) return started;
  const running = await exec(lab, host, [
    'timeout',
    '20',
    'sh',
    '-c',
    `until [ -s ${file} ]; do sleep 0.05; done`,
  ]);
  return running.ok ? ok(undefined) : running;
}

/** Ends the asking and says what was seen. */
export async function stopProbe(lab: Lab, host = 'client'): Promise<Result<ProbeResult, LabFailure>> {
  const stopped = await exec(lab, host, ['systemctl', 'stop', unit]);
  if (!stopped.ok) return stopped;
  const attempts = await probeSoFar(lab, host);
  return attempts.ok ? ok(probeResult(attempts.value)) : attempts;
}

/** Every attempt that has ended, in the order of their ends, also while the probe goes on asking. */
export async function probeSoFar(lab: Lab, host = 'client'): Promise<Result<readonly Attempt[], LabFailure>> {
  const read = await exec(lab, host, ['cat', file]);
  if (!read.ok) return read;
  const lines = read.value.stdout.split('\n').slice(0, -1);
  return ok(lines.map((line) => JSON.parse(line) as Attempt));
}

const unit = 'lab-probe';
const file = '/run/lab-probe.jsonl';
