import { LinePattern } from '../../similarity';
import type { BlockPlace } from '../aligner';
import type { Block } from '../block';
import type { FileIndex } from '../fileIndex';

/** `import x from 'y'`, `from x import y`, `use x::y;`, `using X;`, `#include <x>`, `const x = require('y')` */
const statement =
  /^(?!using \w+ ?=)(?:(import|from|use|using|require|require_relative|#include|#import)[ \t(<"']|(?:const|let|var) [^=]{1,200}= ?(require)\()/;
/** The end of an import of several lines. */
const lastLine = /^[})]+(?: from ['"]|;?$)/;
const continues = /[{(,=\\]$/;
const quoted = /['"<]([^'"<>]+)['">]/;
const named = /^(?:import|from|use|using)\s+(?:static\s+|type\s+)?([\w.:*]+)/;
/** The order of these says which of two definitions counts. */
const ordered = /^(?:#|require|(?:const|let|var) )/;

function keywordOf(text: string): string | undefined {
  const found = statement.exec(text);
  const word = found?.[1] ?? found?.[2];
  // Both forms of Python stand in one list.
  return word === 'from' ? 'import' : word;
}

/** What a line imports from. */
function moduleOf(text: string): string | undefined {
  return quoted.exec(text)?.[1] ?? named.exec(text)?.[1];
}

const keyword =
  /^(?:import|from|use|using|require|require_relative|include|as|type|static|const|let|var|default)$/;

/** The names that a line imports; the name of the module may be a part of them. */
function namesOf(text: string, module: string | undefined): string[] {
  const rest = module === undefined ? text : text.replace(quoted.test(text) ? quoted : named, '');
  const words = rest.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [];
  return words.filter(word => !keyword.test(word));
}

/** The imports of a file: the names by module; undefined for those of several lines, whose last line has no names. */
export type KnownImports = ReadonlyMap<string, ReadonlySet<string> | undefined>;

export function importsOf(file: FileIndex): KnownImports {
  const known = new Map<string, Set<string> | undefined>();
  for (const id of new Set(file.ids)) {
    const text = file.textOf(id);
    const isLast = lastLine.test(text);
    const module = isLast || keywordOf(text) !== undefined ? moduleOf(text) : undefined;
    if (module === undefined) continue;
    if (isLast) known.set(module, undefined);
    else if (!known.has(module)) known.set(module, new Set(namesOf(text, module)));
    else for (const name of namesOf(text, module)) known.get(module)?.add(name);
  }
  return known;
}

/** Whether a section may show nothing but new imports, as far as its first line tells. */
export function startsWithImport({ ids, section }: Block, file: FileIndex): boolean {
  const [id = -1] = ids;
  if (section.markerAbove === undefined && section.markerBelow === undefined) return false;
  // Only the first line of an import of several lines may be in the file, too.
  if (file.hasLine(id) && (ids.length < 3 || file.hasLine(ids.at(-1) ?? -1))) return false;
  const first = file.textOf(id);
  return keywordOf(first) !== undefined && !first.includes('__future__');
}

/**
 * True when a section shows nothing but imports that the file does not have. One of the same names from the same module is
 * a changed form of what the file has.
 */
export function areNewImports(
  { ids, indents }: Block,
  file: FileIndex,
  known: KnownImports,
): boolean {
  const modules: string[] = [];
  const names = new Set<string>();
  for (const [row, id] of ids.entries()) {
    const text = file.textOf(id);
    const isOwn = indents[row] === indents[0];
    const isPart = !isOwn || continues.test(text) || file.isFiller(id);
    if (!isPart && file.hasLine(id)) return false;
    if (isOwn && keywordOf(text) === undefined && !lastLine.test(text)) return false;
    const module = isOwn && !continues.test(text) ? moduleOf(text) : undefined;
    if (module !== undefined) modules.push(module);
    for (const name of namesOf(text, module)) names.add(name);
  }
  const isChanged = (module: string): boolean => {
    if (!known.has(module)) return false;
    const own = known.get(module);
    return !own || own.size + names.size === 0 || [...own].some(name => names.has(name));
  };
  return modules.length > 0 && !modules.some(isChanged);
}

/**
 * The place of new imports: below the import of the file that is most like them; undefined where the file has none of
 * that kind. It is certain where their order has no meaning.
 */
export function importPlace(
  { ids, indents }: Block,
  { from, to }: { readonly from: number; readonly to: number },
  file: FileIndex,
): { readonly place: BlockPlace; readonly isCertain: boolean } | undefined {
  const first = file.textOf(ids[0] ?? -1);
  const kind = keywordOf(first);
  const pattern = new LinePattern(file.textOf(ids.at(-1) ?? -1));
  let best = { end: -1, likeness: -1 };
  let isOpen = false;
  for (let at = from; at < to; at++) {
    if (file.indents[at] !== indents[0]) continue;
    const text = file.textOf(file.ids[at] ?? -1);
    const isStart = keywordOf(text) === kind;
    const isEnd: boolean = (isStart && !continues.test(text)) || (isOpen && lastLine.test(text));
    isOpen = isStart && !isEnd;
    if (!isEnd) continue;
    const likeness = pattern.ratio(text);
    if (likeness >= best.likeness) best = { end: at + 1, likeness };
  }
  if (best.end < 0) return undefined;
  const place: BlockPlace = {
    start: best.end,
    end: best.end,
    score: 0,
    head: 'new',
    tail: 'new',
  };
  return { place, isCertain: !ordered.test(first) };
}
