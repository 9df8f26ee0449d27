import { syntaxLanguage } from './languages';
import { readCode } from './readCode';
import { readMarkup } from './readMarkup';
import { readPython } from './readPython';
import type { SyntaxFault } from './syntaxFault';

/** Longer texts are data, and are not read; in characters. */
const maxLength = 1_000_000;

/** True when the reader knows the language and no text is too long. */
export function isSyntaxRead(path: string, ...texts: readonly string[]): boolean {
  return syntaxLanguage(path) !== undefined && texts.every(({ length }) => length <= maxLength);
}

/** Where a text stops to be well-formed; undefined when it is, or when its language is not read. */
export function findFault(text: string, path: string): SyntaxFault | undefined {
  const language = syntaxLanguage(path);
  if (language === undefined || text.length > maxLength) return undefined;
  if (language.kind === 'markup') return readMarkup(text, language);
  return language.kind === 'python' ? readPython(text, language) : readCode(text, language);
}
