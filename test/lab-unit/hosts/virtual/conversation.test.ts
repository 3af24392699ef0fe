import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { agentExec } from '../../../../lab/hosts/virtual/agent.ts';
import { converse } from '../../../../lab/hosts/virtual/conversation.ts';
import { monitor } from '../../../../lab/hosts/virtual/monitor.ts';

let folder: string;
let path: string;
let close = (): void => undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'playsmith-socket-'));
  path = join(folder, 'socket');
});

afterEach(async () => {
  close();
  await rm(folder, { recursive: true });
});

/** Somebody on the other side who does this with each line. */
async function partner(
  greet: (socket: Socket) => void,
  each: (line: string, socket: Socket) => void,
): Promise<void> {
  const server = createServer((socket) => {
    greet(socket);
    socket.on('data', (text) => {
      for (const line of text.toString('latin1').split('\n').filter(Boolean)) each(line, socket);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(path, resolve);
  });
  close = () => server.close();
}

it('is over at once where nobody is there', async () => {
  expect(await converse(path, () => Promise.resolve('talked'))).toBeUndefined();
  const stopped = await monitor(path, 'stop');
  expect(stopped).toMatchObject({ ok: false, failure: { message: 'QEMU does not do stop' } });
});

it('hears an answer that comes in pieces, behind news and behind half a message of before', async () => {
  await partner(
    (socket) => socket.write('"rest of before"}\n{"event":"RESUME"}\n'),
    (_line, socket) => {
      socket.write('{"ret');
      setTimeout(() => socket.write('urn":{"n":1}}\n'), 20);
    },
  );
  const answer = await converse(path, async ({ say, hear }) => {
    say({ execute: 'ask' });
    return hear((message) => 'return' in message, 5);
  });
  expect(answer).toEqual({ return: { n: 1 } });
});

it('says what the monitor refuses', async () => {
  await partner(
    (socket) => socket.write('{"QMP":{}}\n'),
    (line, socket) =>
      socket.write(
        line.includes('qmp_capabilities') ? '{"return":{}}\n' : '{"error":{"desc":"no such link"}}\n',
      ),
  );
  const told = await monitor(path, 'set_link', { name: 'eth9', up: false });
  expect(told).toMatchObject({ ok: false, failure: { evidence: '{"desc":"no such link"}' } });
});

it('never sends a command twice to an agent that heard it and hung up', async () => {
  let asked = 0;
  await partner(
    () => undefined,
    (line, socket) => {
      const message = JSON.parse(line.slice(line.indexOf('{'))) as {
        readonly execute: string;
        readonly arguments: { readonly id: number };
      };
      if (message.execute === 'guest-exec') {
        asked += 1;
        socket.destroy();
      } else socket.write(`${JSON.stringify({ return: message.arguments.id })}\n`);
    },
  );
  const ran = await agentExec(path, ['reboot'], { timeout: 1 });
  expect(ran.ok).toBe(false);
  expect(asked).toBe(1);
});

it('gives up on an agent that does not listen, when the time is over', async () => {
  await partner(
    () => undefined,
    () => undefined,
  );
  expect(await agentExec(path, ['true'], { timeout: 1 })).toMatchObject({
    ok: false,
    failure: { message: 'the agent in the virtual machine does not answer' },
  });
});
