/** Languages that Splice is translated to, by the names that VS Code gives their files. */
export const languages = ['de', 'es', 'ja', 'zh-cn'] as const;
export type Language = (typeof languages)[number];

/** Translations by their keys. */
export type Bundle = Readonly<Record<string, string>>;

/** What is wrong with the translations of a language. */
export interface Faults {
  /** Keys without a translation: their texts stay English. */
  readonly missing: readonly string[];
  /** Keys that the source has no more. */
  readonly unused: readonly string[];
  /** Keys whose translation has other placeholders, commands, links or code than the text. */
  readonly different: readonly string[];
}

/** @param source the English texts by their keys. */
export function faultsOf(source: Bundle, bundle: Bundle): Faults {
  return {
    missing: Object.keys(source).filter(key => !Object.hasOwn(bundle, key)),
    unused: Object.keys(bundle).filter(key => !Object.hasOwn(source, key)),
    different: Object.entries(bundle)
      .filter(([key, text]) => {
        const english = source[key];
        return english !== undefined && fixedParts(english) !== fixedParts(text);
      })
      .map(([key]) => key),
  };
}

/**
 * Placeholders, icons, code, references to settings and the targets of links, which are the same in every language, in
 * an order of their own.
 */
function fixedParts(text: string): string {
  const parts = text.match(/\{\d+\}|\$\([\w~-]+\)|`[^`]*`|\]\([^)]*\)/g) ?? [];
  // A sentence may name a value twice, or once where English has it twice.
  return [...new Set(parts)].sort().join('\n');
}

/** The file of a bundle: keys in the order of the source, and none that the source has no more. */
export function bundleText(source: Bundle, bundle: Bundle): string {
  const kept = Object.keys(source).flatMap(key => {
    const text = bundle[key];
    return text === undefined ? [] : [[key, text] as const];
  });
  return `${JSON.stringify(Object.fromEntries(kept), undefined, 2)}\n`;
}
