import { hasGap } from '../../gaps.ts';
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

/** Whether all that it is made of could be read; else any object may be in the rest. */
export const isRead = ({ written, gathered }: CnfFact): boolean =>
  gathered.missing.length === 0 && !hasGap(written, 'manifests.*', ...ofCharts.map((key) => `helm.*.${key}`));

const ofCharts = ['chart', 'release', 'values', 'set.*'];

/** Kubernetes' own namespaces, and that of the records. */
export const isReserved = (namespace: string): boolean => /^kube-|^playsmith-/.test(namespace);
