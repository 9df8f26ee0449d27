/** The `contextValue` of a tree item: flags between semicolons, `;endpoint;serves;`. */
export const contextValue = <Flag extends string>(
  first: Flag,
  ...others: readonly Flag[]
): string => `;${[first, ...others].join(';')};`;

/**
 * The `when` clause for the items of a view that have these flags in a row.
 * @param flags each one flag, or a list of which one must be there.
 */
export const itemHas = <Flag extends string>(
  ...flags: readonly (Flag | readonly Flag[])[]
): string => `viewItem =~ /;${flags.map(alternatives).join(';')};/`;

const alternatives = (flag: string | readonly string[]): string =>
  typeof flag === 'string' ? flag : `(${flag.join('|')})`;
