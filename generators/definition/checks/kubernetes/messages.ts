import { problemAt, type Finding } from '../../../source/finding.ts';
import type { Facts } from '../facts.ts';

/** Receivers are told apart by their names. */
export const messages = ({ draft: { messages: written = [] } }: Facts): readonly Finding[] => {
  const names = written.map((receiver) => receiver?.name);
  return names.flatMap((name, index) =>
    name !== undefined && names.indexOf(name) < index
      ? [
          problemAt(
            ['messages', index, 'name'],
            `another receiver is called ${name} as well`,
            'a name of its own',
          ),
        ]
      : [],
  );
};
