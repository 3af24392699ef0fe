import { problemAt, type Finding } from '../../../source/finding.ts';
import type { CnfFact } from './cnf-fact.ts';

/** What the API server wants of a LimitRange: each amount is no more than the next. */
const order = ['min', 'defaultRequest', 'default', 'max'] as const;

/** Limits of one resource are in their order. */
export function cnfLimits({ path, written: { limits } }: CnfFact): readonly Finding[] {
  const names = [...new Set(order.flatMap((key) => Object.keys(limits?.[key] ?? {})))];
  return names.flatMap((name) => {
    const given = order.flatMap((key) => {
      const text = limits?.[key]?.[name];
      const amount = amountOf(text ?? '');
      return text === undefined || amount === undefined ? [] : [{ key, text, amount }];
    });
    return given.slice(1).flatMap((late, index) => {
      const early = given[index];
      return early && late.amount < early.amount
        ? [
            problemAt(
              [...path, 'limits', late.key, name],
              `the ${late.key} of ${name}, ${late.text}, is less than its ${early.key}, ${early.text}, and the API server refuses that`,
              'min, defaultRequest, default and max, each no less than the one before',
            ),
          ]
        : [];
    });
  });
}

/** undefined: it is no amount. */
function amountOf(text: string): number | undefined {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)([a-zA-Z]*)$/.exec(text) ?? [];
  const factor = factors.get(unit);
  return number === '' || factor === undefined ? undefined : Number(number) * factor;
}

const factors: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['m', 0.001],
  ...['k', 'M', 'G', 'T', 'P', 'E'].map((unit, index) => [unit, 1000 ** (index + 1)] as const),
  ...['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'].map((unit, index) => [unit, 1024 ** (index + 1)] as const),
]);
