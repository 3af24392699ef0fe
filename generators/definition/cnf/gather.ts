import { fileText, type Files } from '../files.ts';
import type { PortProblem } from '../manifests/service-ports.ts';
import { fieldsOf, readObjects, type ManifestObject } from '../manifests/objects.ts';
import { sourcesOf, type CnfSource, type WrittenCnf } from './sources.ts';

/** What a CNF is made of, as its sources say it, and everything that is wrong with them. */
export interface CnfSources {
  readonly files: readonly { readonly title: string; readonly text: string }[];
  readonly objects: readonly WithSource<ManifestObject>[];
  readonly problems: readonly WithSource<PortProblem>[];
  /** Sources that cannot be read, and why. */
  readonly missing: readonly { readonly source: CnfSource; readonly why: string }[];
}

/** Something of a source. */
export type WithSource<Value> = Value & { readonly source: CnfSource };

/** Reads all sources of a CNF. Manifests were read from disk, and charts rendered, by the caller. */
export function gather(cnf: WrittenCnf, version: string, files: Files): CnfSources {
  const sources = sourcesOf(cnf, version);
  const read = sources.flatMap((source) => textsOf(source, files));
  const texts = read.flatMap((each) => ('text' in each ? [each] : []));
  const judged = texts.map(({ source, title, text }) => ({ source, ...readObjects(text, title) }));
  return {
    files: texts.map(({ title, text }) => ({ title, text })),
    objects: judged.flatMap(({ source, objects }) =>
      objects.filter(isNoTest).map((object) => ({ ...object, source })),
    ),
    problems: judged.flatMap(({ source, objects, problems }) =>
      [...problems, ...objects.filter(isNoTest).flatMap(hookProblem)].map((problem) => ({
        ...problem,
        source,
      })),
    ),
    missing: read.flatMap((each) => ('why' in each ? [each] : [])),
  };
}

interface SourceText {
  readonly source: CnfSource;
  readonly title: string;
  readonly text: string;
}

function textsOf(
  source: CnfSource,
  files: Files,
): readonly (SourceText | { readonly source: CnfSource; readonly why: string })[] {
  const found = fileText(files, source.key);
  if (!found.ok) return [{ source, why: found.failure }];
  if (source.kind !== 'files') return [{ source, title: source.title, text: found.value }];
  const names = found.value.split('\n').filter((name) => name !== '');
  if (names.length === 0) return [{ source, why: `there is no file ${source.title}` }];
  return names.map((title) => {
    const text = fileText(files, title);
    return text.ok ? { source, title, text: text.value } : { source, why: text.failure };
  });
}

const hookOf = ({ object }: ManifestObject): string => {
  const hook = fieldsOf(fieldsOf(object['metadata'])['annotations'])['helm.sh/hook'];
  return typeof hook === 'string' ? hook : '';
};

/** What a chart brings to test itself is no part of what it installs. */
const isNoTest = (object: ManifestObject): boolean => !/^test(?:-success|-failure)?$/.test(hookOf(object));

const hookProblem = (object: ManifestObject): readonly PortProblem[] =>
  hookOf(object) === ''
    ? []
    : [
        {
          place: object.place,
          wrong: `${object.kind} ${object.name} is a hook of helm (${hookOf(object)}), which runs at a time that only helm knows`,
          right: 'a chart without hooks, or the value that switches them off',
        },
      ];
