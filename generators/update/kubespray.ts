import { filesOfTag } from '../catalog/kubespray/commits.ts';
import { releases, type KubesprayRelease } from '../catalog/kubespray/releases.ts';
import { compareVersions, minorOf } from '../catalog/kubernetes/version.ts';
import { failed, ok, type Result } from '../result.ts';
import { setAt, textAt } from '../source/edits.ts';

/** A version before and after. */
export interface VersionChange {
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

export interface KubesprayUpdate {
  readonly text: string;
  /** kubespray itself, and Kubernetes where the definition names it; both versions may be the same. */
  readonly changes: readonly VersionChange[];
}

const at = ['installer', 'kubespray'];

/**
 * The text with a newer tag of kubespray, of those whose files are known here, and a Kubernetes that it has; with `minor`
 * one minor version of each further. Undefined where kubespray installs nothing; a failure says why it stays.
 */
export function updateKubespray(text: string, minor: boolean): Result<KubesprayUpdate, string> | undefined {
  const tag = textAt(text, at, 'version');
  if (tag === undefined) return undefined;
  const target = tagAfter(tag, minor);
  if (target === undefined) return failed(`kubespray ${tag} is none of the tags that are known here`);
  const moved = moveTag(text, tag, target.tag);
  if (!moved.ok) return moved;
  const kubernetes = textAt(text, at, 'kubernetes');
  const changes = [{ name: 'kubespray', from: tag, to: target.tag }];
  if (kubernetes === undefined) return ok({ text: moved.value, changes });
  const wanted = kubernetesOf(target, kubernetes, minor);
  if (wanted === undefined)
    return failed(
      `kubespray ${target.tag} has no Kubernetes 1.${minorOf(kubernetes)}: go there first, by --minor`,
    );
  return ok({
    text: wanted === kubernetes ? moved.value : setAt(moved.value, { at, key: 'kubernetes', value: wanted }),
    changes: [...changes, { name: 'kubernetes', from: kubernetes, to: wanted }],
  });
}

/** The newest tag of its minor version, or of the next one. */
function tagAfter(tag: string, minor: boolean): KubesprayRelease | undefined {
  const current = releases.find((each) => each.tag === tag);
  if (current === undefined) return undefined;
  const known = releases.filter((each) => filesOfTag(each.tag) !== undefined);
  const next = known.filter((each) => each.minor === current.minor + (minor ? 1 : 0));
  const later = next.filter((each) => compareVersions(each.tag.slice(1), tag.slice(1)) > 0);
  return later.at(-1) ?? current;
}

function moveTag(text: string, from: string, to: string): Result<string, string> {
  if (from === to) return ok(text);
  const [old, now] = [filesOfTag(from), filesOfTag(to)];
  if (textAt(text, [...at, 'archive'], 'sha256') !== undefined)
    return failed(
      `kubespray ${to} is there: its archive on the Ansible server is yours to bring, with its checksum`,
    );
  const keys = (['commit', 'tree'] as const).filter((key) => textAt(text, at, key) !== undefined);
  if (keys.some((key) => textAt(text, at, key) !== old?.[key]))
    return failed(
      `kubespray ${to} is there: the definition names files with changes of your own, which are yours to bring along`,
    );
  return ok(
    keys.reduce(
      (edited, key) => setAt(edited, { at, key, value: now?.[key] ?? '' }),
      setAt(text, { at, key: 'version', value: to }),
    ),
  );
}

/** The newest patch that the tag has of the same minor version, or of the next one. */
function kubernetesOf({ newest }: KubesprayRelease, current: string, minor: boolean): string | undefined {
  const of = (number: number): string | undefined => newest.find((version) => minorOf(version) === number);
  const same = of(minorOf(current));
  const wanted = (minor ? of(minorOf(current) + 1) : undefined) ?? same;
  return wanted !== undefined && compareVersions(wanted, current) < 0 ? current : wanted;
}
