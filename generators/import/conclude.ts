import type { Problem, Problems } from '../source/problem.ts';
import { loginRemedy } from '../definition/checks/node/access.ts';
import { load } from '../load.ts';
import { failed, ok, type Result } from '../result.ts';
import { compose, type ComposedDefinition } from './compose.ts';
import { complete } from './completed.ts';
import { placeOf } from './leaves.ts';
import { optionPlace } from './options.ts';
import {
  joinParts,
  part,
  type UntouchedPart,
  type ImportPart,
  type Piece,
  type SecretNeed,
  type Wishes,
} from './part.ts';
import { write } from './write.ts';

/** A definition made of somebody else's files, and all that was not in them. */
export interface ImportedDefinition {
  readonly text: string;
  readonly warnings: Problems;
  readonly assumptions: readonly string[];
  readonly secrets: readonly SecretNeed[];
  readonly fixed: readonly string[];
  readonly kept: readonly string[];
  /** Values of the files that are neither in the definition nor behind anything that was said. */
  readonly leftOver: readonly LeftOver[];
}

/** A value that is kept as a comment only: by its keys, and where it stands. */
export interface LeftOver {
  readonly path: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly length: number;
}

/** Why nothing was made, and the text as far as it came. */
export interface RefusedImport {
  readonly problems: Problems;
  readonly draft: string;
}

export interface Conclusion {
  readonly wishes: Wishes;
  /** The file that is going to be written. */
  readonly target: string;
  readonly schema: string;
  /** What was imported, for the first line. */
  readonly sources: readonly string[];
  /** The name of the cluster where nothing says it. */
  readonly name: string;
  /** What the definition, as it is written, leaves over. */
  readonly rest?: (text: string) => ImportPart;
}

/** Puts all parts together, fills in what follows, and lets the definition's own reader judge the result. */
export function conclude(
  parts: readonly ImportPart[],
  conclusion: Conclusion,
): Result<ImportedDefinition, RefusedImport> {
  const wanted = wishedFor(conclusion);
  const told = joinParts([...parts, wanted]);
  const all = joinParts([told, complete(compose(told.pieces), conclusion.name)]);
  const effective = withEffect(all);
  const composed = compose(effective.pieces);
  const writeWith = (kept: readonly UntouchedPart[]): string =>
    write({ composed, schema: conclusion.schema, head: head(effective, conclusion), kept });
  const rest = conclusion.rest?.(writeWith(effective.kept)) ?? part({});
  const kept = [...effective.kept, ...rest.kept];
  const text = writeWith(kept);
  const loaded = load(text, conclusion.target);
  const own = effective.problems.filter(({ severity }) => severity === 'error');
  const found = loaded.ok ? [] : loaded.failure.map((problem) => atSource(inOptions(problem), composed));
  // What cannot be traced back follows from what was said already, else from what the sources do not say.
  const traced = found.filter(({ file }) => file !== conclusion.target);
  const untraced = found.filter(({ file }) => file === conclusion.target);
  const errors = [
    ...own,
    ...traced,
    ...(own.length > 0 ? [] : untraced.map((each) => atStart(each, conclusion))),
  ];
  const doubts = effective.problems.filter(({ severity }) => severity === 'warning');
  if (!loaded.ok || errors.length > 0)
    return failed({ problems: onceEach(withoutRepeats([...errors, ...doubts])), draft: text });
  return ok({
    text,
    warnings: withoutRepeats([...effective.problems, ...loaded.value.warnings]),
    assumptions: effective.assumptions,
    secrets: effective.secrets,
    fixed: effective.fixed,
    kept: kept.map(({ title }) => title),
    leftOver: [...effective.leftOver, ...rest.leftOver].map((leaf) => ({
      path: leaf.path,
      ...placeOf(leaf),
    })),
  });
}

/** What the person says counts more than what the files say. */
function wishedFor({ wishes }: Conclusion): ImportPart {
  const { vip, nodeSubnet, kubernetes, ansibleServer } = wishes;
  const say = (path: Piece['path'], value: unknown, option: Parameters<typeof optionPlace>[1]): Piece[] => {
    const place = optionPlace(wishes, option);
    return place === undefined ? [] : [{ path, value, place }];
  };
  return part({
    pieces: [
      ...say(['controlPlaneEndpoint', 'address'], vip, '--vip'),
      ...say(['network', 'nodeSubnet'], nodeSubnet, '--node-subnet'),
      ...say(['installer', 'kubeadm', 'version'], kubernetes, '--kubernetes'),
      ...say(['ansibleServer'], serverOf(ansibleServer), '--ansible-server'),
      ...say(['metadata', 'name'], wishes.name, '--name'),
    ],
  });
}

function serverOf(text: string): unknown {
  const at = text.lastIndexOf('@');
  if (text === 'local') return text;
  return at < 0 ? { host: text } : { host: text.slice(at + 1), user: text.slice(0, at) };
}

/** Without an installer of ours, what only concerns Kubernetes is kept as a comment until there is one. */
function withEffect(all: ImportPart): ImportPart {
  const { data } = compose(all.pieces);
  const { installer } = data as {
    readonly installer?: Readonly<Record<string, { readonly version?: string }>>;
  };
  if (installer?.['kubeadm']?.version !== undefined || installer?.['kubespray']?.version !== undefined)
    return all;
  const pieces = all.pieces.filter(({ path }) => !isOfKubernetes(path));
  const dropped = all.pieces.filter(({ path }) => isOfKubernetes(path));
  return {
    ...all,
    pieces,
    kept: [
      ...(dropped.length === 0
        ? []
        : [{ title: 'Has an effect only with `installer: { kubeadm: … }`:', data: compose(dropped).data }]),
      ...all.kept,
    ],
  };
}

const isOfKubernetes = (path: Piece['path']): boolean =>
  path[0] === 'containerd' ||
  path[0] === 'installer' ||
  (path[0] === 'controlPlaneEndpoint' && path[1] === 'dnsName') ||
  (path[0] === 'network' && (path[1] === 'plugin' || path[1] === 'mtu'));

function head({ assumptions, secrets, fixed }: ImportPart, { sources }: Conclusion): string[][] {
  return [
    [`Imported from ${sources.join(', ')}.`],
    ...withTitle('Assumed, since no source says it:', assumptions),
    ...withTitle('Corrected:', fixed),
    ...withTitle(
      'Secrets are not written here. Before a run, set:',
      secrets.map(({ variable, what }) => `${variable}: ${what}`),
    ),
    ['Next: npx task check, npx task trust (for the host keys), npx task render'],
  ];
}

const withTitle = (title: string, lines: readonly string[]): string[][] =>
  lines.length === 0 ? [] : [[title, ...lines.map((line) => `- ${line}`)]];

/** Nothing is written yet that a key could be added to: what an option says is the way. */
const inOptions = (problem: Problem): Problem =>
  problem.remedy === loginRemedy
    ? { ...problem, remedy: '--user ubuntu, or the user in what is imported' }
    : problem;

/** A problem of the definition where its value came from. */
function atSource(problem: Problem, { places }: ComposedDefinition): Problem {
  for (let path = problem.path; path !== ''; path = path.replace(/(?:^|\.)[^.[\]]*$|\[\d+\]$/, '')) {
    const place = places.get(path);
    if (place) return { ...problem, ...place };
  }
  return problem;
}

/** A file that is not written yet has no places. */
const atStart = (problem: Problem, { sources }: Conclusion): Problem => ({
  ...problem,
  ...{ file: sources[0] ?? '', line: 1, column: 1, length: 1 },
});

/** What a group says is met at each of its members. */
const withoutRepeats = (problems: Problems): Problems => [
  ...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values(),
];

/** What was said about a place in the importer's own words is not said again in those of the definition. */
function onceEach(problems: Problems): Problems {
  const seen = new Set<string>();
  return problems.filter(({ file, line, column, path }) => {
    const place = `${file}:${line}:${column}`;
    const isSaid = seen.has(place) && path !== '';
    seen.add(place);
    return !isSaid;
  });
}

/** What stands around an import: what the person wishes, and where it goes. */
export type ConclusionSettings = Pick<Conclusion, 'wishes' | 'target' | 'schema' | 'rest'>;
