import * as z from 'zod';
import { readPlain } from '../../../source/scalar.ts';
import { show } from '../judges.ts';
import { labelKey, labelValue, reservedLabel } from '../kubernetes/kubernetes-judges.ts';
import { free, type KeyDocs, type KeyVerdict, type Verdict } from '../key.ts';

/** Why a key is not the user's to set, by key. */
export type OwnedFields = Readonly<Record<string, string>>;

/** Fields of somebody else's configuration: any plain data, but for the fields that are ours. */
export const settings = (owned: OwnedFields, about: KeyDocs): z.ZodRecord<z.ZodString, z.ZodUnknown> =>
  free(z.unknown(), (values) => [...refuseOwned(values, owned), ...notPlain(values, [])], about);

/** The same by who they are for: a group or a host, which `scope` judges by its name. */
export const scopedVariables = (
  owned: OwnedFields,
  scope: (name: string) => Verdict | undefined,
  about: KeyDocs,
): z.ZodRecord<z.ZodString, z.ZodRecord<z.ZodString, z.ZodUnknown>> =>
  free(
    z.record(z.string(), z.unknown()).meta({ description: 'Its variables', examples: [{ kubelet_max_pods: 250 }] }),
    (all) =>
      Object.entries(all).flatMap(([name, values]) => {
        const verdict = scope(name);
        if (verdict) return [{ ...verdict, path: [name] }];
        const inner = (values ?? {});
        return [...refuseOwned(inner, owned), ...notPlain(inner, [])].map((each) => ({ ...each, path: [name, ...each.path] }));
      }),
    about,
  );

/** Settings whose values are single. */
export const scalars = (
  owned: OwnedFields,
  about: KeyDocs,
): z.ZodRecord<z.ZodString, z.ZodUnion<readonly [z.ZodString, z.ZodNumber, z.ZodBoolean]>> =>
  free(
    z.union([z.string(), z.number(), z.boolean()]).meta({ description: 'A string, a number or a boolean' }),
    (values) => [...refuseOwned(values, owned), ...notWords(values, /^[a-z]\w*$/, 'disable_apparmor')],
    about,
  );

/** Arguments of a program: names without dashes, values as texts. */
export const programArguments = (owned: OwnedFields, about: KeyDocs): z.ZodRecord<z.ZodString, z.ZodString> =>
  free(
    z.string().meta({ description: 'Its value', examples: ['"2"'] }),
    (values) => [...refuseOwned(values, owned), ...notWords(values, /^[a-z][a-z0-9-]*$/, 'event-ttl')],
    about,
  );

export const labels = (about: KeyDocs): z.ZodRecord<z.ZodString, z.ZodString> =>
  free(
    z.string().meta({ description: 'The value of the label', examples: ['ssd'] }),
    (values) =>
      Object.entries(values).flatMap(([key, value]) => {
        const verdict = labelKey(key) ?? reservedLabel(key) ?? labelValue(String(value));
        return verdict ? [{ ...verdict, path: [key] }] : [];
      }),
    about,
  );

const refuseOwned = (values: object, owned: OwnedFields): KeyVerdict[] =>
  Object.keys(values)
    .filter((key) => Object.hasOwn(owned, key))
    .map((key) => ({ path: [key], wrong: `\`${key}\` cannot be set here: ${owned[key] ?? ''}`, right: 'remove the key' }));

const notWords = (values: object, pattern: RegExp, example: string): KeyVerdict[] =>
  Object.keys(values)
    .filter((key) => !pattern.test(key))
    .map((key) => ({ path: [key], wrong: `${JSON.stringify(key)} is not a known name there`, right: `a name like ${example}` }));

function notPlain(value: unknown, path: KeyVerdict['path']): KeyVerdict[] {
  if (value === null || value === undefined)
    return [{ path, wrong: 'this has no value', right: 'a value, or nothing at all' }];
  if (typeof value === 'number' && !Number.isFinite(value))
    return [{ path, wrong: 'this number is not finite', right: 'a number that JSON knows' }];
  if (Array.isArray(value)) return value.flatMap((each, index) => notPlain(each, [...path, index]));
  return typeof value === 'object'
    ? Object.entries(value).flatMap(([key, each]) => field(key, each, path))
    : [];
}

/** A key is a word that no version of YAML takes for something else: where it is written it stands without quotes. */
const field = (key: string, value: unknown, path: KeyVerdict['path']): KeyVerdict[] =>
  /^[A-Za-z][\w./-]*$/.test(key) && readPlain(key).value === key && !readPlain(key).trap
    ? notPlain(value, [...path, key])
    : [
        {
          path: [...path, key],
          wrong: `${show(key)} is not a name of a field`,
          right: 'a name like maxPods or memory.available',
        },
      ];
