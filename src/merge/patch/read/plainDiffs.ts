/** Diffs in the other forms that tools print, as unified ones: by words, of plain `diff`, and with context. */

import type { KnownLines } from '../../snippet/knownLines';

const isBlank = (line: string): boolean => line.trim() === '';

// --- `git diff --word-diff`

/** A line before and after the change of its words; undefined where none are marked. */
function sidesOf(line: string): { readonly old: string; readonly fresh: string } | undefined {
  let old = '';
  let fresh = '';
  let at = 0;
  for (;;) {
    const removed = line.indexOf('[-', at);
    const added = line.indexOf('{+', at);
    const start = removed < 0 || (added >= 0 && added < removed) ? added : removed;
    const end = start < 0 ? -1 : line.indexOf(start === removed ? '-]' : '+}', start + 2);
    if (end < 0) break;
    const words = line.slice(start + 2, end);
    old += line.slice(at, start) + (start === removed ? words : '');
    fresh += line.slice(at, start) + (start === removed ? '' : words);
    at = end + 2;
  }
  return at === 0 ? undefined : { old: old + line.slice(at), fresh: fresh + line.slice(at) };
}

const header = /^(?:diff --git |index [\da-f]+\.\.|--- |\+\+\+ |@@|(?:new|deleted) file mode )/;

/** Undefined where no words are marked, or the file does not have the lines as they were before. */
export function unwordedDiff(lines: readonly string[], known: KnownLines): string[] | undefined {
  const found: string[] = [];
  let isMarked = false;
  let proven = 0;
  for (const line of lines) {
    const sides = header.test(line) ? undefined : sidesOf(line);
    if (!sides) {
      found.push(header.test(line) ? line : ` ${line}`);
      continue;
    }
    const { old, fresh } = sides;
    isMarked = true;
    if (known.has(line.trim()) || !(isBlank(old) || known.has(old.trim()))) return undefined;
    if (!isBlank(old)) {
      proven++;
      found.push(`-${old}`);
    }
    if (!isBlank(fresh)) found.push(`+${fresh}`);
  }
  if (!isMarked) return undefined;
  const hasContext = lines.some(line => !isBlank(line) && known.has(line.trim()));
  if (proven === 0 && !hasContext) return undefined;
  return found.some(line => line.startsWith('@@')) ? found : ['@@', ...found];
}

// --- plain `diff`

const command = /^(\d{1,7})(?:,(\d{1,7}))?([acd])(\d{1,7})(?:,(\d{1,7}))?$/;

/** Undefined where the lines are not all of that form. */
function unifiedOfPlain(lines: readonly string[]): string[] | undefined {
  const found: string[] = [];
  let isOpen = false;
  for (const line of lines) {
    const [all, first = '', last = first, kind, start = '', end = start] = command.exec(line) ?? [];
    if (all !== undefined) {
      isOpen = true;
      const old = kind === 'a' ? 0 : Number(last) - Number(first) + 1;
      const fresh = kind === 'd' ? 0 : Number(end) - Number(start) + 1;
      found.push(`@@ -${first},${old} +${start},${fresh} @@`);
    } else if (isOpen && line.startsWith('< ')) found.push(`-${line.slice(2)}`);
    else if (isOpen && line.startsWith('> ')) found.push(`+${line.slice(2)}`);
    else if (isOpen && /^[<>]$/.test(line)) found.push(line === '<' ? '-' : '+');
    else if (isOpen && line.startsWith('\\ ')) found.push(line);
    else if (!isBlank(line) && line !== '---' && !/^(?:diff |Index: )/.test(line)) return undefined;
  }
  return isOpen ? found : undefined;
}

// --- `diff -c`

const oldHeader = /^\*\*\* (\d{1,7})(?:,(\d{1,7}))? \*{4}$/;
const newHeader = /^--- (\d{1,7})(?:,(\d{1,7}))? -{4}$/;

/** Number of lines of a side, by its header. */
function countIn(form: RegExp, line: string): number {
  const [, first = '0', last = first] = form.exec(line) ?? [];
  return Number(last) - Number(first) + 1;
}

const textOf = (line: string): string => line.slice(2);
const isSame = (line: string): boolean => isBlank(line) || line.startsWith('  ');

/** Undefined where the lines are not of that form. */
function unifiedOfContext(lines: readonly string[]): string[] | undefined {
  if (!lines.some(line => oldHeader.test(line))) return undefined;
  const hunks: { start: string; old: string[]; fresh: string[] }[] = [];
  let side: string[] = [];
  let left = 0;
  for (const line of lines.slice(0, lines.findLastIndex(one => one !== '') + 1)) {
    const [isOld, first = ''] = oldHeader.exec(line) ?? [];
    if (isOld !== undefined) {
      const hunk = { start: first, old: [], fresh: [] };
      hunks.push(hunk);
      side = hunk.old;
      left = countIn(oldHeader, line);
    } else if (newHeader.test(line)) {
      side = hunks.at(-1)?.fresh ?? [];
      left = countIn(newHeader, line);
    } else if (/^\*{15}/.test(line)) left = 0;
    else if (left > 0 && (isBlank(line) || /^[-+! ] /.test(line))) {
      side.push(line);
      left--;
    } else if (left > 0) return undefined;
  }
  return hunks.flatMap(({ start, old, fresh }) => {
    // A side without changes is left out.
    const before = (old.length > 0 ? old : fresh.filter(isSame)).map(textOf);
    const after = (fresh.length > 0 ? fresh : old.filter(isSame)).map(textOf);
    const head = before.findIndex((line, at) => line !== after[at]);
    const shared = head < 0 ? Math.min(before.length, after.length) : head;
    let tail = 0;
    while (
      tail < Math.min(before.length, after.length) - shared &&
      before.at(-1 - tail) === after.at(-1 - tail)
    ) {
      tail++;
    }
    return [
      `@@ -${start},${before.length} +${start},${after.length} @@`,
      ...before.slice(0, shared).map(line => ` ${line}`),
      ...before.slice(shared, before.length - tail).map(line => `-${line}`),
      ...after.slice(shared, after.length - tail).map(line => `+${line}`),
      ...before.slice(before.length - tail).map(line => ` ${line}`),
    ];
  });
}

/** The hunks of a diff that is not unified; undefined for other lines. */
export const unifiedOf = (lines: readonly string[]): string[] | undefined =>
  unifiedOfPlain(lines) ?? unifiedOfContext(lines);
