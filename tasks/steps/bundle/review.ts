import type { Bundle } from '../../../generators/bundle.ts';
import { failed, ok, type Result } from '../../../generators/result.ts';
import type { Failure } from '../../runtime/failures.ts';
import type { RenderedBundle } from './bundle.ts';
import { differences, headOf } from './committed.ts';
import { missing } from './pushed.ts';
import { askedOf } from './review-key.ts';
import { compare } from './write.ts';

/** The commit that holds the reviewed bundle; empty outside a git checkout. */
export interface Revision {
  readonly commit: string;
  /** True when the definition or the bundle differs from the commit. */
  readonly dirty: boolean;
}

/** The commit of a bundle that is a fresh render, and reviewed where the definition asks for that. */
export const requireReview = ({
  cluster,
  bundle,
  folder,
  file,
}: RenderedBundle): Promise<Result<Revision, Failure>> =>
  review(bundle, { folder, definition: file, asked: cluster.review });

/**
 * Refuses a bundle that is not a fresh render, and what is not committed or not pushed as far as `review` of the
 * definition asks for that: here, in the commit, or where it was pushed.
 */
export async function review(
  bundle: Bundle,
  {
    folder,
    definition,
    asked,
  }: { readonly folder: string; readonly definition: string; readonly asked: string },
): Promise<Result<Revision, Failure>> {
  const [compared, head] = await Promise.all([compare(bundle, folder), headOf(definition)]);
  if (!compared.ok) return compared;
  const { diff } = compared.value;
  if (diff !== '')
    return failed({
      kind: 'drift',
      message: `${folder} is not what the definition renders to; nothing was run (npx task render writes it)`,
      diff,
    });
  if (head === undefined)
    return asked !== 'optional'
      ? failed({ kind: 'review', message: noCommit, paths: [] })
      : ok({ commit: '', dirty: false });
  const [dirty, committed] = await Promise.all([
    differences(head, { bundle, folder, definition }),
    askedOf(head, { cluster: bundle.cluster, definition }),
  ]);
  const wanted = [asked, ...committed];
  if (dirty.length > 0 && wanted.some((each) => each !== 'optional'))
    return failed({
      kind: 'review',
      message: asked === 'optional' ? takenBack : notCommitted(asked),
      paths: dirty,
    });
  for (const branch of new Set(wanted.filter((each) => each.startsWith(pushedPrefix)))) {
    const reason = await missing(head, branch.slice(pushedPrefix.length));
    if (reason !== '') return failed({ kind: 'review', message: `${reason}; nothing was run`, paths: [] });
  }
  return ok({ commit: head.commit, dirty: dirty.length > 0 });
}

const pushedPrefix = 'pushed:';
const noCommit = 'the definition asks for review, but this is not a git checkout with a commit';
const notCommitted = (asked: string): string =>
  `the definition says review: ${asked}, but the commit does not hold these; nothing was run`;
const takenBack =
  'the committed definition asks for review, but the commit does not hold these; nothing was run';
