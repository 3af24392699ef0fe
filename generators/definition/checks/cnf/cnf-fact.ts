import type { CnfSources } from '../../cnf/gather.ts';
import type { WrittenCnf } from '../../cnf/sources.ts';
import type { Path } from '../../../source/finding.ts';

/** One CNF of a draft with all that its sources say. */
export interface CnfFact {
  readonly path: Path;
  readonly written: WrittenCnf;
  readonly gathered: CnfSources;
  /** Of Kubernetes; empty: unknown. */
  readonly version: string;
}

/** Kubernetes' own namespaces, and that of the records. */
export const isReserved = (namespace: string): boolean => /^kube-|^playsmith-/.test(namespace);
