import { expect, test } from 'vitest';
import { plainOf } from '../../../../generators/source/foreign/look.ts';
import { valueOf } from '../../../../generators/import/inventory/ini-values.ts';
import { importKubespray } from '../../../../generators/import/inventory/index.ts';
import { clusterOf, made, wishing } from '../../../support/definitions/imports.ts';

const place = { file: 'hosts.ini', line: 1, column: 1, length: 1 };

/** As ansible-inventory of ansible-core 2.18 prints them. */
test.each<readonly [string, unknown]>([
  ['true', 'true'],
  ['yes', 'yes'],
  ['null', 'null'],
  ['~', '~'],
  ['True', true],
  ['False', false],
  ['None', null],
  ['', ''],
  ['0', 0],
  ['-5', -5],
  ['1_000', 1000],
  ['010', '010'],
  ['1.5', 1.5],
  ['.5', 0.5],
  ['1e5', 100_000],
  ['0x1f', 31],
  ['0o17', 15],
  ['-0x10', -16],
  ['v1.20.7', 'v1.20.7'],
  ['1.20.7', '1.20.7'],
  ['2024-01-02', '2024-01-02'],
  ['22:30', '22:30'],
  ['[1, "a", None]', [1, 'a', null]],
  ["{'a': True, 'b': None}", { a: true, b: null }],
  ['{{ other }}', '{{ other }}'],
])('%j of INI is %j, as Python reads a literal', (text, value) => {
  expect(plainOf(valueOf(text, place))).toEqual(value);
});

test('texts stay texts where kubespray is passed them, and items of one line are all listed', () => {
  const text = [
    '[kube_control_plane]\nnode1 ip=10.0.0.1 quota="0x1f"\n[etcd]\nnode1\n[kube_node]\nnode1\n[all:vars]\nansible_user=ops\n',
    'helm_enabled=true\nmetrics_server_enabled=True\nntp_x=yes\nmy_list=[1, 2, "ape"]\n',
  ].join('');
  const imported = importKubespray([{ file: 'hosts.ini', text }], wishing());
  expect(clusterOf(imported).kubespray.variables).toEqual({
    helm_enabled: 'true',
    metrics_server_enabled: true,
    ntp_x: 'yes',
  });
  expect(made(imported).text).toMatch(
    /all\.my_list\[\] \(hosts\.ini:12:1\):\n# +- 1\n# +- 2\n# +- "\(left out; 3 characters\)"/,
  );
});
