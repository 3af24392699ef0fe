import { variableName } from '../../../cluster/variable-name.ts';
import { problemAt, type Finding } from '../../../source/finding.ts';
import type { Facts, MachineFact } from '../facts.ts';
import { reachedTwice } from './dial.ts';
import { repetitions } from './repeated.ts';

/** Every machine has a name, an address and a way to it of its own. */
export const names = ({ nodes, hosts, draft }: Facts): readonly Finding[] => {
  const machines = [...nodes, ...hosts];
  return [
    ...repetitions(machines, ({ written }) => written.name).map(([machine, first]) =>
      problemAt(
        [...machine.path, 'name'],
        `${machine.name} is already the name of ${placeOf(first)}`,
        'a name that no other machine has',
      ),
    ),
    ...repetitions(machines, ({ written: { name } }) => name && variableName(name))
      .filter(([machine, first]) => machine.name !== first.name)
      .map(([machine, first]) =>
        problemAt(
          [...machine.path, 'name'],
          `${machine.name} differs from ${first.name} in hyphens and dots alone, which variables cannot tell apart`,
          'a name that differs in more',
        ),
      ),
    ...repetitions(machines, ({ address }) => address?.address).map(([machine, first]) =>
      problemAt(
        [...machine.path, 'address'],
        `${machine.address?.address ?? ''} is already the address of ${first.name}`,
        'an address that no other machine has',
      ),
    ),
    ...reachedTwice(machines, draft),
  ];
};

const placeOf = ({ path }: MachineFact): string => `${String(path[0])}[${String(path[1])}]`;
