// Names and messages that stand in a repository, searched as somebody would who has read them elsewhere: is the file
// that declares the name, or has the message, the first one? Next to the file that ripgrep finds them most often in.
//   npm run bench -- searchNamed <folder>   40 names that 12 or more files use, and 40 messages of one file
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { localSearch } from '../../src/search/local/localSearch';
import { listSearchedFiles } from '../../src/search/workspace/searchedFiles';
import { ripgrepPath } from '../support/unit/ripgrepPath';

const root = path.resolve(process.argv[2] ?? 'src');
const rgPath = ripgrepPath();
const queryCount = 40;
const minUsers = 12;

let seed = 11;
const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;

/** The declarations that a line begins with in most languages; an expression of its own, as a check on the search. */
const declaration =
  /^\s*(?:(?:export|default|public|private|protected|static|final|abstract|async|pub|declare)\s+)*(?:class|interface|struct|enum|trait|def|fn|func|function|module|type)\s+([A-Za-z_]\w{4,})\b/gm;
const message = /(["'`])([A-Za-z][^"'`\\\n%{}$<>]{19,89})\1/g;
const code = /\.(?:[cm]?[jt]sx?|py|rs|go|java|rb|[ch]|cs|cpp)$/;
const aside = /test|spec|fixture|mock|example|vendor/i;

/** By file. */
type Texts = ReadonlyMap<string, string>;
type Places = Map<string, Set<string>>;
const add = (places: Places, key: string, file: string): void => {
  places.set(key, (places.get(key) ?? new Set()).add(file));
};

/** The files that each name is declared in, that use it, and that have each message. */
function read(texts: Texts) {
  const declared: Places = new Map();
  const used: Places = new Map();
  const said: Places = new Map();
  for (const [file, text] of texts) {
    for (const [, name = ''] of text.matchAll(declaration)) add(declared, name, file);
    for (const [name] of text.matchAll(/[A-Za-z_]\w{4,}/g)) add(used, name, file);
    for (const [, , words = ''] of text.matchAll(message)) {
      if (words.split(' ').length > 3) add(said, words, file);
    }
  }
  return { declared, used, said };
}

/** The keys of one file, some of them. */
function sample(places: Places, fits: (key: string) => boolean): [key: string, file: string][] {
  const all = [...places].flatMap(([key, [file = '', ...others]]): [string, string][] =>
    others.length === 0 && !aside.test(file) && fits(key) ? [[key, file]] : [],
  );
  all.sort(([a], [b]) => (a < b ? -1 : 1));
  for (let at = all.length - 1; at > 0; at--) {
    const other = random(at + 1);
    [all[at], all[other]] = [all[other] ?? ['', ''], all[at] ?? ['', '']];
  }
  return all.slice(0, queryCount);
}

const placeOf = (files: readonly string[], wanted: string): number => {
  const at = [...new Set(files)].indexOf(wanted);
  return at < 0 ? Number.POSITIVE_INFINITY : at;
};

/** Files by how often they have words. */
const byCount = (texts: Texts, words: string): string[] =>
  Array.from(texts, ([file, text]) => ({ file, count: text.split(words).length - 1 }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count)
    .map(({ file }) => file);

const share = (places: readonly number[], most: number): string =>
  `${((100 * places.filter(place => place < most).length) / places.length).toFixed(1)} %`.padStart(
    8,
  );

function report(title: string, places: readonly number[]): void {
  const shares = [1, 5, 10].map(most => share(places, most)).join('');
  console.log(`${title.padEnd(44)}${shares}   (${places.length})`);
}

const listed = (await listSearchedFiles(root, { rgPath }, { deadlineMs: 60_000 })) ?? [];
const files = listed.filter(file => code.test(file)).toSorted();
const texts = new Map(
  files.map(file => [file, readFileSync(path.join(root, file), 'utf8')] as const),
);
const { declared, used, said } = read(texts);
const names = sample(declared, name => (used.get(name)?.size ?? 0) >= minUsers);
const messages = sample(said, () => true);
console.log(`${root}: ${files.length} sources; found in the first 1, 5 and 10 files`);
for (const [kind, queries] of [
  ['names', names],
  ['messages', messages],
] as const) {
  const own: number[] = [];
  const counted: number[] = [];
  for (const [query, file] of queries) {
    const results = await localSearch(root, query, { limit: 10, rgPath });
    own.push(
      placeOf(
        results.map(result => result.path),
        file,
      ),
    );
    counted.push(placeOf(byCount(texts, query), file));
  }
  report(`${kind}: the search`, own);
  report(`${kind}: the files that have it most often`, counted);
}
