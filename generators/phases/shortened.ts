/** Long lists stand in the inventory. */
export const shortened = (names: readonly string[]): string =>
  names.length <= shown
    ? names.join(', ')
    : `${names.slice(0, shown - 1).join(', ')} and ${names.length - shown + 1} more`;

const shown = 8;
