import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isRecord } from '../../src/base/typeGuards';
import type { Bundle, Language } from './bundles';
import { sourceTexts } from './sourceTexts';

export { type Bundle, bundleText, faultsOf, type Language, languages } from './bundles';

/** The files with the translations of a language, and the English texts that they are for. */
export interface TranslatedFile {
  /** Relative to the project. */
  readonly file: string;
  readonly source: Bundle;
}

/** @param root the folder of the project. */
export function translatedFiles(root: string, language: Language): TranslatedFile[] {
  return [
    { file: `l10n/bundle.l10n.${language}.json`, source: codeTexts(root) },
    {
      file: `package.nls.${language}.json`,
      source: readBundle(path.join(root, 'package.nls.json')) ?? {},
    },
  ];
}

/** Texts in the code, which are their own keys. */
function codeTexts(root: string): Bundle {
  const folder = path.join(root, 'src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .sort();
  const texts = files.flatMap(name => sourceTexts(readFileSync(path.join(folder, name), 'utf8')));
  return Object.fromEntries(texts.filter(hasWords).map(text => [text, text]));
}

/** What is nothing but placeholders and signs is the same in every language. */
const hasWords = (text: string): boolean =>
  /\p{L}/u.test(text.replaceAll(/\{\d+\}|\$\([\w~-]+\)/g, ''));

/** Undefined where there is no such file. */
export function readBundle(file: string): Bundle | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  const json: unknown = JSON.parse(text);
  if (!isRecord(json)) throw new Error(`${file} is no object`);
  return Object.fromEntries(
    Object.entries(json).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
