// C0, C1, zero-width and bidirectional characters: they can hide or reorder what is displayed.
const unsafe = /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]+/gu;
// Some services quote the key in "incorrect API key provided: …".
const keyLike = /\b(?:sk|pk|key)[-_][\w-]{8,}|Bearer\s+\S+/gi;

/** Makes text from the service safe for a message: one line, no invisible characters, no key, at most `max` characters. */
export function cleanServerText(text: string, max = 300): string {
  const clean = text
    .slice(0, 4 * max)
    .replace(unsafe, ' ')
    .replace(keyLike, '…')
    .trim();
  return clean.length > max ? `${clean.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…` : clean;
}
