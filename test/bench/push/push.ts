import { atMost, seen, type Figure } from '../figure.ts';
import { interleaved, timed } from '../interleaved.ts';
import type { Bench } from '../options.ts';
import { prepareGround, type Ground } from './ground.ts';
import { roundTrips, step, wholeTask } from './ours.ts';
import { pin, rivals } from './rivals.ts';

/** A bundle of some hundred files to a real sshd, against what a person would type. */
export async function push({
  repetitions,
  say,
  share,
}: Pick<Bench, 'repetitions' | 'say' | 'share'>): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const milliseconds of [0, share < 1 ? 1 : 50]) {
    const ground = await prepareGround(milliseconds);
    try {
      say(`push: ${ground.bundle.files.length} files, ${milliseconds} ms of delay each way`);
      figures.push(...(await against(ground, milliseconds, repetitions)));
      if (milliseconds > 0) figures.push(...(await trips(ground, repetitions)));
    } finally {
      await ground.close();
    }
  }
  return figures;
}

async function against(
  ground: Ground,
  milliseconds: number,
  repetitions: number,
): Promise<readonly Figure[]> {
  const name = `push, ${milliseconds} ms`;
  pin(ground);
  const { scp, sftp, tar, login } = rivals(ground);
  const { forget } = ground;
  const works = {
    login: timed(login),
    tar: timed(tar),
    step: timed(() => step(ground), forget),
    again: timed(
      () => step(ground),
      () => step(ground),
    ),
    task: timed(() => wholeTask(ground), forget),
  };
  const times = await interleaved(works, repetitions);
  const slow = await interleaved({ scp: timed(scp), sftp: timed(sftp) }, Math.min(repetitions, 3));
  return [
    seen(`${name}: ssh true`, times.login, 's'),
    seen(`${name}: tar | ssh`, times.tar, 's'),
    seen(`${name}: scp -r`, slow.scp, 's'),
    seen(`${name}: sftp, file by file`, slow.sftp, 's'),
    seen(`${name}: our push`, times.step, 's'),
    seen(`${name}: our push, nothing to do`, times.again, 's'),
    seen(`${name}: npx task push, whole process`, times.task, 's'),
    atMost(`${name}: our push : tar | ssh`, times.step / times.tar, { unit: 'ratio', goal: 1.3 }),
    wholeFigure(`${name}: npx task push : tar | ssh`, times.task / times.tar, milliseconds),
    seen(`${name}: scp -r : our push`, slow.scp / times.step, 'ratio'),
    seen(`${name}: sftp, file by file : our push`, slow.sftp / times.step, 'ratio'),
  ];
}

/** On a short line Node.js itself takes longer than `tar`. */
const wholeFigure = (name: string, ratio: number, milliseconds: number): Figure =>
  milliseconds > 0 ? atMost(name, ratio, { unit: 'ratio', goal: 1.2 }) : seen(name, ratio, 'ratio');

/** Counted by the proxy from the end of the login on; the most that was seen. */
async function trips(ground: Ground, repetitions: number): Promise<readonly Figure[]> {
  await ground.forget();
  const first = await roundTrips(ground);
  const again: number[] = [];
  for (let round = 0; round < repetitions; round += 1) again.push(await roundTrips(ground));
  return [
    seen('push: round trips after the login', first, 'trips'),
    atMost('push, nothing to do: round trips after the login', Math.max(...again), {
      unit: 'trips',
      goal: 5,
    }),
  ];
}
