import { expect, it } from 'vitest';
import { machineOf } from '../../../../lab/hosts/virtual/processes.ts';

const folder = '/run/playsmith-lab/12345678/machines/lab';
const words = (program: string, file: string): readonly string[] => [
  program,
  '-m',
  '1024',
  '-pidfile',
  file,
  '',
];

it('a process is the virtual machine of a host when its own words say so', () => {
  expect(machineOf(words('qemu-system-x86_64', `${folder}/storage1.pid`), folder)).toBe('storage1');
  expect(machineOf(words('/usr/bin/qemu-system-x86_64', `${folder}/worker2.pid`), folder)).toBe('worker2');
});

it.each([
  ['another program', words('vim', `${folder}/storage1.pid`)],
  ['a lab with a longer name', words('qemu-system-x86_64', `${folder}-b/storage1.pid`)],
  [
    'a lab of another cache',
    words('qemu-system-x86_64', '/run/playsmith-lab/87654321/machines/lab/storage1.pid'),
  ],
  ["somebody's own virtual machine", ['qemu-system-x86_64', '-m', '1024']],
  ['a process that has ended', ['']],
])('%s is not', (_what, argv) => {
  expect(machineOf(argv, folder)).toBeUndefined();
});
