import { describe, expect, test } from 'vitest';
import { cnfProblems, cnfsIn, cnfVariables } from '../../../generators/operations/cnf.ts';
import { deployment, webCluster } from '../../support/definitions/cnfs.ts';

const web = webCluster(
  deployment('web'),
  ', scaling: [{ aspect: front, kind: Deployment, name: web, step: 2, maximum: 5 }]',
);
const faults = (playbook: string, ...given: readonly string[]): string =>
  cnfProblems(web, playbook, given).join('\n');

describe('what a playbook about CNFs is told', () => {
  test('is read back from its variables', () => {
    expect(cnfsIn('cnf-update', ['cnf_update_names=a,b', 'cnf_update_prune=yes'])).toEqual(['a', 'b']);
    expect(cnfsIn('cnf-update', [])).toEqual([]);
    expect(cnfVariables('cnf-update', ['a'], true)).toEqual(['cnf_update_names=a', 'cnf_update_prune=yes']);
    expect(cnfVariables('cnf-terminate', ['a'], true)).toEqual(['cnf_terminate_names=a']);
  });

  test('names CNFs of the definition, but for what is taken away or looked at', () => {
    expect(faults('cnf-instantiate', 'cnf_instantiate_names=wed')).toBe(
      'wed is no CNF of the definition; is it web?',
    );
    expect(faults('cnf-terminate', 'cnf_terminate_names=gone')).toBe('');
    expect(faults('haproxy')).toBe('');
  });

  test('scales an aspect by one number within its bounds', () => {
    const scale = (...words: readonly string[]): string =>
      faults('cnf-scale', 'cnf_scale_names=web', ...words.map((word) => `cnf_scale_${word}`));
    expect(scale('aspect=front', 'out=1')).toBe('');
    expect(scale('aspect=front', 'out=1', 'in=1')).toContain('one of the three');
    expect(scale('aspect=front')).toContain('one of the three');
    expect(scale('aspect=back', 'out=1')).toBe('web has no aspect back; it has front');
    expect(scale('aspect=front', 'level=2')).toBe('');
    expect(scale('aspect=front', 'level=3')).toBe(
      'level 3 of front would be 7 replicas, and the maximum is 5',
    );
  });
});
