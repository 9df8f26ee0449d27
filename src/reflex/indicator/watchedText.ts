/** When a watched text is classified. Times in milliseconds, lengths in characters. */
export const watchLimits = {
  /** Delay after the last keystroke. */
  debounceMs: 1000,
  /** Minimum time between two requests. */
  spacingMs: 5000,
  /** Minimum change since the last classified text. */
  minChangedChars: 20,
  minChars: 40,
  maxChars: 8000,
  timeoutMs: 5000,
  maxCached: 500,
  /** Pause after a failure that only the user can fix. */
  backoffMs: 600_000,
  /** Pause after a transient failure. */
  retryMs: 30_000,
} as const;

export type Where = 'paragraph' | 'prompt';

export interface WatchedText {
  /** Identifies the document, for example by its URI. */
  readonly key: string;
  readonly text: string;
  readonly where: Where;
}

/** Why a file is not watched. */
export type Exclusion = 'kind' | 'private' | 'ignored' | 'place' | 'noEditor';

export interface WatchedFile {
  readonly scheme: string;
  /** Path relative to the workspace folder, with `/`; undefined for a file outside. */
  readonly path: string | undefined;
  readonly languageId: string;
  readonly isPrivate: boolean;
  readonly isIgnored: boolean;
  /** Whether it matches the user's file patterns. */
  readonly isWanted: boolean;
}

/** Prose languages. Source code is never watched, whatever the settings say. */
const proseLanguages: ReadonlySet<string> = new Set([
  'markdown',
  'plaintext',
  'prompt',
  'instructions',
  'chatagent',
  'chatmode',
  'skill',
  'mdx',
  'restructuredtext',
  'asciidoc',
  'latex',
]);

/** @returns undefined if the file may be watched. */
export function exclusionOf(file: WatchedFile): Exclusion | undefined {
  if (file.scheme !== 'file' || file.path === undefined) return 'place';
  if (file.isPrivate) return 'private';
  if (!proseLanguages.has(file.languageId) || !file.isWanted) return 'kind';
  return file.isIgnored ? 'ignored' : undefined;
}

/** The lines around the cursor up to blank lines, at most {@link watchLimits.maxChars} characters. */
export function paragraphAt(
  lineAt: (line: number) => string,
  lineCount: number,
  { line, character }: { readonly line: number; readonly character: number },
): string {
  const own = lineAt(line);
  if (own.trim() === '') return '';
  const { maxChars } = watchLimits;
  if (own.length > maxChars) {
    const from = Math.max(0, Math.min(character - maxChars / 2, own.length - maxChars));
    return own.slice(from, from + maxChars);
  }
  const lines = [own];
  let length = own.length;
  const take = (at: number): string | undefined => {
    const text = at >= 0 && at < lineCount ? lineAt(at) : '';
    if (text.trim() === '' || length + text.length + 1 > maxChars) return undefined;
    length += text.length + 1;
    return text;
  };
  for (let at = line - 1, text = take(at); text !== undefined; text = take(--at)) {
    lines.unshift(text);
  }
  for (let at = line + 1, text = take(at); text !== undefined; text = take(++at)) lines.push(text);
  return lines.join('\n');
}

/** Number of characters between the common prefix and the common suffix of two texts. */
export function changedChars(before: string, after: string): number {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  let end = 0;
  while (
    end < most - start &&
    before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)
  ) {
    end++;
  }
  return Math.max(before.length, after.length) - start - end;
}
