import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A Python that has the server's modules and answers each JSON value with what `expression` makes of `it`. Close it. */
export function python(
  imports: string,
  expression: string,
): {
  readonly ask: (it: unknown) => Promise<unknown>;
  readonly close: () => void;
} {
  const program = `import json, sys\n${imports}\nfor line in sys.stdin:\n    it = json.loads(line)\n    print(json.dumps(${expression}), flush=True)\n`;
  const child = spawn('/usr/bin/python3', ['-c', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, PYTHONPATH: 'agent', PYTHONDONTWRITEBYTECODE: '1' },
  });
  const lines = createInterface({ input: child.stdout });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`Python ended with ${String(code)}: ${imports}`);
  });
  ended.catch(() => undefined);
  return {
    ask: async (it) => {
      child.stdin.write(`${JSON.stringify(it)}\n`);
      const [line] = (await Promise.race([once(lines, 'line'), ended])) as [string];
      return JSON.parse(line) as unknown;
    },
    close: () => child.stdin.end(),
  };
}
