import { describe, expect, test } from 'vitest';
import { entriesFor, parseKnownHosts } from '../../../../tasks/runtime/ssh/known-hosts.ts';

const places = (text: string, host: string, port = 22): string[] =>
  entriesFor(parseKnownHosts(text, 'kh'), host, port).map(({ place }) => place);

describe('known_hosts', () => {
  test('comments, empty lines and broken lines are passed over, and lines keep their numbers', () => {
    expect(parseKnownHosts('# a\n\nhost\nhost ssh-rsa AAAA comment here\n', 'kh')).toEqual([
      { place: 'kh:4', marker: '', hosts: 'host', type: 'ssh-rsa', key: 'AAAA' },
    ]);
  });

  test.each([
    ['one,two ssh-rsa A', 'two', 22],
    ['ONE ssh-rsa A', 'one', 22],
    ['*.lab ssh-rsa A', 'a.lab', 22],
    ['10.0.0.? ssh-rsa A', '10.0.0.7', 22],
    ['[one]:2222 ssh-rsa A', 'one', 2222],
    ['one ssh-rsa A', 'one', 2222],
    ['2001:db8::1 ssh-rsa A', '2001:db8::1', 22],
    ['[2001:db8::1]:2222 ssh-rsa A', '2001:db8::1', 2222],
  ])('%j knows %s port %d', (line, host, port) => {
    expect(places(line, host, port)).toEqual(['kh:1']);
  });

  test.each([
    ['*.lab,!b.lab ssh-rsa A', 'b.lab', 22],
    ['[one]:2222 ssh-rsa A', 'one', 22],
    ['[one]:2222 ssh-rsa A', 'one', 2223],
    ['a.lab ssh-rsa A', 'aXlab', 22],
    ['one ssh-rsa A', 'one.lab', 22],
  ])('%j does not know %s port %d', (line, host, port) => {
    expect(places(line, host, port)).toEqual([]);
  });

  test('an entry for the port goes before one for the host', () => {
    expect(places('one ssh-rsa A\n[one]:2222 ssh-rsa B', 'one', 2222)).toEqual(['kh:2']);
  });
});
