/** Playbooks that no operation runs; rendered where the definition lists them. */
export const extraPlaybookNames = ['conformance', 'etcd-defragment', 'tacker-vim'] as const;

export type ExtraPlaybook = (typeof extraPlaybookNames)[number];

export const isExtraPlaybook = (name: string): boolean => extraPlaybookNames.some((each) => each === name);

/** True for a cluster whose definition lists it. */
export const wants = (
  { extraPlaybooks = [] }: { readonly extraPlaybooks?: readonly ExtraPlaybook[] },
  name: ExtraPlaybook,
): boolean => extraPlaybooks.includes(name);
