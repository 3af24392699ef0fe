import type { Wishes } from './part.ts';
import { placesOf, type Text, type TextPlace } from '../source/foreign/node.ts';

/** What a person said on the command line beside the sources, so that a problem can point at it. */
export const optionsText = (wishes: Wishes): Text => ({
  file: 'the options',
  text: wishedOptions(wishes)
    .map(([option, value]) => `${option} ${value}`)
    .join(' '),
});

/** Where the value of an option stands in that text; undefined where it was not said. */
export function optionPlace(wishes: Wishes, wanted: OptionName): TextPlace | undefined {
  const text = optionsText(wishes);
  let from = 0;
  for (const [option, value] of wishedOptions(wishes)) {
    from += option.length + 1;
    if (option === wanted) return placesOf(text)(from, from + value.length);
    from += value.length + 1;
  }
  return undefined;
}

type OptionName = '--name' | '--vip' | '--node-subnet' | '--ansible-server' | '--user' | '--kubernetes';

const wishedOptions = (wishes: Wishes): readonly (readonly [OptionName, string])[] =>
  (
    [
      ['--name', wishes.name],
      ['--vip', wishes.vip],
      ['--node-subnet', wishes.nodeSubnet],
      ['--ansible-server', wishes.ansibleServer],
      ['--user', wishes.user],
      ['--kubernetes', wishes.kubernetes],
    ] as const
  ).filter(([, value]) => value !== '');
