/** A regular expression that the check cannot prove, and why its cost is bounded all the same. */
export interface Allowed {
  /** Below `src`. */
  readonly file: string;
  /** How its code begins. */
  readonly code: string;
  readonly reason: string;
}

const shortWords =
  'Words of at most 24 letters with a `|` between, and up to five letters behind them.';
const joinedWords = 'Words of the query with a `|` between, escaped: no part of it repeats.';

export const allowed: readonly Allowed[] = [
  {
    file: 'compact/core/segments/headerLines.ts',
    code: '/^(#{1,6} *|[*_]{1,4}|',
    reason: 'Reads lines of at most 200 characters (`maxHeaderChars`).',
  },
  {
    file: 'compact/core/segments/headerLines.ts',
    code: '/^([A-Za-z][\\w. @-]{0,39}?)',
    reason: 'Reads as far as the colon, which stands within the first 200 characters.',
  },
  {
    file: 'compact/core/segments/headerLines.ts',
    code: '/^[ \\t]*[{,]?[ \\t]*(?:"',
    reason: 'Reads the first 300 characters of a line.',
  },
  {
    file: 'platform/egress/paths/commandFiles.ts',
    code: 'new RegExp(',
    reason: 'A list of our own with at most one `*` in an entry; tied to both ends of a name.',
  },
  {
    file: 'platform/egress/paths/privateNames.ts',
    code: 'new RegExp(',
    reason: 'A list of our own with at most three `*` in an entry; tied to both ends of a name.',
  },
  {
    file: 'platform/egress/secrets/withhold.ts',
    code: 'new RegExp(source, flags',
    reason: 'The expressions of `secretText.ts`, which are proved there.',
  },
  {
    file: 'merge/lines.ts',
    code: '/^[}@]\\s*|\\s*[:;{]$/g',
    reason: 'Reads at most 14 characters (`maxFillerLength`).',
  },
  {
    file: 'merge/snippet/omission/omissionText.ts',
    code: '/[\\p{L}\\p{N}\\p{M}_]+(?:',
    reason: 'A match takes the whole run, so that the next search starts behind it.',
  },
  {
    file: 'merge/snippet/markers.ts',
    code: 'new RegExp(ellipsis, "g")',
    reason: 'A match takes the whole run, so that the next search starts behind it.',
  },
  {
    file: 'merge/snippet/pathComment.ts',
    code: '/^\\s*(?:\\/\\/+|#+|--+|',
    reason: 'Reads one line of a text, of fewer than 200 characters.',
  },
  {
    file: 'search/local/paths.ts',
    code: 'new RegExp(`(?:^|/)(?:${names})/`, "i")',
    reason: 'Names of our own with a `|` between: no part of it repeats.',
  },
  {
    file: 'search/local/query/misspelled.ts',
    code: 'new RegExp(this.pattern',
    reason: shortWords,
  },
  {
    file: 'search/local/query/misspelled.ts',
    code: 'new RegExp(`^(?:${this.pattern})$`)',
    reason: shortWords,
  },
  {
    file: 'search/local/uiTexts/entries.ts',
    code: 'new RegExp(',
    reason:
      'Words of the query with a `|` between, a few of at most 300 characters: no part repeats.',
  },
  {
    file: 'search/local/text/routes.ts',
    code: 'new RegExp(\n  `(?<![a-z\\\\d])(?:${segments',
    reason: joinedWords,
  },
  { file: 'search/local/query/termFinder.ts', code: 'new RegExp(this.#forms', reason: joinedWords },
  {
    file: 'search/local/query/termFinder.ts',
    code: 'new RegExp(this.pattern',
    reason: joinedWords,
  },
  {
    file: 'search/local/query/termFinder.ts',
    code: 'new RegExp(this.#source',
    reason: joinedWords,
  },
  {
    file: 'search/view/results.ts',
    code: 'new RegExp(sources.join("|"), "giu")',
    reason: joinedWords,
  },
  {
    file: 'search/tools/grepByNode.ts',
    code: 'RegExp(pattern, "iu")',
    reason:
      'A pattern of the search model: it runs in a thread of its own, which is ended in time.',
  },
  {
    file: 'service/http/keyRedaction.ts',
    code: 'new RegExp(formsOf(key)',
    reason: 'Spells out one key, character by character; no part repeats more than four times.',
  },
  {
    file: 'service/wire/apply.ts',
    code: 'new RegExp(`(</?(?:instruction|code|update))${suffix}`, "gi")',
    reason: 'The suffix is `_s` and a number: no part of it repeats.',
  },
];
