import { describe, expect, test } from 'vitest';
import { changed, printed, said, sound } from './support.ts';

test('a sound definition has neither faults nor warnings', () => {
  expect(said(sound)).toEqual([]);
});

describe('what is printed', () => {
  test('an unknown key with the nearest known one', () => {
    expect(printed(changed(['apiVersion: playsmith/v1', 'apiVersion: playsmith/v1\nreveiw: required']))).toBe(
      `cluster.yml:2:1: unknown key "reveiw"; known here: apiVersion, kind, metadata, review, ansibleServer, installer, containerd, offline, network, ssh, controlPlaneEndpoint, nodes, hosts, storage, externalLoadBalancer, cnfs, drills, extraPlaybooks, patch, messages, schedule, proxy
  2 | reveiw: required
    | ^^^^^^
  Fix: review
`,
    );
  });

  test('several faults in the order of the file, structure and meaning alike', () => {
    const text = changed(
      ['podSubnet: 10.244.0.0/16', 'podSubnet: 10.244.3.0/16'],
      ['placement: stacked', 'placement: stackd'],
      ['address: 192.0.2.21', 'address: 192.0.3.21'],
    );
    expect(printed(text))
      .toBe(`cluster.yml:6:14: "10.244.3.0/16" has host bits set: it is an address inside 10.244.0.0/16
  6 |   podSubnet: 10.244.3.0/16
    |              ^^^^^^^^^^^^^
  Fix: 10.244.0.0/16

cluster.yml:13:16: \`placement\` cannot be "stackd"
  13 |     placement: stackd
     |                ^^^^^^
  Fix: stacked

cluster.yml:30:14: 192.0.3.21 of worker01 is outside the node network 192.0.2.0/24
  30 |     address: 192.0.3.21
     |              ^^^^^^^^^^
  Fix: an address inside it, or \`network.nodeSubnet\` with every network of the nodes
`);
  });

  test('a secret in plain text, never the text', () => {
    const text = changed([
      'election: nopreempt }',
      'virtualRouterId: 999, password: hunter2, election: nopreempt }',
    ]);
    expect(printed(text)).toBe(`cluster.yml:14:36: 999 is out of range
  14 |     keepalived: { virtualRouterId: 999, password: *******, election: nopreempt }
     |                                    ^^^
  Fix: a whole number from 1 to 255

cluster.yml:14:51: \`password\` is a secret, which is never written in a definition
  14 |     keepalived: { virtualRouterId: 999, password: *******, election: nopreempt }
     |                                                   ^^^^^^^
  Fix: { env: KEEPALIVED_PASSWORD }, or another place where it is kept: file, command or vault
`);
  });

  test('a warning', () => {
    expect(printed(changed(['address: 192.0.2.21', 'address: 192.0.2.21\n    vrrpPriority: 7']))).toBe(
      `cluster.yml:31:5: warning: this has no effect: worker01 never holds the virtual address
  31 |     vrrpPriority: 7
     |     ^^^^^^^^^^^^
  Fix: remove the key
`,
    );
  });

  test('only a part of a long line, without what a terminal would obey', () => {
    const text = changed([
      'user: ansible',
      `user: ansible, port: 1, ${' '.repeat(300)} direktory: "\u001b[31m"`,
    ]);
    expect(printed(text)).toMatch(/^ {2}4 \| .{0,110}\n {4}\| {20}\^{9}$/m);
    expect(printed(text)).not.toContain('\u001b');
  });
});

describe('each fault has its place', () => {
  test.each<[title: string, text: string, expected: readonly string[]]>([
    ['an empty file', '', ['1:1 the file is empty → a definition; `npx task init` makes one']],
    ['only a comment', '# later\n', ['1:1 the file is empty → a definition; `npx task init` makes one']],
    [
      'a list',
      '- a\n',
      ['1:1 the definition must be a mapping (KEY: VALUE), not a list → a mapping (KEY: VALUE)'],
    ],
    [
      'a second document',
      `${sound}---\n${sound}`,
      [
        '32:1 a second document begins here; one file holds one cluster → a file of its own for the second one',
      ],
    ],
    [
      'a directive',
      `%YAML 1.1\n---\n${sound}`,
      ['1:1 YAML directives (lines that begin with %) are not allowed here → the file without it'],
    ],
    [
      'a tab as indentation',
      changed(['  podSubnet', '\tpodSubnet']),
      ['6:1 a tab indents this line, which YAML does not allow → spaces'],
    ],
    [
      'a tab before an item, from which all below it follows',
      changed(['  - name: master02', '\t- name: master02']),
      ['21:1 a tab indents this line, which YAML does not allow → spaces'],
    ],
    [
      'a line that is indented too far',
      changed(['  port: 8443', '    port: 8443']),
      [
        '10:12 a second `: ` in one value, or a line that is indented too far → the value in quotes, or the same number of spaces as the lines beside it',
      ],
    ],
    [
      'another version',
      changed(['playsmith/v1', 'playsmith/v2']),
      ['1:13 `apiVersion` cannot be "playsmith/v2" → playsmith/v1'],
    ],
    [
      'another kind',
      changed(['Cluster', 'Swarm']),
      ['2:7 `kind` cannot be "Swarm" → Cluster or OpenStackAnsibleMagnum or Fleet'],
    ],
    [
      'a missing key, at what should hold it',
      changed(['metadata: { name: edge-a }', 'metadata: {}']),
      ['3:1 `name` is missing in `metadata` → name: edge-a'],
    ],
    [
      'a missing key at the top',
      changed(['ansibleServer: { host: 198.51.100.5, user: ansible }\n', '']),
      ['1:1 `ansibleServer` is missing in the definition → ansibleServer: local'],
    ],
    [
      'a key without a value',
      changed(['placement: stacked', 'placement:']),
      ['13:5 `placement` has no value → stacked; or nothing at all'],
    ],
    [
      'a needed key without a value',
      changed(['metadata: { name: edge-a }', 'metadata:']),
      ['3:1 `metadata` has no value → { name: edge-a }'],
    ],
    [
      'a fault inside a mapping that could have been a word',
      changed(
        ['host: 198.51.100.5', 'host: 5, port: x'],
        ['placement: stacked', 'placement: { host: [lb01] }'],
      ),
      [
        '4:24 `host` must be a string, not the number 5 → the same in "quotes", if it is meant as a string, like 192.0.2.5',
        '4:33 `port` must be a number, not "x" → 22',
        '13:18 unknown key "host"; known here: hosts → hosts',
      ],
    ],
    [
      'neither the word nor the mapping',
      changed(['ansibleServer: { host: 198.51.100.5, user: ansible }', 'ansibleServer: [local]']),
      ['4:16 `ansibleServer` cannot be a list → local or { host: 192.0.2.5, user: ansible }'],
    ],
    [
      'a number where a text belongs',
      changed(['user: ubuntu', 'user: 1000']),
      [
        '8:14 `user` must be a string, not the number 1000 → the same in "quotes", if it is meant as a string, like ubuntu',
      ],
    ],
    [
      'a text where a number belongs',
      changed(['port: 8443', 'port: "8443"']),
      ['11:9 `port` must be a number, not "8443" → 8443, without quotes'],
    ],
    [
      'a fraction',
      changed(['port: 8443', 'port: 84.43']),
      ['11:9 84.43 is not a whole number → a whole number from 1 to 65535'],
    ],
    [
      'a mapping where a list belongs',
      changed(['roles: [control-plane]', 'roles: { control-plane: true }']),
      ['18:12 `roles` must be a list, not a mapping → [control-plane]'],
    ],
    [
      'an empty list',
      changed(['roles: [control-plane]', 'roles: []']),
      ['18:12 the list is empty → [control-plane]'],
    ],
    [
      'a repeated key',
      changed(['port: 8443', 'port: 8443\n  port: 8444']),
      ['12:3 `port` is listed twice → one of the two'],
    ],
    [
      'an anchor and its alias',
      changed(['address: 192.0.2.11', 'address: &a 192.0.2.11'], ['address: 192.0.2.12', 'address: *a']),
      [
        '19:17 anchors are not allowed here → the value without `&…`',
        '23:14 aliases are not allowed here → the value itself',
      ],
    ],
    [
      'a merge key',
      changed(['ssh: { user: ubuntu }', 'ssh: { <<: { user: ubuntu }, user: ubuntu }']),
      ['8:6 merge keys (`<<`) are not allowed here → the keys themselves'],
    ],
    [
      'a tag',
      changed(['user: ubuntu', 'user: !vault ubuntu']),
      ['8:21 YAML tags are not allowed here → the value without `!…`'],
    ],
    [
      'a key that is no word',
      changed(['ssh: { user: ubuntu }', 'ssh: { user: ubuntu, [a]: b }']),
      ['8:6 a key is a word → KEY: VALUE'],
    ],
    [
      'a truth value in disguise',
      changed(['user: ubuntu', 'user: on']),
      [
        '8:14 `on` is true in YAML 1.1 and a string in YAML 1.2 → "on" in quotes if a string is meant, true if the boolean is',
      ],
    ],
    [
      'an octal number in disguise',
      changed(['port: 8443', 'port: 0443']),
      [
        '11:9 `0443` is the number 291 in YAML 1.1 and the number 443 in YAML 1.2 → "0443" in quotes if a string is meant, 443 if the number is',
      ],
    ],
    [
      'a template',
      changed(['user: ubuntu', "user: \"{{ lookup('pipe', 'id') }}\""]),
      ['8:14 {{, {% and {# begin a template, which Ansible would evaluate → the text without it'],
    ],
    [
      'several lines',
      changed(['user: ubuntu', 'user: "a\\nb"']),
      ['8:14 this text has more than one line → the text without it'],
    ],
    [
      'an invisible character',
      changed(['user: ubuntu', 'user: "a\\u202eb"']),
      ['8:14 this text holds a character that cannot be seen, or does not exist → the text without it'],
    ],
    [
      'two sources of one secret',
      changed(['user: ubuntu', 'user: ubuntu, password: { env: A, file: b }']),
      [
        '8:32 exactly one of env, file, command, vault belongs here, not env and file → { env: SSH_PASSWORD }',
      ],
    ],
    [
      'a secret inside a secret',
      changed(['user: ubuntu', 'user: ubuntu, password: { value: hunter2 }']),
      ['8:34 unknown key "value"; known here: env, file, command, vault → one of those, or none'],
    ],
    [
      'credentials in a proxy',
      `${sound}proxy: { https: "http://me:hunter2@proxy:3128" }\n`,
      [
        '32:17 a user or a password in this URL would be readable in every file → http://proxy.example.org:3128, and below `proxy` the `credentials`',
      ],
    ],
  ])('%s', (_title, text, expected) => {
    expect(said(text)).toEqual(expected);
    expect(printed(text)).not.toContain('hunter2');
  });
});

describe('the text itself', () => {
  test('a byte order mark and Windows line ends are no faults, and lines are counted right', () => {
    expect(said(`\uFEFF${sound.replaceAll('\n', '\r\n')}`)).toEqual([]);
    expect(said(changed(['playsmith/v1', 'playsmith/v1\nwhat: 1']).replaceAll('\n', '\r\n'))[0]).toMatch(
      /^2:1 /,
    );
  });

  test.each([
    ['brackets', '['.repeat(100_000)],
    ['list marks', '- '.repeat(100_000)],
    ['key marks', '? '.repeat(10_000)],
    ['indentation', Array.from({ length: 3_000 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')],
    ['mappings', `a: ${'{ a: '.repeat(300)}1${' }'.repeat(300)}`],
  ])('nesting by %s is refused before it can hurt', (_title, text) => {
    expect(said(text).join('\n')).toContain('nested too deep');
  });

  test('a file of more than 16 MB is refused unread', () => {
    expect(said('a'.repeat(17 * 1024 * 1024))).toEqual([
      '1:1 the file is larger than 16 MB → one cluster in a file',
    ]);
  });

  test('ten thousand laughs stay a few lines', () => {
    const lines = [
      'a0: &a0 [ha]',
      ...Array.from({ length: 30 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n}, *a${n}, *a${n}]`),
    ];
    expect(said(lines.join('\n')).length).toBeLessThan(200);
  });

  test('a syntax fault shows no secret', () => {
    const text = changed(['user: ubuntu }', 'user: ubuntu, password: hunter2']);
    expect(printed(text)).not.toContain('hunter2');
    expect(said(text).length).toBeGreaterThan(0);
  });
});
