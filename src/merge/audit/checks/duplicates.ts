import { sentence } from '../../../base/sentence';
import { isText } from '../../fileTypes';
import { columnsOf } from '../../lines';
import type { AuditReport } from '../auditReport';
import type { AuditText } from '../auditText';

/** `name: value` */
const colonFile = /\.(?:jsonc?|json5|ya?ml)$/i;
const colonKey = /^(?:"([^"]+)"|'([^']+)'|([\w.$/@-]+)):(?=\s|$)/;
/** `name = value` */
const equalsFile = /\.(?:toml|ini|properties|cfg)$/i;
const equalsKey = /^(?:"([^"]+)"|'([^']+)'|([\w.$/@-]+))\s?=/;
const tableHeader = /^\[.*\]$/;
const header =
  /^(?:(?:export|default|pub|public|private|protected|internal|static|async|abstract|final|const|override) )*(?:function|def|fn|class|interface|struct|enum|trait) [\w$]/;
/** The end of a whole header: the first of several lines may be that of an overload. */
const headerEnd = /[{:]$/;
/** Both forms may be there on purpose. */
const conditional = /^(?:#\s*(?:if|el|end)|#!?\[cfg)/;

/** Lines that are not blank, with their 0-based row in the text. */
type SolidLines = Pick<AuditText, 'texts' | 'trimmed' | 'rows'>;

const longQuote = /`|"""|'''/g;

type NameOf = (trimmed: string) => string | undefined;

/** Reports declarations and keys that are in one block twice, if the original had them only once. */
export function checkDuplicates(
  before: SolidLines,
  after: SolidLines,
  path: string | undefined,
  report: AuditReport,
): void {
  if (path === undefined || isText(path)) return;
  const keyOf = keysOf(path);
  const names = addedNames(before.texts, after.texts, keyOf ?? declaration);
  if (names.size === 0 || after.trimmed.some(isConditional)) return;
  // A declaration is named by its whole line.
  const nameOf: NameOf = keyOf ?? (trimmed => trimmed);
  const known = repeatsIn(before, names, nameOf, keyOf !== undefined);
  for (const [name, { count, row }] of repeatsIn(after, names, nameOf, keyOf !== undefined)) {
    if (count < 2 || count <= (known.get(name)?.count ?? 0)) continue;
    report.warning(
      'duplicatedBlock',
      row,
      keyOf
        ? sentence('This key is in its block twice.')
        : sentence('This declaration is in its block twice.'),
    );
  }
}

const declaration: NameOf = trimmed =>
  headerEnd.test(trimmed) && header.test(trimmed) ? trimmed : undefined;
const isConditional = (trimmed: string): boolean =>
  trimmed.startsWith('#') && conditional.test(trimmed);

function keysOf(path: string): NameOf | undefined {
  const key = colonFile.test(path) ? colonKey : equalsFile.test(path) ? equalsKey : undefined;
  return (
    key &&
    (trimmed => {
      const found = key.exec(trimmed);
      return found?.[1] ?? found?.[2] ?? found?.[3];
    })
  );
}

/** The names in lines that the merged text has more often than the original. */
function addedNames(
  old: readonly string[],
  lines: readonly string[],
  nameOf: NameOf,
): ReadonlySet<string> {
  let start = 0;
  while (start < lines.length && lines[start] === old[start]) start++;
  let end = lines.length;
  let oldEnd = old.length;
  while (end > start && oldEnd > start && lines[end - 1] === old[oldEnd - 1]) {
    end--;
    oldEnd--;
  }
  const left = new Map<string, number>();
  for (const line of old.slice(start, oldEnd)) left.set(line, (left.get(line) ?? 0) + 1);
  const names = new Set<string>();
  for (const line of lines.slice(start, end)) {
    const count = left.get(line) ?? 0;
    if (count > 0) {
      left.set(line, count - 1);
      continue;
    }
    const name = nameOf(line.trim());
    if (name !== undefined) names.add(name);
  }
  return names;
}

interface Repeat {
  /** The highest number in one block. */
  count: number;
  /** The last one of that block. */
  row: number;
}

/** How often each name occurs in one block: below the same line that is indented less, or the same table header. */
function repeatsIn(
  { texts, trimmed, rows }: SolidLines,
  names: ReadonlySet<string>,
  nameOf: NameOf,
  hasTables: boolean,
): ReadonlyMap<string, Repeat> {
  const most = new Map<string, Repeat>();
  const open: { readonly columns: number; counts?: Map<string, number> }[] = [];
  let top = new Map<string, number>();
  let isQuoted = false;
  trimmed.forEach((line, at) => {
    // Code in a long string belongs to no block.
    const wasQuoted = isQuoted;
    if ((line.match(longQuote)?.length ?? 0) % 2 === 1) isQuoted = !isQuoted;
    if (wasQuoted) return;
    if (hasTables && tableHeader.test(line)) {
      open.length = 0;
      top = new Map();
      return;
    }
    const columns = columnsOf(texts[at] ?? '');
    while (columns <= (open.at(-1)?.columns ?? -1)) open.pop();
    const block = open.at(-1);
    open.push({ columns });
    const name = nameOf(line);
    // A decorator can give the same header another meaning: `@overload`, `@name.setter`.
    if (name === undefined || !names.has(name) || trimmed[at - 1]?.startsWith('@')) return;
    const counts = block ? (block.counts ??= new Map()) : top;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    const row = rows[at] ?? 0;
    if (count > (most.get(name)?.count ?? 0)) most.set(name, { count, row });
  });
  return most;
}
