import { expect, test } from 'vitest';
import { kubespray } from '../../bench/kubespray.ts';
import { memory } from '../../bench/memory/memory.ts';
import { readOptions } from '../../bench/options.ts';
import { push } from '../../bench/push/push.ts';

// Whether these parts of `npm run bench` still run with a real sshd and Ansible; those with a lab are not among them.
const { share } = readOptions(['--small']);
const small = { repetitions: 1, share, say: (): void => undefined };

test.each([
  ['kubespray', kubespray, 'ansible-inventory --list of 10 hosts'],
  ['memory', memory, 'memory: its time'],
  ['push', push, 'push, nothing to do: round trips after the login'],
])('%s has figures of all that it measures', async (_, part, name) => {
  const figures = await part(small);
  expect(figures.map((figure) => figure.name)).toContain(name);
  for (const figure of figures) expect(figure.value, figure.name).toBeGreaterThan(0);
});
