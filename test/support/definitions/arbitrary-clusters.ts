import fc from 'fast-check';
import type { Argument, Cluster, Machine, Settings } from '../../../generators/cluster/cluster.ts';
import { cluster, containerd, endpoint, kubeadmCluster, machine } from './clusters.ts';

/** Texts that some reader of YAML, JSON, INI, shell or Jinja takes for something else. */
const traps = [
  ...[
    'yes',
    'No',
    'on',
    'OFF',
    'y',
    'n',
    'true',
    'True',
    'null',
    '~',
    'NaN',
    '.inf',
    '-.INF',
    '=',
    '<<',
    'none',
  ],
  ...[
    '022',
    '0755',
    '0o17',
    '0x1F',
    '0b1',
    '1_000',
    '1e3',
    '12:30',
    '22:22:22',
    '1.',
    '.5',
    '+1',
    '-0',
    '190:20:30',
  ],
  ...['2024-01-02', '2024-01-02T03:04:05Z', '02:42:ac:11:00:02', '10.0.0.1', '::1', 'fe80::1%eth0'],
  ...[
    '- a',
    '? a',
    ': a',
    'a: b',
    'a #b',
    '#a',
    '&a',
    '*a',
    '!a',
    '!!str a',
    '%a',
    '@a',
    '`a`',
    '|',
    '>',
    '|-',
    '[a]',
    '{a}',
  ],
  ...[
    "'",
    '"',
    "a'b",
    'a"b',
    '\\',
    '\\n',
    'a\\',
    '---',
    '...',
    '--- a',
    ' a',
    'a ',
    'a  b',
    ',',
    'a,b',
    '$HOME',
    '$(id)',
    ';id',
  ],
  ...[
    'ä',
    '日本',
    '😀',
    '\u00a0',
    '\u2028',
    '\u2029',
    '\ufeff',
    '\u200b',
    '}}',
    '%}',
    '{ {x} }',
    '#}',
    'a=b',
    '-o X',
  ],
];

/** What the reader lets through: no control character, no line break, nothing that Jinja opens. */
const isAccepted = (text: string): boolean => text !== '' && !/[\p{Cc}\p{Cs}]|\{[{%#]/u.test(text);

export const hostileText: fc.Arbitrary<string> = fc
  .oneof(
    fc.constantFrom(...traps),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
    fc.tuple(fc.constantFrom(...traps), fc.constantFrom(...traps)).map((pair) => pair.join('')),
  )
  .filter(isAccepted);

/** Names are safe by the reader's rule, yet may look like something else in YAML. */
const label = fc.oneof(
  fc.constantFrom('yes', 'no', 'null', 'true', 'off', 'y', 'n', 'e1', 'x0755', 'inf', 'nan', 'a-b', 'all-1'),
  fc.stringMatching(/^[a-z]([a-z0-9-]{0,12}[a-z0-9])?$/),
);

const machineName = fc
  .tuple(label, fc.constantFrom('', '', '.a', '.0x1f.example.org'))
  .map((words) => words.join(''));

const address = fc.ipV4();

const arbitraryMachine = (name: string): fc.Arbitrary<Machine> =>
  fc
    .record({
      host: hostileText,
      port: fc.integer({ min: 1, max: 65535 }),
      user: hostileText,
      privateKey: fc.oneof(fc.constant(''), hostileText),
      passwordVariable: fc.constantFrom('', 'vault_password'),
      becomePasswordVariable: fc.constantFrom('', 'vault_sudo'),
      hostKeys: fc.constant<readonly string[]>([]),
      proxyJump: fc.constant(''),
    })
    .chain((ssh) => address.map((own) => machine(name, own, { ssh })));

/** Clusters with up to eight machines and hostile texts wherever the reader allows text. */
export const arbitraryCluster: fc.Arbitrary<Cluster> = fc
  .record({
    names: fc.uniqueArray(machineName, { minLength: 1, maxLength: 8 }),
    http: fc.oneof(fc.constant(''), hostileText),
    https: fc.oneof(fc.constant(''), hostileText),
    noProxy: fc.array(hostileText, { maxLength: 4 }),
    virtual: address,
    port: fc.integer({ min: 1, max: 65535 }),
  })
  .chain(({ names, http, https, noProxy, virtual, port }) =>
    fc.tuple(...names.map(arbitraryMachine)).map((machines) =>
      cluster({
        machines,
        endpoint: { ...endpoint(machines), address: virtual, port },
        proxy: { http, https, noProxy },
      }),
    ),
  );

const programArguments: fc.Arbitrary<readonly Argument[]> = fc
  .uniqueArray(label, { maxLength: 3 })
  .chain((names) => fc.tuple(...names.map((name) => hostileText.map((value) => ({ name, value })))));

/** Fields of somebody else's configuration: keys as the reader lets them through, and values of every kind. */
const settings: fc.Arbitrary<Settings> = fc.dictionary(
  fc
    .stringMatching(/^[A-Z][a-z./-]{0,9}$/)
    .filter((key) => !/^(?:Y|N|Yes|No|On|Off|True|False|Null)$/.test(key)),
  fc.oneof(
    hostileText,
    fc.integer(),
    fc.boolean(),
    fc.array(hostileText, { maxLength: 2 }),
    fc.dictionary(label, hostileText, { maxKeys: 2 }),
  ),
  { maxKeys: 3, noNullPrototype: true },
);

/** Clusters of kubeadm that are told hostile things wherever the definition leaves the words to its author. */
export const arbitraryKubeadm: fc.Arbitrary<Cluster> = fc
  .record({
    extraArguments: fc.record({
      apiServer: programArguments,
      controllerManager: programArguments,
      scheduler: programArguments,
      etcd: programArguments,
    }),
    kubelet: settings,
    kubeProxy: settings,
    rules: fc.array(settings, { maxLength: 2 }),
    cri: fc.dictionary(
      fc.stringMatching(/^[a-z][a-z_]{0,8}$/),
      fc.oneof(hostileText, fc.integer(), fc.boolean()),
      {
        maxKeys: 3,
        noNullPrototype: true,
      },
    ),
  })
  .map(({ rules, cri, ...told }) => {
    const plain = kubeadmCluster();
    return {
      ...plain,
      kubernetes: { ...plain.kubernetes, ...told, audit: { ...plain.kubernetes.audit, rules } },
      containerd: containerd({ pauseImage: plain.containerd.pauseImage, cri }),
    };
  });
