import * as z from 'zod';
import { inline } from '../../source/inline.ts';

/** What a value should have been: the fault, and an example of what would be right. */
export interface Verdict {
  readonly wrong: string;
  readonly right: string;
}

/** Looks at one value alone; undefined: nothing is wrong with it. */
export type ValueJudge<Value> = (value: Value) => Verdict | undefined;

/** What the reference page and editors show about a key. `absent` says in words what holds without the key. */
export interface KeyDocs {
  readonly description: string;
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly absent?: string;
  readonly type?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  /** What would be right where a number or a truth value stands for a text, when quotes alone would not do. */
  readonly instead?: string;
}

export const text = (judge: ValueJudge<string>, about: KeyDocs): z.ZodString =>
  z.string().check(judgeWith(judge)).meta(meta(about));

export const whole = (minimum: number, maximum: number, about: KeyDocs): z.ZodNumber =>
  z
    .number()
    .check(judgeWith(between(minimum, maximum)))
    .meta(meta({ ...about, type: 'integer', minimum, maximum }));

/** A list of at least one. */
export const list = <Item extends z.ZodType>(item: Item, about: KeyDocs): z.ZodArray<Item> =>
  z
    .array(item)
    .check(judgeWith((items) => (items.length === 0 ? { wrong: 'the list is empty', right: sample(about) } : undefined)))
    .meta({ ...meta(about), minItems: 1 });

export const oneOrMore = <Item extends z.ZodType>(
  item: Item,
  about: KeyDocs,
): z.ZodUnion<readonly [Item, z.ZodArray<Item>]> => z.union([item, list(item, about)]).meta(meta(about));

export const choice = <const Words extends readonly [string, ...string[]]>(
  words: Words,
  about: KeyDocs,
): z.ZodEnum<z.util.ToEnum<Words[number]>> => z.enum(words).meta(meta(about));

export const map = <Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
  about: KeyDocs,
): z.ZodObject<Shape, z.core.$strict> => z.strictObject(shape).meta(meta(about));

/** What is wrong inside a free mapping, and where below it. */
export interface KeyVerdict extends Verdict {
  readonly path: readonly (string | number)[];
}

/** A mapping whose keys are not ours: `judge` looks at all of it. */
export const free = <Value extends z.ZodType>(
  value: Value,
  judge: (values: Readonly<Record<string, unknown>>) => readonly KeyVerdict[],
  about: KeyDocs,
): z.ZodRecord<z.ZodString, Value> =>
  z
    .record(z.string(), value)
    .check(({ value: values, issues }) => {
      for (const { path, wrong, right } of judge(values))
        issues.push({ code: 'custom', input: values, path: [...path], message: wrong, params: { right }, continue: true });
    })
    .meta(meta(about));

/** A mapping in which exactly one of the keys `kinds` stands, like the kinds of a secret; other keys may stand beside it. */
export const oneOf = <Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
  about: KeyDocs,
  kinds: readonly string[] = Object.keys(shape),
): z.ZodObject<Shape, z.core.$strict> =>
  z
    .strictObject(shape)
    .check(judgeWith(exactlyOne(kinds, about)))
    .meta({ ...meta(about), oneOf: kinds.map((kind) => ({ required: [kind] })) });

const judgeWith =
  <Value>(judge: ValueJudge<Value>): z.core.CheckFn<Value> =>
  ({ value, issues }) => {
    const verdict = judge(value);
    if (verdict)
      issues.push({
        code: 'custom',
        input: value,
        message: verdict.wrong,
        params: { right: verdict.right },
        continue: true,
      });
  };

const between =
  (minimum: number, maximum: number): ValueJudge<number> =>
  (value) =>
    Number.isInteger(value) && value >= minimum && value <= maximum
      ? undefined
      : { wrong: `${value} is ${Number.isInteger(value) ? 'out of range' : 'not a whole number'}`, right: `a whole number from ${minimum} to ${maximum}` };

const exactlyOne =
  (kinds: readonly string[], about: KeyDocs): ValueJudge<object> =>
  (value) => {
    const given = Object.keys(value).filter((key) => kinds.includes(key));
    return given.length === 1
      ? undefined
      : {
          wrong: `exactly one of ${kinds.join(', ')} belongs here, not ${given.join(' and ') || 'none'}`,
          right: sample(about),
        };
  };

const sample = (about: KeyDocs): string => inline(about.examples?.[0] ?? []);

const meta = (about: KeyDocs): Record<string, unknown> => ({ ...about });
