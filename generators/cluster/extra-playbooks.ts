import type { Cluster } from './cluster.ts';

/** Playbooks that no operation runs; rendered where the definition lists them. */
export const extraPlaybookNames = ['conformance', 'tacker-vim'] as const;

export type ExtraPlaybook = (typeof extraPlaybookNames)[number];

export const isExtraPlaybook = (name: string): boolean => extraPlaybookNames.some((each) => each === name);

export const wants = ({ extraPlaybooks = [] }: Cluster, name: ExtraPlaybook): boolean =>
  extraPlaybooks.includes(name);
