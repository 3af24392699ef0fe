import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSshd } from '../../support/server/sshd.ts';
import { taskWithPeak } from '../command.ts';
import { definitionOf } from '../definition.ts';
import { atMost, inWords, median, seconds, seen, type Figure } from '../figure.ts';
import { layDownLongRun } from './long-run.ts';
import { counted, type Bench } from '../options.ts';

/** The most memory that a client takes while it follows a run of 100,000 events from its first to its last, and keeps the record. */
export async function memory({
  repetitions,
  say,
  share,
}: Pick<Bench, 'repetitions' | 'say' | 'share'>): Promise<readonly Figure[]> {
  const sshd = await startSshd();
  const place = mkdtempSync(join(tmpdir(), 'playsmith-bench-'));
  try {
    const file = join(place, 'cluster.yml');
    const directory = join(place, 'playsmith');
    const auth = { privateKey: sshd.privateKey };
    const server = { host: '127.0.0.1', port: sshd.port, auth, hostKey: sshd.fingerprint, directory };
    const text = definitionOf(3, { ansibleServer: server });
    writeFileSync(file, text);
    const { events, megabytes } = layDownLongRun(directory, nameIn(text), counted(500, { share }));
    say(`memory: following ${events} events (${megabytes.toFixed(0)} MB on the server)`);
    const peaks: number[] = [];
    const times: number[] = [];
    for (let round = 0; round < repetitions; round += 1) {
      const peak = join(place, 'peak');
      times.push(
        await seconds(() =>
          taskWithPeak(['attach', '--file', file], { home: sshd.around.home, peak, cwd: place }),
        ),
      );
      peaks.push(Number(readFileSync(peak, 'utf8')) / 1024);
    }
    return [
      atMost(`memory: client that follows ${inWords(events)} events`, median(peaks), {
        unit: 'MiB',
        goal: 150,
      }),
      seen('memory: its time', median(times), 's'),
    ];
  } finally {
    sshd.close();
    rmSync(place, { recursive: true, force: true });
  }
}

const nameIn = (text: string): string => /name: ([a-z0-9-]+)/.exec(text)?.[1] ?? '';
