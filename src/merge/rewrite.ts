import type { FileIndex } from './place/fileIndex';
import type { Section, Snippet } from './sections';
import type { Source } from './source';
import { splitLines } from './text';

/** True when a snippet without markers is the whole new file. */
export function isRewrite(file: FileIndex, { sections, markers }: Snippet): boolean {
  const [section] = sections;
  if (markers > 0 || !section) return false;
  const shown = section.lines.filter(({ indent }) => indent >= 0);
  const ids = shown.map(({ trimmed }) => file.numberOf(trimmed));
  // A snippet that starts or ends amid the file is a part of it.
  const spare = Math.max(3, file.source.count / 20);
  const first = file.placesOf(ids[0] ?? -1)[0];
  if (first !== undefined && file.rawOf(first) > spare) return false;
  const last = ids.at(-1) ?? -1;
  const end = file.isFiller(last) ? undefined : file.placesOf(last).at(-1);
  if (end !== undefined && file.rawOf(end) < file.source.count - 1 - spare) return false;

  const known = new Set(ids);
  const solid = file.ids.filter(id => !file.isFiller(id));
  const kept = solid.filter(id => known.has(id)).length / Math.max(1, solid.length);
  const head = new Set(ids.slice(0, 6));
  const tail = new Set(ids.slice(-6));
  const top = solid.slice(0, 3).some(id => head.has(id));
  const bottom = solid.slice(-3).some(id => tail.has(id));
  return kept >= 0.8 || (kept >= 0.45 && (top || bottom)) || (kept >= 0.2 && top && bottom);
}

/** The snippet as the new file, with the original's line ends and blank lines at the end. */
export function rewritten(source: Source, update: string, section: Section): string {
  const body = splitLines(update.replace(/^\uFEFF/, ''));
  const first = section.lines[0]?.text;
  const fence = /^(?:```|~~~)/.test(body.find(text => text.trim() !== '')?.trim() ?? '');
  const start =
    body[0]?.trim() === '' && source.line(0).trim() !== '' ? body.indexOf(first ?? '') : 0;
  const texts =
    fence && !/^(?:```|~~~)/.test(source.line(0).trim())
      ? section.lines.map(({ text }) => text)
      : body.slice(Math.max(0, start));
  const blanks = trailingBlanks(texts);
  let kept = 0;
  while (kept < source.count && source.line(source.count - 1 - kept).trim() === '') kept++;
  const count = blanks === kept || blanks === 0 ? blanks : blanks - 1;
  const lines = texts.slice(0, texts.length - blanks + count);
  return (
    source.bom +
    lines.join(source.eol) +
    (source.endsInNewline && lines.length > 0 ? source.eol : '')
  );
}

function trailingBlanks(texts: readonly string[]): number {
  let count = 0;
  while (count < texts.length && texts[texts.length - 1 - count]?.trim() === '') count++;
  return count;
}
