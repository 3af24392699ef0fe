/** What `--tags` and `--skip-tags` ask for; empty lists ask for nothing. */
export interface Selection {
  readonly only: readonly string[];
  readonly skip: readonly string[];
}

/** Tags as Ansible reads them: a list or a text, each entry perhaps several joined by commas. */
export function tagsOf(value: unknown): readonly string[] {
  const entries: readonly unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [value];
  return entries
    .flatMap((entry) => String(entry).split(','))
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}

/** True when Ansible runs a task with these tags. A task without any counts as `untagged`. */
export function selects({ only, skip }: Selection, tags: readonly string[]): boolean {
  const own = new Set(tags.length > 0 ? tags : ['untagged']);
  return isWanted(only.length > 0 ? only : ['all'], own) && !isSkipped(skip, own);
}

function isWanted(only: readonly string[], own: ReadonlySet<string>): boolean {
  if (own.has('always') || only.some((tag) => own.has(tag))) return true;
  if (own.has('never')) return false;
  return only.includes('all') || (only.includes('tagged') && !own.has('untagged'));
}

function isSkipped(skip: readonly string[], own: ReadonlySet<string>): boolean {
  if (skip.includes('all')) return !own.has('always') || skip.includes('always');
  return skip.some((tag) => own.has(tag)) || (skip.includes('tagged') && !own.has('untagged'));
}
