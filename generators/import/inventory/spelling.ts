import { correctable, joinParts, type ImportPart, type Wishes } from '../part.ts';
import { wrongAt, type MapEntry } from '../../source/foreign/node.ts';
import type { VariablesOfHost } from './ssh.ts';

/** Ansible passes over `Ansible_host`; it is refused, or read as it was meant where that is wished. */
export function correctSpelling(
  variables: VariablesOfHost,
  wishes: Wishes,
): { readonly variables: VariablesOfHost; readonly told: ImportPart } {
  const wrong = [...variables.values()].filter(
    ({ key }) => /^ansible_/i.test(key) && key !== key.toLowerCase(),
  );
  const right = wrong.map((entry): readonly [string, MapEntry] => [entry.key.toLowerCase(), entry]);
  return {
    variables: wrong.length === 0 ? variables : new Map([...right, ...variables]),
    told: joinParts(
      wrong.map(({ key, keyPlace }) =>
        correctable(
          wrongAt(keyPlace, `Ansible knows no \`${key}\`, and passes over it`, key.toLowerCase()),
          wishes,
        ),
      ),
    ),
  };
}
