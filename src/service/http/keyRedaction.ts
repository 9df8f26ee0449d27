import { trimEndOf } from '../../base/text/scan';

/** What a redacted form is replaced with. */
const replacement = '…';

/** An encoded form with fewer characters cannot be distinguished from ordinary text. */
const minFormChars = 6;

/** Only the last redactor is kept: all calls of a window use the same key. */
let last: { readonly key: string; readonly redact: (text: string) => string } | undefined;

/**
 * Returns a function that removes a key from text of the service, in every form in which a service may
 * quote it: as it is or in another case, escaped for a URL, JSON or HTML, as hexadecimal, and in base64,
 * where it may begin at any of three offsets within a longer text.
 */
export function createKeyRedactor(key: string): (text: string) => string {
  if (last?.key === key) return last.redact;
  let pattern: RegExp | undefined;
  const redact = (text: string): string => {
    // Built on first use: most calls never need it.
    pattern ??= new RegExp(formsOf(key).join('|'), 'gi');
    return text.replace(pattern, replacement);
  };
  last = { key, redact };
  return redact;
}

function formsOf(key: string): string[] {
  const forms = [Array.from(key, escapedCharacter).join('')];
  // Changing the case before encoding changes the bytes.
  const spellings = new Set([key, key.toLowerCase(), key.toUpperCase(), swappedCase(key)]);
  for (const spelling of spellings) {
    const bytes = Buffer.from(spelling);
    const base64 = [0, 1, 2].map(offset => base64Within(bytes, offset));
    for (const form of base64) if (form.length >= minFormChars) forms.push(base64Pattern(form));
    if (bytes.length >= minFormChars / 2) forms.push(hexPattern(bytes));
  }
  return forms;
}

function swappedCase(text: string): string {
  return text.replace(/[a-z]/gi, char =>
    char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase(),
  );
}

/** The character itself, `%41`, `\u0041`, `\x41`, `&#65;` or `&#x41;`, each also escaped once more. */
function escapedCharacter(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  const hex = code.toString(16).padStart(2, '0');
  const forms = [
    `\\\\{0,4}${char.replace(/\W/, '\\$&')}`,
    `%(?:25)?${hex}`,
    `\\\\{1,4}u${hex.padStart(4, '0')}`,
    `\\\\{1,4}x${hex}`,
    `&(?:amp;)?#(?:0{0,4}${code}|x0{0,4}${hex});`,
  ];
  return `(?:${forms.join('|')})`;
}

/** The base64 characters that do not depend on the text around the key, `offset` bytes into a group of three. */
function base64Within(bytes: Buffer, offset: number): string {
  const text = trimEndOf(Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64'), '=');
  // The characters at both ends also hold bits of neighbouring bytes.
  const start = Math.ceil((offset * 4) / 3);
  const isWholeGroup = (offset + bytes.length) % 3 === 0;
  return text.slice(start, isWholeGroup ? undefined : -1);
}

function base64Pattern(form: string): string {
  return form.replaceAll('+', '(?:[+ -]|%2b)').replaceAll('/', '(?:[/_]|\\\\/|%2f)');
}

/** `736b2d`, also with a colon, space or hyphen between the bytes. */
function hexPattern(bytes: Buffer): string {
  return [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('[ :-]?');
}
