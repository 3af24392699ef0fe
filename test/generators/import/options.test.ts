import { expect, test } from 'vitest';
import { importHosts } from '../../../generators/import/hosts.ts';
import { importKubespray } from '../../../generators/import/inventory/index.ts';
import { importTacker } from '../../../generators/import/tacker/index.ts';
import { wishing } from '../../support/definitions/imports.ts';

const words = [{ file: 'the command line', text: '10.0.0.1 10.0.0.2 10.0.0.3' }];

test.each([
  [{ vip: 'foo' }, 7, '"foo" is not an IP address with a prefix'],
  [{ kubernetes: 'latest' }, 14, '"latest" is not a version of Kubernetes'],
  [{ name: 'edge', nodeSubnet: 'xx' }, 27, '"xx" is not a network in CIDR form'],
  [{ ansibleServer: 'a b@host' }, 18, '"a b" is not a name of a user'],
  [{ name: 'Ab_c!' }, 8, '"Ab_c!" is not a name that is safe everywhere'],
  [{ user: 'u u' }, 8, '"u u" is not a name of a user'],
])('what is wrong with the options %o is shown at the option', (wishes, column, message) => {
  const imported = importHosts(words, wishing({ user: 'ops', vip: '10.0.0.80/24', ...wishes }));
  const problems = imported.ok ? [] : imported.failure.problems;
  const found = problems.find((problem) => problem.message === message);
  expect(found?.file).toBe('the options');
  if (!('nodeSubnet' in wishes)) expect(found?.column).toBeGreaterThanOrEqual(column);
});

test('no problem points into a file that was not written', () => {
  const texts = [{ file: 'hosts.ini', text: '[kube_control_plane]\n[kube_node]\n' }];
  const imported = importKubespray(texts, wishing());
  expect(imported.ok ? [] : imported.failure.problems.map(({ file }) => file)).toEqual(['hosts.ini']);
});

test('files of which none is a request have a place in one of them', () => {
  const imported = importTacker([{ file: 'vnfd.yaml', text: 'tosca_definitions_version: x\n' }], wishing());
  expect(imported.ok ? [] : imported.failure.problems.map(({ file, line }) => [file, line])).toEqual([
    ['vnfd.yaml', 1],
  ]);
});

test('a group of control planes whose name is written wrong is told', () => {
  const texts = [
    { file: 'hosts.ini', text: '[kube_controlplan]\nn1 ip=10.3.0.1\n[kube_node]\nn2 ip=10.3.0.2\n' },
  ];
  const imported = importKubespray(texts, wishing({ user: 'ops' }));
  const [problem] = imported.ok ? [] : imported.failure.problems;
  expect(problem?.message).toBe(
    'no group says which of these 2 hosts are control planes; kube_controlplan means nothing here',
  );
  expect(problem?.remedy).toBe('kube_control_plane in place of kube_controlplan');
});

test('doubts are told beside what is wrong', () => {
  const texts = [
    {
      file: 'hosts.ini',
      text: '[kube_control_plane]\nn1 ip=10.3.0.1 ansible_connection=winrm\n[kube_node]\nn2 ip=x\n',
    },
  ];
  const imported = importKubespray(texts, wishing({ user: 'ops' }));
  const severities = imported.ok ? [] : imported.failure.problems.map(({ severity }) => severity);
  expect(new Set(severities)).toEqual(new Set(['error', 'warning']));
});

test('who logs in is asked for by the option, since no key can be written yet', () => {
  const imported = importHosts(words, wishing({ vip: '10.0.0.80/24' }));
  const problems = imported.ok ? [] : imported.failure.problems;
  expect(problems.map(({ remedy }) => remedy)).toEqual(['--user ubuntu, or the user in what is imported']);
});
