import { expect, test } from 'vitest';
import { Comparison } from '../../../tasks/drift/compared.ts';
import type { Event, HostStatus } from '../../../tasks/runtime/events.ts';

const playbook = (path: string, ...plays: string[]): { path: string; text: string; mode: '0644' } => ({
  path,
  text: `---\n${plays.map((name) => `- name: ${name}\n  hosts: all\n`).join('')}`,
  mode: '0644',
});
const files = [
  playbook('haproxy.yml', 'Reach every host', 'Balance the API'),
  playbook('node-prerequisites.yml', 'Reach every host', 'Prepare the hosts'),
  playbook('verify.yml', 'Reach every host', 'Check the cluster'),
];
const begun = (name: string): Event => ({ type: 'play-started', name, counter: 1 });
const finished = (host: string, status: HostStatus, diff = ''): Event => ({
  type: 'host-finished',
  host,
  task: 'Write the file',
  status,
  message: status === 'failed' ? 'no such file' : '',
  diff,
  seconds: 1,
  counter: 2,
});
const heard = (...events: readonly Event[]): Comparison['differences'] => {
  const comparison = new Comparison(files);
  for (const event of events) comparison.hear(event);
  return comparison.differences;
};

test('what check mode would change differs, with its phase and the difference of the file', () => {
  expect(
    heard(begun('Balance the API'), finished('lb1', 'changed', '-a\n+b'), finished('lb2', 'ok')),
  ).toEqual([{ kind: 'differs', host: 'lb1', phase: 'haproxy', task: 'Write the file', detail: '-a\n+b' }]);
});

test('what could not be looked at is told apart from what differs', () => {
  expect(heard(begun('Prepare the hosts'), finished('a', 'failed'), finished('b', 'skipped'))).toEqual([
    {
      kind: 'unknown',
      host: 'a',
      phase: 'node-prerequisites',
      task: 'Write the file',
      detail: 'no such file',
    },
  ]);
});

test('one that only looks and says nothing is told by the name of its task', () => {
  expect(heard(begun('Check the cluster'), finished('cp1', 'changed'))[0]?.task).toBe('Write the file');
});

test('who does not answer is known, once', () => {
  const comparison = new Comparison(files);
  for (const host of ['lb1', 'lb2', 'lb1']) comparison.hear(finished(host, 'unreachable'));
  expect(comparison.unreachable).toEqual(['lb1', 'lb2']);
});

test('phases that were not reached are known', () => {
  const comparison = new Comparison(files);
  comparison.hear(begun('Balance the API'));
  expect(['haproxy', 'verify'].map((phase) => comparison.hasSeen(phase))).toEqual([true, false]);
});

test('a play that several phases have is of none', () => {
  expect(heard(begun('Reach every host'), finished('a', 'changed'))[0]?.phase).toBe('');
});

test('of what only looks each line is a row, since it says itself what mends it', () => {
  const lines = ['worker1 is cordoned: kubectl uncordon worker1', 'old7 is registered as a node'];
  expect(heard(begun('Check the cluster'), finished('cp1', 'changed', `${lines.join('\n')}\n`))).toEqual(
    lines.map((line) => ({ kind: 'differs', host: 'cp1', phase: 'verify', task: line, detail: line })),
  );
});
