import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { setHostKey, setRelease, setServerHostKey } from '../../../generators/source/edits.ts';
import { changed, loaded, said, sound } from '../definition/support.ts';

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAID7NZafZXMzUsM52ZNlgMbR+9K21orbR7bTY1NH/o87u';
const other = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFqQ5X4iS9tkxuDsyIoI2nUATEFcu7g+aZWZj9zYFj1D';
/** A definition of one control plane and of what is given. */
const frame = (machines: string): string =>
  sound
    .replace(/controlPlaneEndpoint:[^]*/, '')
    .replace('network:\n', 'network:\n  nodeSubnet: 192.0.2.0/24\n') +
  `nodes:\n  - { name: master01, roles: [control-plane], address: 192.0.2.11 }\n${machines}`;

describe('a host key is written', () => {
  test.each<[title: string, before: string, after: string]>([
    [
      'in place of the old one, before a comment',
      '  - name: w\n    ssh: # how\n      hostKey: old # the old one\n      port: 22\n',
      `  - name: w\n    ssh: # how\n      hostKey: ${key} # the old one\n      port: 22\n`,
    ],
    [
      'in place of one in quotes, in a line of its own',
      '  - { name: w, ssh: { hostKey: "old" } } # x\n',
      `  - { name: w, ssh: { hostKey: ${key} } } # x\n`,
    ],
    [
      'after the other keys of a mapping in a line',
      '  - { name: w, ssh: { port: 22 } }\n',
      `  - { name: w, ssh: { port: 22, hostKey: ${key} } }\n`,
    ],
    ['into an empty mapping', '  - { name: w, ssh: {} }\n', `  - { name: w, ssh: { hostKey: ${key} } }\n`],
    [
      'where nothing was written yet',
      '  - name: w\n    ssh:\n',
      `  - name: w\n    ssh: { hostKey: ${key} }\n`,
    ],
    [
      'below the last key in a line',
      '  - name: w\n    ssh:\n      port: 22 # the port\n      # more\n',
      `  - name: w\n    ssh:\n      port: 22 # the port\n      hostKey: ${key}\n      # more\n`,
    ],
    [
      'with `ssh` where there is none',
      '  - name: w # the worker\n    roles:\n      - worker\n',
      `  - name: w # the worker\n    ssh: { hostKey: ${key} }\n    roles:\n      - worker\n`,
    ],
    [
      'with `ssh` in a mapping in a line',
      '  - { name: w,\n      address: 1 } # x\n',
      `  - { name: w,\n      address: 1, ssh: { hostKey: ${key} } } # x\n`,
    ],
    [
      'at the end of a file without a last line end',
      '  - name: w\n    address: a',
      `  - name: w\n    address: a\n    ssh: { hostKey: ${key} }\n`,
    ],
    [
      'in place of a list, whose comments stay',
      '  - name: w\n    ssh:\n      hostKey:\n        - old1 # one\n        # two\n        - old2\n      port: 22\n',
      `  - name: w\n    ssh:\n      hostKey:\n        # one\n        # two\n        - ${key}\n      port: 22\n`,
    ],
    [
      'in place of a list that is not indented',
      '  - name: w\n    ssh:\n      hostKey:\n      - old1\n      - old2\n',
      `  - name: w\n    ssh:\n      hostKey:\n      - ${key}\n`,
    ],
    [
      'in place of a list in brackets, whose comments stay',
      '  - name: w\n    ssh: { hostKey: [ # one\n      old, # two\n      older ] } # three\n',
      `  - name: w\n    ssh: { hostKey: [ # one\n                      # two\n                      ${key} ] } # three\n`,
    ],
    [
      'in place of a text of several lines, with a comment',
      '  - name: w\n    ssh:\n      hostKey: >- # old\n        old\n      port: 22\n',
      `  - name: w\n    ssh:\n      hostKey: ${key} # old\n      port: 22\n`,
    ],
    [
      'in place of a text of several lines',
      '  - name: w\n    ssh:\n      hostKey: >\n        old\n        older\n      port: 22\n',
      `  - name: w\n    ssh:\n      hostKey: ${key}\n      port: 22\n`,
    ],
  ])('%s', (_title, before, after) => {
    expect(setHostKey(`nodes:\n${before}`, 'w', [key])).toBe(`nodes:\n${after}`);
    expect(setHostKey(`hosts:\n${before}`, 'w', [key])).toBe(`hosts:\n${after}`);
    const windows = (text: string): string => text.replaceAll('\n', '\r\n');
    expect(setHostKey(windows(`nodes:\n${before}`), 'w', [key])).toBe(windows(`nodes:\n${after}`));
  });

  test('or several of them', () => {
    expect(setHostKey('nodes: [{ name: w }]', 'w', [key, other])).toBe(
      `nodes: [{ name: w, ssh: { hostKey: [${key}, ${other}] } }]`,
    );
    expect(setHostKey('nodes:\n- name: w\n  ssh:\n    hostKey:\n    - a', 'w', [key, other])).toBe(
      `nodes:\n- name: w\n  ssh:\n    hostKey:\n    - ${key}\n    - ${other}`,
    );
  });

  test('worker1 is not worker10', () => {
    const text = 'nodes:\n  - { name: worker10 }\n  - { name: worker1 }\n  - { name: worker11 }\n';
    expect(setHostKey(text, 'worker1', [key])).toBe(
      `nodes:\n  - { name: worker10 }\n  - { name: worker1, ssh: { hostKey: ${key} } }\n  - { name: worker11 }\n`,
    );
  });

  test('a name that is not there, or a text that cannot be read, is a mistake of the caller', () => {
    expect(() => setHostKey(sound, 'worker0', [key])).toThrow('there is no machine worker0');
    expect(() => setHostKey('a: [', 'a', [key])).toThrow('cannot be edited');
  });
});

describe("the Ansible server's host key is written", () => {
  test('where there was none', () => {
    expect(setServerHostKey(sound, 'SHA256:XScFhfY9QZFlzIYUGXemnXdzPLTJ+EtTyXXdpzRx6x0')).toBe(
      changed([
        'user: ansible }',
        'user: ansible, hostKey: SHA256:XScFhfY9QZFlzIYUGXemnXdzPLTJ+EtTyXXdpzRx6x0 }',
      ]),
    );
  });

  test('but not for this machine', () => {
    expect(() => setServerHostKey('ansibleServer: local', key)).toThrow('has no Ansible server');
  });
});

describe('the release of OpenStack-Ansible is written', () => {
  test.each([
    [
      'in place of another one',
      "openStackAnsible: { release: '2024.2', hooks: enabled } # here\n",
      "openStackAnsible: { release: '2025.2', hooks: enabled } # here\n",
    ],
    [
      'beside what is there',
      'openStackAnsible:\n  hooks: enabled # yes\n',
      "openStackAnsible:\n  hooks: enabled # yes\n  release: '2025.2'\n",
    ],
    [
      'where nothing is said of it',
      'kind: OpenStackAnsibleMagnum\n',
      "kind: OpenStackAnsibleMagnum\nopenStackAnsible: { release: '2025.2' }\n",
    ],
  ])('%s', (_, before, after) => {
    expect(setRelease(before, '2025.2')).toBe(after);
  });
});

test('exactly one machine changes, and every comment stays', () => {
  const shape = fc.constantFrom(
    (name: string, n: number) => `  - { name: ${name}, address: 192.0.2.${n} } # c${n}\n`,
    (name: string, n: number) => `  # c${n}\n  - name: ${name}\n    address: 192.0.2.${n}\n`,
    (name: string, n: number) =>
      `  - address: 192.0.2.${n} # a${n}\n    ssh: # b${n}\n      port: 22 # c${n}\n    name: ${name}\n`,
    (name: string, n: number) =>
      `  - name: ${name}\n    ssh: { hostKey: [ # c${n}\n      ${other} ] }\n    address: 192.0.2.${n}\n`,
    (name: string, n: number) =>
      `  - name: ${name}\n    address: 192.0.2.${n}\n    ssh:\n      hostKey:\n        - ${other} # c${n}\n`,
  );
  const nodes = fc.array(shape, { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(nodes, fc.nat(), fc.boolean(), (shapes, pick, isTwo) => {
      const names = shapes.map((_, index) => `worker${index + 1}`);
      const text = frame(shapes.map((write, index) => write(names[index] ?? '', index + 21)).join(''));
      const name = names[pick % names.length] ?? '';
      const edited = setHostKey(text, name, isTwo ? [key, other] : [key]);

      const expected = loaded(text).cluster.machines.map((machine) =>
        machine.name === name
          ? { ...machine, ssh: { ...machine.ssh, hostKeys: isTwo ? [key, other] : [key] } }
          : machine,
      );
      expect(loaded(edited).cluster).toEqual({ ...loaded(text).cluster, machines: expected });
      const comments = (from: string): string[] => from.match(/#.*/g)?.toSorted() ?? [];
      expect(comments(edited)).toEqual(comments(text));
      expect(setHostKey(edited, name, isTwo ? [key, other] : [key])).toBe(edited);
    }),
    { numRuns: 100 },
  );
});

test('what is written is accepted', () => {
  const bare = sound.replaceAll(/ {4}ssh: .*\n/g, '');
  const names = loaded(sound).cluster.machines.map(({ name }) => name);
  expect(said(names.reduce((text, name) => setHostKey(text, name, [key]), bare))).toEqual([]);
});
