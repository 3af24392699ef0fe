import { describe, expect, test } from 'vitest';
import { readObjects } from '../../../../generators/definition/manifests/objects.ts';

const titles = (text: string): readonly string[] =>
  readObjects(text, 'web.yaml').objects.map(
    ({ kind, name, namespace, place }) => `${kind} ${namespace}/${name} ${place}`,
  );

const problems = (text: string): readonly string[] =>
  readObjects(text, 'web.yaml').problems.map(({ place, wrong }) => `${place} ${wrong}`);

describe('the objects of a manifest', () => {
  test('are found in several documents, with the line at which each begins', () => {
    expect(
      titles(
        '# first\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n---\n---\napiVersion: v1\nkind: Secret\nmetadata: { name: b, namespace: x }\n',
      ),
    ).toEqual(['ConfigMap /a web.yaml:2:1', 'Secret x/b web.yaml:7:1']);
  });

  test('are those of a List, and of a list of one kind whose items do not say it', () => {
    const list = (kind: string, item: string): string =>
      `apiVersion: v1\nkind: ${kind}\nitems:\n  - ${item}\n  - metadata: { name: b }\n    apiVersion: v1\n    kind: ConfigMap\n`;
    expect(titles(list('List', '{ apiVersion: v1, kind: Service, metadata: { name: a } }'))).toEqual([
      'Service /a web.yaml:4:5',
      'ConfigMap /b web.yaml:5:5',
    ]);
    expect(titles(list('ConfigMapList', '{ metadata: { name: a } }'))).toEqual([
      'ConfigMap /a web.yaml:4:5',
      'ConfigMap /b web.yaml:5:5',
    ]);
  });

  test('have the numbers and words that kubectl reads', () => {
    const [object] = readObjects(
      'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\nmode: 0644\nmodern: 0o17\nmany: 1_000\nword: yes\ntime: 12:30\nempty: ~\nhex: 0x10\n',
      'a.yaml',
    ).objects;
    expect(object?.object).toMatchObject({
      mode: 0o644,
      modern: 0o17,
      many: 1000,
      word: true,
      time: '12:30',
      empty: null,
      hex: 16,
    });
  });

  // What kubectl 1.36.3 says of each: `kubectl patch --local --type merge --patch {} --output json --filename …`.
  test.each([
    ['No', false],
    ['y', true],
    ['OFF', false],
    ['on', true],
    ['yEs', 'yEs'],
    ['"yes"', 'yes'],
    ['!!str yes', 'yes'],
    ['!!bool yes', true],
    ['0b101', 5],
    ['-0X1f', -31],
    ['0o1_7', 15],
    ['0x1_0', 16],
    ['089', 89],
    ['-0644', -420],
    ['0_7', 7],
    ['0b2', '0b2'],
    ['1_000.5', 1000.5],
    ['685_230.15e+3', 685_230_150],
    ['.5', 0.5],
    ['._5', '._5'],
    ['_1', '_1'],
    ['1.2.3', '1.2.3'],
    ['190:20:30', '190:20:30'],
    ['2024-01-02', '2024-01-02'],
    ['!!timestamp 2024-01-02', '2024-01-02'],
    ['!!float 5', 5],
    ['!!binary aGVsbG8=', 'hello'],
    ['!!omap [ a: 1 ]', [{ a: 1 }]],
    ['!local 5', '5'],
  ])('%s is what kubectl takes it for', (text, expected) => {
    const [object] = readObjects(
      `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\nvalue: ${text}\n`,
      'a.yaml',
    ).objects;
    expect(object?.object['value']).toEqual(expected);
  });

  test.each(['!!int x', '!!bool x', '!!int 5.5', '!!binary "%"'])('%s is none, as for kubectl', (text) => {
    expect(problems(`apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\nvalue: ${text}\n`)).toEqual([
      expect.stringMatching(/^web\.yaml:4:\d+ this is not YAML$/),
    ]);
  });

  test('are none in a document that holds nothing but comments', () => {
    const text =
      '# from helm\n---\napiVersion: v1\nkind: Secret\nmetadata: { name: a }\n---\n# nothing\n---\nnull\n---\n';
    expect(titles(text)).toEqual(['Secret /a web.yaml:3:1']);
    expect(problems(text)).toEqual([]);
  });

  test('lose what only an API server says of them', () => {
    const [object] = readObjects(
      'apiVersion: v1\nkind: Service\nmetadata: { name: a, uid: 1, resourceVersion: "7" }\nstatus: {}\n',
      'a.yaml',
    ).objects;
    expect(object?.object).toEqual({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'a' } });
  });
});

describe('numbers that JSON has not', () => {
  const data = (value: string): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\nspec:\n  value: ${value}\n`;

  test.each(['9007199254740993', '-9007199254740993', '0x20000000000001', '1e400', '.inf', '-.Inf', '.nan'])(
    '%s is refused with its place',
    (value) => {
      expect(problems(data(value))).toEqual([
        expect.stringMatching(/^web\.yaml:5:10 (?:this number is larger|JSON has no such number)/),
      ]);
    },
  );

  test.each(['9007199254740991', '1e3', '"9007199254740993"', '0.5'])('%s is one', (value) => {
    expect(problems(data(value))).toEqual([]);
  });
});

describe('what is wrong in a manifest', () => {
  test.each(['yes', '12'])('a name that kubectl takes for no text is advised to be quoted: %s', (name) => {
    const text = `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name} }\n`;
    expect(readObjects(text, 'web.yaml').problems.map(({ right }) => right)).toEqual([
      'the name in "quotes": kubectl takes it for no text',
    ]);
    expect(readObjects(text.replace(name, `"${name}"`), 'web.yaml').problems).toEqual([]);
  });

  test.each([
    ['apiVersion: v1\nkind: [', 'web.yaml:2:8 this is not YAML'],
    ['', 'web.yaml:1:1 it holds no object of Kubernetes'],
    ['- a\n', 'web.yaml:1:1 this is no object of Kubernetes'],
    ['metadata: { name: a }\n', 'web.yaml:1:1 this object has no `kind`'],
    ['kind: Pod\nmetadata: { name: a }\n', 'web.yaml:1:1 this Pod has no `apiVersion`'],
    [
      'apiVersion: v1\nkind: Pod\nmetadata: { name: A_b }\n',
      'web.yaml:3:19 this Pod has no sound `metadata.name`',
    ],
    ['apiVersion: v1\nkind: Pod\n', 'web.yaml:1:1 this Pod has no sound `metadata.name`'],
    [
      'apiVersion: v1\nkind: Pod\nmetadata: { generateName: a- }\n',
      'web.yaml:1:1 this Pod gets another name each time',
    ],
    [
      'apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n  namespace: B\n',
      'web.yaml:5:14 the namespace of the Pod a is not a name',
    ],
  ])('%j is said with line and column', (text, said) => {
    expect(problems(text).join()).toContain(said);
  });

  test('is all said at once', () => {
    expect(problems('kind: A\n---\nkind: B\n')).toHaveLength(2);
  });
});
