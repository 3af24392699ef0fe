import { containerdLines, judgeContainerd, recommendedContainerd } from '../catalog/kubernetes/containerd.ts';
import { minorFact, minors, readOn } from '../catalog/kubernetes/minors.ts';
import { compareVersions, lineOf, minorOf } from '../catalog/kubernetes/version.ts';
import { failed, ok, type Result } from '../result.ts';
import type { ComponentName } from './components.ts';

/** What the choice of one component depends on. */
export interface Choice {
  readonly name: ComponentName;
  /** The version that the definition has. */
  readonly current: string;
  /** Whether to go to the next minor version; else only patches. */
  readonly minor: boolean;
  /** Versions that are chosen for what is decided before. */
  readonly chosen: ReadonlyMap<ComponentName, string>;
}

/** The line whose releases are wanted; a failure says why none may be. */
export function lineWanted({ name, current, minor, chosen }: Choice): Result<string, string> {
  if (name === 'kubernetes') return kubernetesLine(current, minor);
  if (name === 'containerd') return ok(containerdLine(current, chosen.get('kubernetes')));
  if (name === 'runc') return ok(runcLine(current, chosen.get('containerd')));
  return ok(lineOf(current));
}

/** The version to write, of all that are published; never an older one than there is. */
export function choose(choice: Choice, line: string, published: readonly string[]): string {
  const { name, current, minor } = choice;
  const wanted = minor && isFree(name) ? nextLine(current, published) : line;
  const able = published.filter((version) => lineOf(version) === wanted);
  return able.reduce((best, version) => (compareVersions(version, best) > 0 ? version : best), current);
}

/** Of these no table says what goes with what. */
const isFree = (name: ComponentName): boolean => !['kubernetes', 'containerd', 'runc'].includes(name);

function kubernetesLine(current: string, minor: boolean): Result<string, string> {
  const wanted = `1.${minorOf(current) + (minor ? 1 : 0)}`;
  if (minorFact(`${wanted}.0`) !== undefined) return ok(wanted);
  const [oldest, newest] = [minors[0]?.minor ?? 0, minors.at(-1)?.minor ?? 0];
  return failed(
    `Kubernetes ${wanted} is not known here: on ${readOn} this version of Playsmith learned of 1.${oldest} to 1.${newest}`,
  );
}

/** The line stays as long as Kubernetes was tested with it and it gets patches. */
function containerdLine(current: string, kubernetes: string | undefined): string {
  const line = containerdLines.find((each) => each.line === lineOf(current));
  if (kubernetes === undefined) return lineOf(current);
  const newest = line && compareVersions(line.newest, current) > 0 ? line.newest : current;
  const fits = judgeContainerd(newest, minorOf(kubernetes)) === 'tested';
  const isOver = line !== undefined && line.endOfLife < readOn;
  return fits && !isOver ? lineOf(current) : lineOf(recommendedContainerd(minorOf(kubernetes)));
}

/** The line that the chosen containerd is tested with, where that is known and not older. */
function runcLine(current: string, containerd: string | undefined): string {
  const tested = containerdLines.find(({ line }) => line === lineOf(containerd ?? ''))?.runc ?? '';
  return tested !== '' && compareVersions(tested, current) > 0 ? lineOf(tested) : lineOf(current);
}

/** The first line after that of the current version, of the same major version, which has releases; else its own. */
function nextLine(current: string, published: readonly string[]): string {
  const [major = ''] = current.split('.');
  const later = published
    .map(lineOf)
    .filter((line) => line.startsWith(`${major}.`) && compareVersions(line, lineOf(current)) > 0);
  return later.sort(compareVersions)[0] ?? lineOf(current);
}
