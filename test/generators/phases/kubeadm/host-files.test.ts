import { expect, test } from 'vitest';
import { expression } from '../../../../generators/data-file.ts';
import { hostFiles, type HostFiles } from '../../../../generators/phases/kubeadm/host-files.ts';
import { kubeadmCluster, machine } from '../../../support/definitions/clusters.ts';

const told = (maxPods: Readonly<Record<string, number>>): HostFiles =>
  hostFiles(
    kubeadmCluster(),
    Object.keys(maxPods).map((name, index) => machine(name, `10.0.0.${String(index + 1)}`)),
    {
      path: 'files/told',
      why: 'what {{ inventory_hostname }} is told',
      documents: ({ name }) => [{ name: expression('{{ inventory_hostname }}'), pods: maxPods[name] ?? 0 }],
    },
  );

const paths = ({ files }: HostFiles): readonly string[] => files.map(({ path }) => path);

test('hosts that are told the same are told by one file, however many there are', () => {
  const all = told({ a: 1, b: 1, c: 1 });
  expect(paths(all)).toEqual(['files/told.yaml.j2']);
  expect(all.files[0]?.text).toContain('\nname: "{{ inventory_hostname }}"\npods: 1\n');
  expect(paths(told({ a: 1 }))).toEqual(['files/told.yaml.j2']);
});

test('who is told otherwise than most has a file of its own', () => {
  const mixed = told({ a: 2, b: 1, c: 3, d: 1 });
  expect(paths(mixed)).toEqual(['files/told.yaml.j2', 'files/told/a.yaml.j2', 'files/told/c.yaml.j2']);
  expect(mixed.files.map(({ text }) => text.at(-2))).toEqual(['1', '2', '3']);
});

test('Ansible reads it by the same words, whoever is told otherwise', () => {
  expect(told({ a: 2, b: 1 }).lookup).toBe(told({ a: 1, b: 1 }).lookup);
  expect(told({ a: 1 }).lookup.replace('\n     ', '')).toBe(
    "lookup('template', lookup('first_found', ['files/told/' ~ inventory_hostname ~ '.yaml.j2', 'files/told.yaml.j2']))",
  );
});

test('of two as frequent the plainer one is for all, and without hosts there is none', () => {
  expect(paths(told({ a: 100, b: 1 }))).toEqual(['files/told.yaml.j2', 'files/told/a.yaml.j2']);
  expect(paths(told({}))).toEqual([]);
});
