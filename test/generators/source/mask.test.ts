import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maskSecrets } from '../../../generators/source/mask.ts';
import { printed } from '../definition/support.ts';

test.each([
  ['a long word', 'a'.repeat(300_000)],
  ['a word of nothing but secrets', 'pass'.repeat(75_000)],
  ['much space', `pass${' '.repeat(300_000)}`],
])('a text that cannot be read and holds %s does not keep a reader waiting for ever', (_, word) => {
  // Backtracking over so much takes hours, and the runner ends a test before.
  expect(maskSecrets(`x: [${word}`)).toContain('x: [');
});

describe('what may be a secret is covered', () => {
  test.each([
    ['password: hunter2', 'password: *******'],
    ['a: { passphrase: hunter2, b: 1 }', 'a: { passphrase: *******, b: 1 }'],
    [
      'a:\n  password: |\n    hunter2\n    hunter3\nb: 1',
      'a:\n  password: *\n***********\n***********\nb: 1',
    ],
    ['password: { value: hunter2 }', 'password: { value: ******* }'],
    ['password: { env: hunter-2 }', 'password: { env: ******** }'],
    ['password: [hunter2]', 'password: *********'],
    ['passwd: hunter2', 'passwd: *******'],
    ['pasword: hunter2', 'pasword: *******'],
    ['apiToken: hunter2', 'apiToken: *******'],
    ['proxy: { http: "http://me:hunter2@proxy" }', `proxy: { http: ${'*'.repeat(25)} }`],
    ['password: hunter2\n  x: [', 'password: *******\n  x: ['],
    ['x: [\n"password": hunter2 # it', 'x: [\n"password": ************'],
  ])('%s', (text, expected) => {
    expect(maskSecrets(text)).toBe(expected);
  });

  test.each([
    'password: { env: HUNTER }',
    'password: { file: secrets/one }',
    'password: { command: [pass, show, one] }',
    'password: { vault: { file: a.yml, key: b, password: { env: C } } }',
    'http: http://proxy:3128',
  ])('%s says only where it is kept', (text) => {
    expect(maskSecrets(text)).toBe(text);
  });
});

test('no word of a secret is printed wherever it stands, whatever else is wrong', () => {
  const secret = 'CANARY';
  const place = fc.constantFrom(
    (value: string) => `ssh: { password: ${value} }`,
    (value: string) => `ssh:\n  becomePassword: ${value}`,
    (value: string) => `ansibleServer: { host: a, auth: { passphrase: ${value} } }`,
    (value: string) => `controlPlaneEndpoint: { loadBalancer: { keepalived: { password: ${value}, x: 1 } } }`,
    (value: string) => `nodes:\n  - { name: A_B, ssh: { password: ${value} } }`,
    (value: string) => `ssh: { password: { vault: { password: ${value} } } }`,
  );
  const form = fc.constantFrom(
    secret,
    `"${secret}"`,
    `'${secret}'`,
    `"${secret}\\n"`,
    `[${secret}]`,
    `{ value: ${secret} }`,
    `!vault ${secret}`,
    `&a ${secret}`,
    `"{{ ${secret} }}"`,
    `"${secret}`,
    `{ env: "${secret} ${secret}" }`,
  );
  fc.assert(
    fc.property(place, form, (write, value) => {
      expect(printed(write(value))).not.toContain(secret);
    }),
    { numRuns: 300 },
  );
});
