import { once } from 'node:events';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { converse, holdProgram, lastLines, program } from '../../../tasks/runtime/program.ts';

describe('a local program', () => {
  it('gets its words as they are, whatever a shell would make of them', async () => {
    const words = ["it's", '$HOME', 'a b', '', '*', '`id`', 'ü\n'];
    const ran = await program(['node', '-e', 'console.log(JSON.stringify(process.argv.slice(1)))', ...words]);
    expect(ran).toMatchObject({ ok: true, value: { stdout: `${JSON.stringify(words)}\n` } });
  });

  it('that fails gives its status and all that it said', async () => {
    expect(await program(['sh', '-c', 'echo out; echo err >&2; exit 3'])).toMatchObject({
      ok: false,
      failure: { status: 3, stdout: 'out\n', stderr: 'err\n', message: 'sh ended with status 3' },
    });
  });

  it('that is not installed is named', async () => {
    expect(await program(['no-such-program'])).toMatchObject({
      failure: { message: 'no-such-program is not installed' },
    });
    for (const shell of ['sh', 'bash'])
      expect(await program([shell, '-c', 'no-such-program'])).toMatchObject({
        failure: { message: `${shell} ended with status 127` },
      });
  });

  it('starts on a machine without bash, and in no folder that is not there', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'playsmith-program-'));
    await symlink(process.execPath, join(folder, 'node'));
    const words = ['node', '-e', 'console.log(1)'];
    expect(await program(words, { env: { PATH: folder } })).toMatchObject({ value: { stdout: '1\n' } });
    await rm(folder, { recursive: true });
    expect(await program(words, { cwd: folder })).toMatchObject({
      failure: { message: expect.stringContaining('node could not be started') as string },
    });
  });

  it('is killed when its time is over', async () => {
    expect(await program(['sleep', '60'], { timeout: 0.2 })).toMatchObject({
      failure: { status: null, message: 'sleep did not end in time' },
    });
  });

  it('reads what it is given, or nothing', async () => {
    expect(await program(['cat'], { input: 'a\nb' })).toMatchObject({ value: { stdout: 'a\nb' } });
    expect(await program(['cat'])).toMatchObject({ value: { stdout: '' } });
  });

  it('may end without reading what it is given', async () => {
    expect(await program(['true'], { input: 'x'.repeat(300_000) })).toMatchObject({ ok: true });
  });

  it('tells its lines one by one, also the last one that has no end', async () => {
    const lines: string[] = [];
    await program(['printf', 'a\nb\nc'], { onLine: (line) => lines.push(line) });
    expect(lines).toEqual(['a', 'b', 'c']);
  });

  it('runs with more in its environment, in the folder it is told', async () => {
    const ran = await program(['sh', '-c', 'echo $EXTRA $PWD'], { env: { EXTRA: 'yes' }, cwd: '/' });
    expect(ran).toMatchObject({ value: { stdout: 'yes /\n' } });
  });

  it('can be held until it is released', async () => {
    const held = await holdProgram(['sh', '-c', 'echo ready; exec cat']);
    expect(held).toBeDefined();
    await held?.release();
    expect(await holdProgram(['false'])).toBeUndefined();
  });

  it('may say of its errors what it likes, and the end of that is kept', async () => {
    const { stdin, stdout, ended } = converse('yes error | head -c 3000000 >&2; echo last >&2', '/');
    stdin.end();
    stdout.resume();
    const { stderr, status } = await ended;
    expect([status, stderr.length]).toEqual([0, 65_536]);
    expect(stderr.endsWith('error\nlast\n')).toBe(true);
  });

  it('talks while it runs, in the folder it is told, and what it said is kept by nobody', async () => {
    const talk = converse('pwd; read word; echo "$word" | tr a-z A-Z; echo err >&2; exit 3', '/');
    talk.stdin.write('hello\n');
    const said: Buffer[] = [];
    for await (const chunk of talk.stdout) said.push(chunk as Buffer);
    expect(Buffer.concat(said).toString()).toBe('/\nHELLO\n');
    expect(await talk.ended).toEqual({ status: 3, stderr: 'err\n' });
  });

  it('passes bytes on as they are, no faster than they are read', async () => {
    const talk = converse('head -c 3000000 /dev/zero; printf "\\377\\000"', '/');
    let size = 0;
    let last = 0;
    for await (const chunk of talk.stdout) {
      size += (chunk as Buffer).length;
      last = (chunk as Buffer).at(-2) ?? last;
    }
    expect([size, last]).toEqual([3_000_002, 0xff]);
  });

  it('has a process group of its own and can be hung up', async () => {
    const talk = converse('echo $(ps -o pgid= -p $$) $$; exec sleep 60', '/');
    const [text] = (await once(talk.stdout, 'data')) as [Buffer];
    const [group, pid] = text.toString().split(' ').map(Number);
    expect(group).toBe(pid);
    talk.stop();
    expect(await talk.ended).toMatchObject({ status: null });
  });

  it('leaves its last words as evidence, those on standard error first', () => {
    expect(lastLines({ stdout: 'out', stderr: 'a\nb\nc\n' }, 2)).toBe('b\nc');
    expect(lastLines({ stdout: 'out\n', stderr: '' })).toBe('out');
  });
});
