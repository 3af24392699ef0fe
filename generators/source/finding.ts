/** Where in the definition: keys and positions from the top. */
export type Path = readonly (string | number)[];

/** Something to say about a place in the definition, before line and column are known. */
export interface Finding {
  readonly path: Path;
  /** `key`: the key itself is meant, not what stands behind it. */
  readonly at: 'key' | 'value';
  readonly wrong: string;
  readonly right: string;
  readonly severity: 'error' | 'warning';
  /** Of a key that nobody knows: those that may have been meant, so that none of them lacks. */
  readonly meant?: readonly string[];
}

export const problemAt = (path: Path, wrong: string, right: string): Finding => ({
  path,
  at: 'value',
  wrong,
  right,
  severity: 'error',
});

export const keyProblemAt = (path: Path, wrong: string, right: string): Finding => ({
  ...problemAt(path, wrong, right),
  at: 'key',
});

export const warning = (path: Path, wrong: string, right: string): Finding => ({
  ...problemAt(path, wrong, right),
  severity: 'warning',
});

/** About the key itself: it is there for nothing. */
export const keyWarning = (path: Path, wrong: string, right: string): Finding => ({
  ...warning(path, wrong, right),
  at: 'key',
});

/** `nodes[2].ssh.hostKey` */
export const pathText = (path: Path): string =>
  path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '');
