import { createConnection, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

export type Message = Readonly<Record<string, unknown>>;

/** Lines of JSON on a socket of QEMU, which has one partner at a time. */
export interface QemuMonitor {
  readonly say: (message: Message) => void;
  /** Ends what an earlier partner may have begun to say. */
  readonly interrupt: () => void;
  /** The next message that fits, or undefined: none in so many seconds, or the other side has gone. */
  readonly hear: (fits: (message: Message) => boolean, seconds: number) => Promise<Message | undefined>;
}

/** Talks on a socket, and hangs up; undefined: nobody is there. */
export async function converse<Value>(
  path: string,
  talk: (conversation: QemuMonitor) => Promise<Value>,
): Promise<Value | undefined> {
  const socket = await connect(path);
  if (socket === undefined) return undefined;
  try {
    return await talk(conversation(socket));
  } finally {
    socket.destroy();
  }
}

/** Others may be in the queue before us. */
async function connect(path: string): Promise<Socket | undefined> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const socket = createConnection(path);
    const code = await new Promise<string>((resolve) => {
      socket.once('connect', () => {
        resolve('');
      });
      socket.once('error', (error: NodeJS.ErrnoException) => {
        resolve(error.code ?? 'unknown');
      });
    });
    if (code === '') return socket;
    if (code !== 'EAGAIN') return undefined;
    await wait(100);
  }
  return undefined;
}

function conversation(socket: Socket): QemuMonitor {
  const unheard: Message[] = [];
  let isOver = false;
  let wake = (): void => undefined;
  let rest = '';
  socket.setEncoding('utf8');
  socket.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    unheard.push(...lines.flatMap(parseLine));
    wake();
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    isOver = true;
    wake();
  });
  const hear: QemuMonitor['hear'] = async (fits, seconds) => {
    const end = Date.now() + seconds * 1000;
    for (;;) {
      const message = unheard.splice(0).find(fits);
      if (message !== undefined || isOver || Date.now() >= end) return message;
      const news = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const timer = new AbortController();
      await Promise.race([news, wait(end - Date.now(), undefined, { signal: timer.signal }).catch(() => 0)]);
      timer.abort();
    }
  };
  return {
    hear,
    say: (message) => {
      socket.write(`${JSON.stringify(message)}\n`);
    },
    interrupt: () => {
      socket.write(Buffer.of(0xff));
    },
  };
}

/** What an earlier partner left unread may be half a message. */
function parseLine(line: string): readonly Message[] {
  try {
    const message: unknown = JSON.parse(line.slice(line.indexOf('{')));
    return typeof message === 'object' && message !== null ? [message as Message] : [];
  } catch {
    return [];
  }
}
