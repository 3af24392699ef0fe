import { expect, test } from 'vitest';
import { showAll } from '../../../generators/import/masked.ts';
import { wrongAt } from '../../../generators/source/foreign/node.ts';

const shown = (text: string, column: number): string | undefined => {
  const problem = wrongAt({ file: 'a.json', line: 1, column, length: 4 }, 'wrong', 'right');
  return showAll([problem], [{ file: 'a.json', text }])
    .split('\n')
    .find((line) => line.includes(' | '))
    ?.replace(/^.* \| /, '');
};

test('of JSON in one line keys and what can be no secret are shown', () => {
  expect(
    shown(
      '{"type":"SCALE_UP","numberOfSteps":1,"password":"12345","simPin":4711,"a":["10.0.0.1","canary"]}\n',
      9,
    ),
  ).toBe('{"type":"********","numberOfSteps":1,"password":*******,"simPin":****,"a":["10.0.0.1","******"]}');
});

test('comments in it, and lines that are no JSON, are not', () => {
  expect(shown('{"a":1 /* canary */, "b": "canary"}', 2)).toBe('{"a":1 ** ****** **, "b": "******"}');
  expect(shown('{"a":1, "password": "cana', 2)).not.toContain('cana');
});

test('nor are arguments with a password in them, whatever the key is called', () => {
  expect(shown('ansible_ssh_common_args: "-o ProxyCommand=\'sshpass -p canary ssh\'"', 1)).not.toContain(
    'canary',
  );
});

test('of a text that is not at hand no excerpt is shown', () => {
  const problem = wrongAt(
    { file: 'nodes.json (ConfigMap a, b)', line: 5, column: 3, length: 4 },
    'wrong',
    'right',
  );
  expect(showAll([problem], [])).toBe('nodes.json (ConfigMap a, b):5:3: wrong\n  Fix: right\n');
});

test('of what was typed options and addresses are shown', () => {
  const text = '10.0.0.300 node1=canary fd00::[1:3] --vip 10.0.0.999';
  const problem = wrongAt({ file: 'the command line', line: 1, column: 1, length: 10 }, 'wrong', 'right');
  expect(showAll([problem], [{ file: 'the command line', text }])).toContain(
    '1 | 10.0.0.300 *****=****** fd00::[1:3] --vip 10.0.0.999',
  );
});
