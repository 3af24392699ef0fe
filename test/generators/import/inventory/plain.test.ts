import { expect, test } from 'vitest';
import { importAnsible } from '../../../../generators/import/inventory/index.ts';
import { clusterOf, made, wishing } from '../../../support/definitions/imports.ts';

const imported = (variables: string) =>
  importAnsible(
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
