import { ok, type Result } from '../../../generators/result.ts';
import { labFailure, type LabFailure } from '../../machine/lab-failure.ts';
import { converse, type QemuMonitor, type Message } from './conversation.ts';

/** Tells QEMU's monitor one command; its value is what the monitor answers. */
export async function monitor(
  socket: string,
  command: string,
  words: Message = {},
): Promise<Result<Message, LabFailure>> {
  const answer = await converse(socket, async (conversation) => {
    const ready = await askMonitor(conversation, { execute: 'qmp_capabilities' });
    return ready === undefined ? undefined : askMonitor(conversation, { execute: command, arguments: words });
  });
  if (answer !== undefined && 'return' in answer) return ok(answer['return'] as Message);
  return labFailure(
    `QEMU does not do ${command}`,
    'See which hosts run: npx task lab status',
    answer === undefined ? 'its monitor does not answer' : JSON.stringify(answer['error']),
  );
}

async function askMonitor({ say, hear }: QemuMonitor, message: Message): Promise<Message | undefined> {
  say(message);
  return hear((answer) => 'return' in answer || 'error' in answer, 10);
}
