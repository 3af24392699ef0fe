import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** One long-lived PyYAML, as Ansible reads YAML; whatever JSON has no word for comes back as `{"python": "…"}`. */
export interface PyYaml {
  readonly load: (text: string) => Promise<unknown>;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

export function startPyYaml(): PyYaml {
  const child = spawn('/usr/bin/python3', ['-c', program], { stdio: ['pipe', 'pipe', 'inherit'] });
  const answers = createInterface(child.stdout)[Symbol.asyncIterator]();
  return {
    load: async (text) => {
      child.stdin.write(`${JSON.stringify(text)}\n`);
      const { value } = (await answers.next()) as IteratorResult<string, undefined>;
      if (value === undefined) throw new Error('PyYAML has ended');
      return JSON.parse(value) as unknown;
    },
    [Symbol.asyncDispose]: async () => {
      const ended = new Promise((done) => child.once('exit', done));
      child.stdin.end();
      await ended;
    },
  };
}

const program = `
import json, sys, yaml
for line in sys.stdin:
    value = yaml.load(json.loads(line), Loader=yaml.SafeLoader)
    print(json.dumps(value, default=lambda other: {"python": repr(other)}), flush=True)
`;
