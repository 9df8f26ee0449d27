// The language of the longer texts, as an extension has it.
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { copyPackaged } from '../host/vsix.mjs';
import { hostTests, root, scratch } from '../runner/layout.mjs';
import { longerText } from './texts.mjs';

/** Two letters: no language that Intl or VS Code knows. */
export const longerLanguage = 'xx';

const jsonOf = file => JSON.parse(readFileSync(path.join(root, file), 'utf8'));

/** The files by which the extension has this language: texts by their paths in it. */
export function longerFiles() {
  // The keys of a translation are the English texts.
  const inCode = Object.keys(jsonOf('l10n/bundle.l10n.de.json')).map(text => [text, text]);
  const bundles = {
    [`l10n/bundle.l10n.${longerLanguage}.json`]: inCode,
    [`package.nls.${longerLanguage}.json`]: Object.entries(jsonOf('package.nls.json')),
  };
  return Object.fromEntries(
    Object.entries(bundles).map(([file, texts]) => [
      file,
      JSON.stringify(Object.fromEntries(texts.map(([key, text]) => [key, longerText(text)]))),
    ]),
  );
}

/**
 * A copy of the extension under development that has this language, with the built tests of test/host: VS Code takes
 * tests as a part of the extension whose folder they are in. Returns its folder.
 */
export function copyWithLongerTexts() {
  const folder = path.join(scratch, 'longer');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  copyPackaged(folder);
  for (const [file, text] of Object.entries(longerFiles()))
    writeFileSync(path.join(folder, file), text);
  cpSync(hostTests, path.join(folder, path.relative(root, hostTests)), { recursive: true });
  symlinkSync(path.join(root, 'test'), path.join(folder, 'test')); // with its fixtures
  return folder;
}
