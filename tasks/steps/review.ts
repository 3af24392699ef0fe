import type { Bundle } from '../../generators/bundle.ts';
import { failed, ok, type Result } from '../../generators/result.ts';
import type { Failure } from '../runtime/failures.ts';
import type { Rendered } from './bundle.ts';
import { differences, headOf } from './committed.ts';
import { asksForReview } from './review-key.ts';
import { compare } from './write.ts';

/** The commit that holds the reviewed bundle; empty outside a git checkout. */
export interface Revision {
  readonly commit: string;
  /** True when the definition or the bundle differs from the commit. */
  readonly dirty: boolean;
}

/** The commit of a bundle that is a fresh render, and reviewed where the definition asks for that. */
export const reviewed = ({ cluster, bundle, folder, file }: Rendered): Promise<Result<Revision, Failure>> =>
  review(bundle, { folder, definition: file, required: cluster.review === 'required' });

/** Refuses a bundle that is not a fresh render; with `required` also what is not committed. */
export async function review(
  bundle: Bundle,
  {
    folder,
    definition,
    required,
  }: { readonly folder: string; readonly definition: string; readonly required: boolean },
): Promise<Result<Revision, Failure>> {
  const compared = await compare(bundle, folder);
  if (!compared.ok) return compared;
  const { diff } = compared.value;
  if (diff !== '')
    return failed({
      kind: 'drift',
      message: `${folder} is not what the definition renders to; nothing was run (npx task render writes it)`,
      diff,
    });
  const head = await headOf(definition);
  if (head === undefined)
    return required
      ? failed({ kind: 'review', message: noCommit, paths: [] })
      : ok({ commit: '', dirty: false });
  const dirty = await differences(head, { bundle, folder, definition });
  if (dirty.length > 0 && (required || (await asksForReview(head, bundle.cluster, definition))))
    return failed({ kind: 'review', message: required ? notCommitted : takenBack, paths: dirty });
  return ok({ commit: head.commit, dirty: dirty.length > 0 });
}

const noCommit = 'the definition says review: required, but this is not a git checkout with a commit';
const notCommitted =
  'the definition says review: required, but the commit does not hold these; nothing was run';
const takenBack =
  'the committed definition says review: required, but the commit does not hold these; nothing was run';
