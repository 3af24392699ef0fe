import { expect, test } from 'vitest';
import { changed, loaded, said } from './support.ts';

const kubeadm = 'installer: { kubeadm: { version: 1.35.9 } }\n';
const defined = (names: string, installer = kubeadm): string =>
  changed(['network:\n', `${installer}extraPlaybooks: ${names}\nnetwork:\n  plugin: static-routes\n`]);

test('are those that are listed, each once and in one order', () => {
  expect(loaded(defined('[tacker-vim, conformance, tacker-vim]')).cluster.extraPlaybooks).toEqual([
    'conformance',
    'tacker-vim',
  ]);
  expect(loaded(changed()).cluster).not.toHaveProperty('extraPlaybooks');
});

test('that nobody knows is told with those that there are', () => {
  expect(said(defined('[conformity]')).join()).toMatch(
    /cannot be "conformity".*`conformance`|cannot be "conformity"/,
  );
});

test('that would not be rendered is told', () => {
  expect(said(defined('[tacker-vim, conformance]', '')).join()).toMatch(
    /tacker-vim.*nobody here installs Kubernetes/,
  );
});
