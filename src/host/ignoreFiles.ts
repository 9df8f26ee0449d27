import { readFile } from 'node:fs/promises';
import path from 'node:path';
import ignore, { type Ignore } from 'ignore';

/** One ignore file. */
export interface IgnoreRules {
  /** Where it lies, relative to the root. */
  readonly folder: string;
  readonly rules: Ignore;
}

/** Those of one folder, given relative to the root with `/`. */
export async function readIgnoreRules(root: string, folder: string): Promise<IgnoreRules[]> {
  const found: IgnoreRules[] = [];
  for (const name of ['.gitignore', '.ignore', '.rgignore']) {
    const text = await readFile(path.join(root, folder, name), 'utf8').catch(() => '');
    if (text !== '') found.push({ folder, rules: ignore().add(text) });
  }
  return found;
}

/**
 * The deepest ignore file that says something about a path decides.
 * @param file relative to the root, with `/`; a folder ends with one
 */
export function isIgnored(all: readonly IgnoreRules[], file: string): boolean {
  for (let at = all.length - 1; at >= 0; at--) {
    const entry = all[at];
    if (!entry) continue;
    const below = entry.folder === '' ? file : file.slice(entry.folder.length + 1);
    const { ignored, unignored } = entry.rules.test(below);
    if (ignored || unignored) return ignored;
  }
  return false;
}

/** Whether a file, or a folder above it, is ignored. @param file as in {@link isIgnored} */
export async function isIgnoredFile(root: string, file: string): Promise<boolean> {
  const rules: IgnoreRules[] = [];
  let folder = '';
  for (const name of file.split('/')) {
    rules.push(...(await readIgnoreRules(root, folder)));
    const next = folder === '' ? name : `${folder}/${name}`;
    if (isIgnored(rules, next === file ? file : `${next}/`)) return true;
    folder = next;
  }
  return false;
}
