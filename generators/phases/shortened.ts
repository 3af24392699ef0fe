/** Long lists stand in the inventory. */
export const shorten = (names: readonly string[]): string =>
  names.length <= namesShown
    ? names.join(', ')
    : `${names.slice(0, namesShown - 1).join(', ')} and ${names.length - namesShown + 1} more`;

const namesShown = 8;
