import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { init } from '../../../tasks/commands/define/init.ts';
import type { Outcome } from '../../../tasks/task.ts';
import { failure, value } from '../../support/server/ansible-server.ts';
import { quietWorld } from '../../support/world.ts';

let here: string;
let questions: string[];
beforeEach(() => {
  here = mkdtempSync(join(tmpdir(), 'playsmith-init-'));
  questions = [];
});
afterEach(() => {
  rmSync(here, { recursive: true });
});

const file = (): string => join(here, 'cluster.yml');

/** Somebody on a terminal, who goes away after these answers. */
const answered = (...answers: readonly string[]): Promise<Outcome> => {
  const left = [...answers];
  return init.run({ file: 'cluster.yml', force: false } as never, {
    ...quietWorld(here),
    isTerminal: true,
    ask: (question) => {
      questions.push(question);
      return Promise.resolve(left.shift());
    },
  });
};

describe('on a terminal', () => {
  test('asks for what no flag says', async () => {
    value(await answered('', ' edge-b ', '192.0.2.81/24', 'ops@192.0.2.5'));
    expect(questions).toHaveLength(4);
    const text = readFileSync(file(), 'utf8');
    for (const part of ['name: edge-b', '192.0.2.81/24', 'user: ops']) expect(text).toContain(part);
  });

  test.each([[[]], [['single']], [['ha-stacked', 'edge-b', '192.0.2.81/24']]])(
    'writes nothing for somebody who goes away after %j',
    async (answers) => {
      expect(failure(await answered(...answers))).toEqual({ kind: 'usage', message: 'nothing was written' });
      expect(questions).toHaveLength(answers.length + 1);
      expect(existsSync(file())).toBe(false);
    },
  );

  test('takes no kind for another one', async () => {
    expect(failure(await answered('ha-dedicated')).message).toContain('ha-dedicated is none of ha-stacked');
    expect(existsSync(file())).toBe(false);
  });

  test('asks nothing where a file is in the way', async () => {
    writeFileSync(file(), 'mine\n');
    expect(failure(await answered('single')).message).toContain('is there already');
    expect(questions).toEqual([]);
    expect(readFileSync(file(), 'utf8')).toBe('mine\n');
  });

  test('advises to overwrite no folder', async () => {
    mkdirSync(file());
    expect(failure(await answered('single'))).toMatchObject({
      message: expect.stringContaining('is a folder; nothing was written') as string,
      next: 'name a file in it with --file',
    });
    expect(questions).toEqual([]);
  });
});

test('keeps what was there, where it may be overwritten', async () => {
  writeFileSync(file(), 'mine\n');
  value(await init.run({ file: 'cluster.yml', force: true } as never, quietWorld(here)));
  expect(readFileSync(file(), 'utf8')).toContain('kind: Cluster');
  expect(readFileSync(`${file()}.1`, 'utf8')).toBe('mine\n');
});

test('without a terminal the rest is as the profile has it', async () => {
  value(await init.run({ file: 'cluster.yml', force: false } as never, quietWorld(here)));
  expect(readFileSync(file(), 'utf8')).toContain('kind: Cluster');
});
