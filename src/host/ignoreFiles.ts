import { readFile } from 'node:fs/promises';
import path from 'node:path';
import ignore, { type Ignore } from 'ignore';

/** One ignore file. */
export interface IgnoreRules {
  /** Where it lies; absolute. */
  readonly folder: string;
  readonly rules: Ignore;
}

/** In git's order of strength, the weakest first. */
const names = ['.gitignore', '.ignore', '.rgignore'];

/**
 * Those of one folder.
 * @param entries names in the folder, where they are known: a file that is not there is not looked for
 */
export async function readIgnoreRules(
  folder: string,
  entries?: ReadonlySet<string>,
): Promise<IgnoreRules[]> {
  const found: IgnoreRules[] = [];
  for (const name of names) {
    if (entries && !entries.has(name)) continue;
    const text = await readFile(path.join(folder, name), 'utf8').catch(() => '');
    if (text !== '') found.push({ folder, rules: ignore().add(text) });
  }
  return found;
}

/**
 * The deepest ignore file that says something about a path decides.
 * @param file absolute
 */
export function isIgnored(all: readonly IgnoreRules[], file: string, isFolder: boolean): boolean {
  for (let at = all.length - 1; at >= 0; at--) {
    const entry = all[at];
    if (!entry) continue;
    const below = path.relative(entry.folder, file).split(path.sep).join('/');
    const { ignored, unignored } = entry.rules.test(isFolder ? `${below}/` : below);
    if (ignored || unignored) return ignored;
  }
  return false;
}

/** Whether a file, or a folder above it, is ignored. @param file relative to the root, with `/` */
export async function isIgnoredFile(root: string, file: string): Promise<boolean> {
  const rules: IgnoreRules[] = [];
  let folder = root;
  const parts = file.split('/');
  for (const [at, name] of parts.entries()) {
    rules.push(...(await readIgnoreRules(folder)));
    folder = path.join(folder, name);
    if (isIgnored(rules, folder, at < parts.length - 1)) return true;
  }
  return false;
}
