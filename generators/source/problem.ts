/** One thing that is wrong with a definition: where, what, and what would be right. Lines and columns start at 1. */
export interface Problem {
  readonly severity: 'error' | 'warning';
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** UTF-16 units of that line that are meant; at least 1. */
  readonly length: number;
  /** Like `nodes[2].ssh.hostKey`; empty for the whole file. */
  readonly path: string;
  readonly message: string;
  readonly remedy: string;
}

export type Problems = readonly Problem[];
