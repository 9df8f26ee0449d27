import { leaveOut, listFiles } from './files';
import { type RawFile, queryTerms } from './results';
import { runRipgrep } from './ripgrep';
import { Sandbox, slashes } from './sandbox';
import type { LocalAnswer } from './session';
import { readWhole, splitLines } from './tools/readFile';
import type { SearchWorkspace } from './workspace';

/** Finds places by the query's words, without any service. */
export type LocalEngine = (
  workspace: SearchWorkspace,
  query: string,
  options: {
    /** Files of the answer. */
    readonly limit: number;
    readonly signal: AbortSignal;
    readonly onFirst: (files: readonly RawFile[]) => void;
  },
) => Promise<LocalAnswer>;

const linesAround = { above: 3, below: 10 };
const secondary =
  /(?:^|\/)(?:tests?|fixtures?|examples?|docs?)\/|\.(?:test|spec|md|txt|json|lock)\b/i;

interface Hits {
  readonly root: number;
  readonly path: string;
  /** Terms of each line that has some. */
  readonly lines: readonly { readonly line: number; readonly terms: ReadonlySet<string> }[];
}

/** Ranks files by the distinct rare words of the query in their lines and their names. */
export const searchLocally: LocalEngine = async (workspace, query, { limit, signal, onFirst }) => {
  const terms = queryTerms(query);
  const sandbox = await Sandbox.open(workspace.roots);
  const found: Hits[] = [];
  let searched = 0;
  for (const [root, folder] of sandbox.roots.entries()) {
    const paths: string[] = [];
    const place = { path: folder, root: folder, isDirectory: true };
    await listFiles(workspace, place, signal, file => paths.push(file) < 50_000);
    searched += paths.length;
    const matching = terms.length > 0 ? await withTerm(workspace, terms, folder, signal) : [];
    for (const file of matching ?? paths) {
      signal.throwIfAborted();
      const real = await sandbox.resolve(`${folder}/${file}`).catch(() => undefined);
      if (!real) continue;
      const text =
        workspace.unsaved.get(real.path) ?? (await readWhole(sandbox, real).catch(() => ''));
      const lines = splitLines(text).flatMap((content, at) => {
        const lower = content.toLowerCase();
        const inLine = new Set(terms.filter(term => lower.includes(term)));
        return inLine.size > 0 ? [{ line: at + 1, terms: inLine }] : [];
      });
      if (lines.length > 0) found.push({ root, path: file, lines });
    }
  }
  const weight = new Map(
    terms.map(term => {
      const files = found.filter(({ lines }) => lines.some(line => line.terms.has(term))).length;
      return [term, Math.log(1 + searched / (1 + files))];
    }),
  );
  const worth = (words: Iterable<string>): number =>
    [...words].reduce((sum, word) => sum + (weight.get(word) ?? 0), 0);
  const ranked = found.map(hits => {
    const all = new Set(hits.lines.flatMap(line => [...line.terms]));
    const named = terms.filter(term => hits.path.toLowerCase().includes(term));
    const score = (worth(all) + 2 * worth(named)) * (secondary.test(hits.path) ? 0.3 : 1);
    const best = hits.lines.toSorted((a, b) => worth(b.terms) - worth(a.terms)).slice(0, 3);
    const ranges = best.map(
      ({ line }) => [Math.max(1, line - linesAround.above), line + linesAround.below] as const,
    );
    return { score, file: { root: hits.root, path: hits.path, ranges } };
  });
  const files = ranked
    .sort((a, b) => b.score - a.score || (a.file.path < b.file.path ? -1 : 1))
    .slice(0, limit);
  onFirst(files.map(({ file }) => file));
  return { files: files.map(({ file }) => file), searched };
};

/** Files with any of the terms; undefined where ripgrep cannot say. */
async function withTerm(
  { rgPath, unsaved, ...rest }: SearchWorkspace,
  terms: readonly string[],
  cwd: string,
  signal: AbortSignal,
): Promise<string[] | undefined> {
  // An unsaved text may hold what the disk does not.
  if (rgPath === undefined || unsaved.size > 0) return undefined;
  const files: string[] = [];
  const only = ['--files-with-matches', '--ignore-case', '--fixed-strings', '--max-filesize=2M'];
  const patterns = terms.flatMap(term => ['-e', term]);
  const args = [...only, ...leaveOut({ rgPath, unsaved, ...rest }), ...patterns, '--', './'];
  const onLine = (line: string) => files.push(slashes(line.replace(/^\.[\\/]/, ''))) < 5000;
  const end = await runRipgrep({ rgPath, args, cwd, signal, deadlineMs: 10_000, onLine });
  return end.reason === 'failed' ? undefined : files;
}
