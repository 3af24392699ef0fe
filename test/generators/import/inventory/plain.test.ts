import { expect, test } from 'vitest';
import { importAnsible, importKubespray } from '../../../../generators/import/inventory/index.ts';
import { check } from '../../../../library/index.ts';
import { clusterOf, made, wishing } from '../../../support/definitions/imports.ts';

const imported = (variables: string, importer = importAnsible) =>
  importer(
    [
      { file: 'hosts.ini', text: '[masters]\nm1 ip=10.3.0.1\n[workers]\nw1 ip=10.3.0.2\n' },
      { file: 'group_vars/all.yml', text: variables },
    ],
    wishing({ user: 'ops' }),
  );

test('what is reached without a proxy is listed where there is no proxy', () => {
  expect(made(imported('no_proxy: .example.org\n')).leftOver.map(({ path }) => path)).toEqual([
    'all.no_proxy',
  ]);
  const both = imported('no_proxy: .example.org\nhttp_proxy: http://proxy.example.org:3128\n');
  expect(made(both).leftOver).toEqual([]);
  expect(clusterOf(both).proxy).toMatchObject({ http: 'http://proxy.example.org:3128' });
});

test.each([
  ['anybody', importAnsible],
  ['kubespray, which would let everybody read it,', importKubespray],
])(
  'a login at a proxy in an inventory of %s is left out, with advice that can be followed',
  (_, importer) => {
    const login = imported('http_proxy: http://user:canary@proxy.example.org:3128\n', importer);
    const { text, warnings } = made(login);
    expect(text).not.toContain('canary');
    expect(warnings.map(({ remedy }) => remedy)).toContain(
      '`proxy.credentials`, by references to secrets; with kubespray a proxy that asks nobody',
    );
    const references = '{ user: { env: PROXY_USER }, password: { env: PROXY_PASSWORD } }';
    const followed = text.replace(/^proxy: \{ /m, `proxy: { credentials: ${references}, `);
    expect(followed).not.toBe(text);
    const refused = check(followed).filter(({ severity }) => severity === 'error');
    expect(refused.map(({ remedy }) => remedy)).toEqual(
      importer === importKubespray ? ['a proxy that asks nobody, or kubeadm'] : [],
    );
  },
);
