import { correctable, joined, type Part, type Wishes } from '../part.ts';
import { wrongAt, type Entry } from '../../source/foreign/node.ts';
import type { Variables } from './ssh.ts';

/** Ansible passes over `Ansible_host`; it is refused, or read as it was meant where that is wished. */
export function spelled(
  variables: Variables,
  wishes: Wishes,
): { readonly variables: Variables; readonly told: Part } {
  const wrong = [...variables.values()].filter(
    ({ key }) => /^ansible_/i.test(key) && key !== key.toLowerCase(),
  );
  const right = wrong.map((entry): readonly [string, Entry] => [entry.key.toLowerCase(), entry]);
  return {
    variables: wrong.length === 0 ? variables : new Map([...right, ...variables]),
    told: joined(
      wrong.map(({ key, keyPlace }) =>
        correctable(
          wrongAt(keyPlace, `Ansible knows no \`${key}\`, and passes over it`, key.toLowerCase()),
          wishes,
        ),
      ),
    ),
  };
}
