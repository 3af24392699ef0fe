import type { Cluster, Cnf } from '../cluster/cluster.ts';
import { nearest } from '../source/nearest.ts';

/** True for the playbooks that are about CNFs, and so about no machine. */
export const isAboutCnfs = (playbook: string): boolean => playbook.startsWith('cnf-');

/** The variable that tells a playbook about CNFs which of them it is about. */
export const cnfNamesVariable = (playbook: string): string => `${playbook.replace('-', '_')}_names`;

/** The CNFs that a playbook is told of by `variable=value`, in that order; none: all of them. */
export function cnfsIn(playbook: string, given: readonly string[]): readonly string[] {
  const start = `${cnfNamesVariable(playbook)}=`;
  const said = given.find((pair) => pair.startsWith(start));
  return said === undefined
    ? []
    : said
        .slice(start.length)
        .split(',')
        .filter((name) => name !== '');
}

/** What a step about CNFs tells its playbook. Who agreed to what it deletes agreed by the name of the CNF. */
export const cnfVariables = (
  playbook: string,
  names: readonly string[],
  deletes: boolean,
): readonly string[] => [
  ...(names.length === 0 ? [] : [`${cnfNamesVariable(playbook)}=${names.join(',')}`]),
  ...(playbook === 'cnf-update' && deletes ? ['cnf_update_prune=yes'] : []),
];

/** Why a playbook about CNFs cannot be run with these words, one sentence each; what was removed can be taken away still. */
export function cnfProblems(
  { cnfs }: Cluster,
  playbook: string,
  given: readonly string[],
): readonly string[] {
  if (!isAboutCnfs(playbook)) return [];
  const names = cnfsIn(playbook, given);
  const known = cnfs.all.map(({ name }) => name);
  const strange = byRecord.includes(playbook) ? [] : names.filter((name) => !known.includes(name));
  const found = cnfs.all.find(({ name }) => name === names[0]);
  return [
    ...strange.map((name) => {
      const meant = nearest(name, known);
      return `${name} is no CNF of the definition${meant === undefined ? '' : `; is it ${meant}?`}`;
    }),
    ...(playbook === 'cnf-scale' && found !== undefined ? scalingProblems(found, given) : []),
  ];
}

/** They go by what is recorded in the cluster. */
const byRecord: readonly string[] = ['cnf-terminate', 'cnf-status', 'cnf-kubeconfig'];

function scalingProblems({ name, scaling }: Cnf, given: readonly string[]): readonly string[] {
  const said = (word: string): string | undefined =>
    given.find((pair) => pair.startsWith(`cnf_scale_${word}=`))?.split('=')[1];
  const numbers = ['out', 'in', 'level'].filter((word) => said(word) !== undefined);
  const aspects = scaling.map(({ aspect }) => aspect);
  const aspect = scaling.find((each) => each.aspect === said('aspect'));
  const level = Number(said('level') ?? 0);
  return [
    ...(numbers.length === 1
      ? []
      : ['cnf-scale goes out by steps, in by steps, or to a level: one of the three']),
    ...(said('aspect') === undefined || aspect !== undefined
      ? []
      : [`${name} has no aspect ${said('aspect') ?? ''}; it has ${aspects.join(', ') || 'none'}`]),
    ...(aspect !== undefined && aspect.minimum + level * aspect.step > aspect.maximum
      ? [
          `level ${level} of ${aspect.aspect} would be ${aspect.minimum + level * aspect.step} replicas, and the maximum is ${aspect.maximum}`,
        ]
      : []),
  ];
}
