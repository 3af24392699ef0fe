/** The words of a command line without those that every task takes. */
export const withoutCommon = (argv: readonly string[]): readonly string[] =>
  argv.filter((word) => !/^--(?:json|quiet)(?:=true)?$/.test(word));

/** Whether a program reads what is printed. */
export const wantsJson = (argv: readonly string[]): boolean =>
  argv.some((word) => word === '--json' || word === '--json=true');
