import { expect, test } from 'vitest';
import { bugExitCode, exitCodes, explain } from '../../../tasks/runtime/failures.ts';

test('every kind of failure has an exit code of its own, none of them success or a bug', () => {
  const codes = Object.values(exitCodes);
  expect(new Set(codes).size).toBe(codes.length);
  expect(codes).not.toContain(0);
  expect(codes).not.toContain(bugExitCode);
  expect(Math.max(...codes)).toBeLessThan(126);
});

test('a failure says what, then the evidence indented, then the next step', () => {
  expect(
    explain({
      kind: 'playbook',
      message: 'haproxy.yml failed on lb2',
      evidence: 'TASK [x] y\n\nz\n',
      next: 'npx task logs',
    }),
  ).toBe('haproxy.yml failed on lb2\n  TASK [x] y\n\n  z\nNext: npx task logs');
});

test('a failure without evidence or next step is its message', () => {
  expect(explain({ kind: 'cancelled', message: 'run x was cancelled' })).toBe('run x was cancelled');
});
