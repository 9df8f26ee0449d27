import { splitLines } from '../base/text/textLines';
import type { FileIndex } from './place/fileIndex';
import type { Snippet } from './snippet/sections';
import type { Source } from './source';

/** The share of the file that a rewrite may drop at its top or its end. */
const maxDroppedShare = 0.05;
const edgeLineCount = 6;

/**
 * True when a snippet without markers is the complete new file: it starts and ends like the file, or with new
 * lines, and contains enough of the lines in between.
 */
export function isRewrite(file: FileIndex, { sections, markers }: Snippet): boolean {
  const [section] = sections;
  if (markers > 0 || !section) return false;
  const solidLines = section.lines.filter(({ indent }) => indent >= 0);
  // A part of a block, whose first line may have lost its indentation.
  if (solidLines.length > 1 && solidLines.slice(1).every(({ indent }) => indent > 0)) return false;
  const ids = solidLines.map(line => file.idOf(line));
  const first = ids[0] ?? -1;
  const last = ids.at(-1) ?? -1;
  // A snippet that starts or ends with a line from the middle of the file is a part of it.
  const above = file.isFiller(first) ? 0 : (file.placesOf(first)[0] ?? 0);
  const below = file.isFiller(last)
    ? 0
    : file.count - 1 - (file.placesOf(last).at(-1) ?? file.count - 1);
  const spare = file.count * maxDroppedShare;
  if (above > spare || below > spare) return false;

  const shown = new Uint8Array(file.idCount);
  for (const id of ids) shown[id] = 1;
  const solid = file.ids.filter(id => !file.isFiller(id));
  let count = 0;
  for (const id of solid) count += shown[id] ?? 0;
  const kept = count / Math.max(1, solid.length);
  const head = new Set(ids.slice(0, edgeLineCount));
  const tail = new Set(ids.slice(-edgeLineCount));
  const top = solid.slice(0, 3).some(id => head.has(id));
  const bottom = solid.slice(-3).some(id => tail.has(id));
  return kept >= 0.8 || (kept >= 0.45 && (top || bottom)) || (kept >= 0.2 && top && bottom);
}

/** The snippet as the new file, with the original's line endings and trailing blank lines. */
export function rewritten(source: Source, { text, sections }: Snippet): string {
  const body = splitLines(text.replace(/^\uFEFF/, ''));
  const first = sections[0]?.lines[0]?.text ?? '';
  // Leading blank lines come from the chat, unless the file starts with some.
  const start = source.line(0).trim() === '' ? 0 : Math.max(0, body.indexOf(first));
  const texts = body.slice(start);
  const blanks = trailingBlanks(texts);
  let kept = 0;
  while (kept < source.count && source.line(source.count - 1 - kept).trim() === '') kept++;
  // The last blank line is the newline of the line before.
  const count = blanks === kept || blanks === 0 ? blanks : blanks - 1;
  const lines = texts.slice(0, texts.length - blanks + count);
  const end = source.endsInNewline && lines.length > 0 ? source.eol : '';
  return source.bom + lines.join(source.eol) + end;
}

function trailingBlanks(texts: readonly string[]): number {
  let count = 0;
  while (count < texts.length && texts[texts.length - 1 - count]?.trim() === '') count++;
  return count;
}
