import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runModule } from '../../support/module.ts';

/** Two hosts of one link, each a network namespace with the kernel's own ARP and neighbour discovery. */
const hosts = [`who-a-${String(process.pid)}`, `who-b-${String(process.pid)}`] as const;
const [first, second] = hosts;

const ip = (host: string, ...words: readonly string[]): string =>
  execFileSync('ip', ['-netns', host, ...words], { encoding: 'utf8' });

const macOf = (host: string): string =>
  (JSON.parse(ip(host, '-json', 'link', 'show', 'eth0')) as [{ readonly address: string }])[0].address;

function asked(host: string, address: string): readonly string[] {
  const within = ['ip', 'netns', 'exec', host];
  const { result } = runModule('address_info', { address, ask: true }, { within });
  const { own, answers } = result as unknown as { own: readonly string[]; answers: readonly string[] };
  expect(own).toContain(macOf(host));
  return answers;
}

beforeAll(() => {
  for (const host of hosts) execFileSync('ip', ['netns', 'add', host]);
  ip(first, 'link', 'add', 'eth0', 'type', 'veth', 'peer', 'name', 'eth0', 'netns', second);
  hosts.forEach((host, index) => {
    ip(host, 'link', 'set', 'eth0', 'up');
    ip(host, 'address', 'add', `192.0.2.1${String(index)}/24`, 'dev', 'eth0');
    ip(host, '-6', 'address', 'add', `2001:db8::1${String(index)}/64`, 'dev', 'eth0', 'nodad');
  });
});

afterAll(() => {
  for (const host of hosts) execFileSync('ip', ['netns', 'delete', host]);
});

describe.each([
  ['192.0.2.100', '32'],
  ['2001:db8::100', '128'],
])('whoever holds %s', (address, bits) => {
  const hold = (host: string, verb: 'add' | 'delete'): string =>
    ip(host, 'address', verb, `${address}/${bits}`, 'dev', 'eth0', ...(bits === '128' ? ['nodad'] : []));

  test('answers those who ask, and nobody else does', () => {
    expect(asked(second, address)).toEqual([]);
    hold(first, 'add');
    expect(asked(second, address)).toEqual([macOf(first)]);
    expect(asked(first, address)).toEqual([]);
  });

  test('hears of another holder', () => {
    hold(second, 'add');
    expect(asked(first, address)).toEqual([macOf(second)]);
    expect(asked(second, address)).toEqual([macOf(first)]);
    hold(second, 'delete');
    expect(asked(first, address)).toEqual([]);
  });
});
