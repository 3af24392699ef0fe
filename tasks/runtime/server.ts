import type { Readable } from 'node:stream';
import type { Result } from '../../generators/result.ts';
import { Agent } from './agent/agent.ts';
import type { Answers, Requests } from './agent/messages.ts';
import { Together } from './agent/together.ts';
import { longest } from '../../generators/shape.ts';
import { shellLine, type Command } from './command.ts';
import type { Failure } from './failures.ts';
import type { Lending } from './agent/lending.ts';
import { endless, type ProgramEnding, type Transport } from './transport.ts';

export interface ServerOutput extends ProgramEnding {
  readonly stdout: string;
}

export interface CommandOptions {
  /** Sent to the program, then closed. */
  readonly stdin?: string | Uint8Array;
  /** Called with each line of standard output as it comes. */
  readonly onLine?: (line: string) => void;
  readonly signal?: AbortSignal;
}

/** A node of a mesh that is asked over the server. */
interface OverMesh {
  readonly node: string;
  readonly sealingKey: string;
  /** Who lent the transport, and gets it back. */
  readonly lending?: Lending;
}

/** An Ansible server that answers. Close it. */
export class Server {
  /** Where it keeps everything; `~` is its own user's home. */
  readonly directory: string;
  /** The node of a mesh that is asked over the control node; empty: the server itself. */
  readonly node: string;
  /** The fingerprint of the key that its secrets are sealed to; empty: not pinned. */
  readonly sealingKey: string;
  readonly #open: () => Promise<Result<Transport, Failure>>;
  readonly #lending: Lending | undefined;
  #transport: Transport;
  #idle: Agent | undefined;
  #agents: Agent[] = [];
  readonly #together: Together;

  constructor(
    transport: Transport,
    directory: string,
    open: () => Promise<Result<Transport, Failure>>,
    { node, sealingKey, lending }: OverMesh = { node: '', sealingKey: '' },
  ) {
    this.#lending = lending;
    this.node = node;
    this.sealingKey = sealingKey;
    this.directory = directory;
    this.#transport = transport;
    this.#open = open;
    this.#together = new Together(() => this.agent(), directory);
  }

  get transport(): Transport {
    return this.#transport;
  }

  get name(): string {
    return this.node === '' ? this.#transport.name : `${this.node} over ${this.#transport.name}`;
  }

  /** A new way to the same server, after the old one was lost. */
  async reopen(): Promise<Result<void, Failure>> {
    this.#leave((agent) => {
      agent.close();
    });
    await (this.#lending === undefined ? this.#transport.close() : this.#lending.end(this.#transport));
    const opened = await this.#open();
    if (!opened.ok) return opened;
    this.#transport = opened.value;
    return { ok: true, value: undefined };
  }

  /** Runs a program to its end; its exit status is for the caller to judge. */
  async run(command: Command, options: CommandOptions = {}): Promise<Result<ServerOutput, Failure>> {
    const started = await this.#transport.spawn(shellLine(command));
    if (!started.ok) return started;
    const { stdin, stdout, ended, stop } = started.value;
    options.signal?.addEventListener('abort', stop, { once: true });
    stdin.end(options.stdin ?? '');
    const text = await collect(stdout, options.onLine);
    if (text === undefined) {
      stop();
      return { ok: false, failure: endless(this.name) };
    }
    const ending = await ended;
    return ending.ok ? { ok: true, value: { ...ending.value, stdout: text } } : ending;
  }

  /** The agent of this connection, or another one while that is busy. */
  agent(): Agent {
    if (this.#idle === undefined || this.#idle.isBusy || this.#idle.isClosed) {
      this.#idle = new Agent(this.#transport, this.directory, this.node);
      this.#agents.push(this.#idle);
    }
    return this.#idle;
  }

  /** Over a mesh every question takes seconds: this one goes along with others. Else it is asked when it is wanted. */
  ahead<Operation extends keyof Requests & keyof Answers>(
    operation: Operation,
    request: Requests[Operation],
  ): () => Promise<Result<Answers[Operation], Failure>> {
    if (this.node === '') return () => this.agent().ask(operation, request);
    const asked = this.#together.add(operation, request);
    // Whoever waits for it hears of it.
    asked.catch(() => undefined);
    return () => {
      this.#together.ask();
      return asked;
    };
  }

  /** The key that secrets are sealed to, along with other questions; asked once for all that go to the node on the ways that were lent. */
  keyAhead(): () => Promise<Result<Answers['sealing-key'], Failure>> {
    const known = this.#lending?.keys.get(this.node);
    if (known !== undefined) return () => Promise.resolve({ ok: true, value: known });
    const asked = this.ahead('sealing-key', {});
    return async () => {
      const key = await asked();
      if (key.ok) this.#lending?.keys.set(this.node, key.value);
      return key;
    };
  }

  /** The node may have another key by now. */
  forgetKey(): void {
    this.#lending?.keys.delete(this.node);
  }

  /** Nothing has to be asked before a run: what it needs may go along with its beginning. */
  get isAnswered(): boolean {
    return this.node !== '' && this.#together.isEmpty;
  }

  async close(): Promise<void> {
    const lending = this.#lending;
    this.#leave((agent) => {
      if (lending === undefined) agent.close();
      else agent.leave();
    });
    await (lending === undefined ? this.#transport.close() : lending.give(this.#transport));
  }

  #leave(part: (agent: Agent) => void): void {
    const agents = this.#agents;
    this.#agents = [];
    this.#idle = undefined;
    agents.forEach(part);
  }
}

/** Undefined: it says more than anybody would read. */
async function collect(stdout: Readable, onLine: CommandOptions['onLine']): Promise<string | undefined> {
  let text = '';
  let shown = 0;
  for await (const chunk of stdout.setEncoding('utf8')) {
    text += chunk as string;
    if (text.length > longest) return undefined;
    for (let end = text.indexOf('\n', shown); end >= 0; end = text.indexOf('\n', shown)) {
      onLine?.(text.slice(shown, end));
      shown = end + 1;
    }
  }
  return text;
}
