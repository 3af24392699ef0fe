import type { Transport } from '../transport.ts';
import type { AgentConversation } from './conversation.ts';

/** Programs at the other end that nobody talks with, by the connection and the directory that they were started for. */
const spares = new WeakMap<Transport, Map<string, AgentConversation[]>>();

export function keepSpare(transport: Transport, directory: string, conversation: AgentConversation): void {
  const here = spares.get(transport) ?? new Map<string, AgentConversation[]>();
  spares.set(transport, here);
  here.set(directory, [...(here.get(directory) ?? []), conversation]);
}

/** One that still listens; undefined: there is none. */
export function takeSpare(transport: Transport, directory: string): AgentConversation | undefined {
  const here = spares.get(transport)?.get(directory) ?? [];
  for (let last = here.pop(); last !== undefined; last = here.pop()) if (!last.isOver) return last;
  return undefined;
}
