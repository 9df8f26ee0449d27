import type { KnownLines } from './knownLines';
import { isMarkerLine } from './markers';

/** `12 | code`, `12: code`, `12→code`, `  12  code`, `L12: code`. */
const numberedLine = /^\s*L?(\d{1,7})( ?[|│┃:→]|\t| |$)(.*)$/;

/** Removes line numbers when all lines have them and more lines match the original without them. */
export function withoutGutter(lines: string[], known: KnownLines): string[] {
  if (!startsWithNumber(lines, known)) {
    return lines;
  }
  const stripped: string[] = [];
  let number = -1;
  let separator: string | undefined;
  let gained = 0;
  for (const line of lines) {
    const text = line.trim();
    if (text === '' || (isMarkerLine(line) && !numberedLine.test(line))) {
      stripped.push(line);
      continue;
    }
    const [, digits = '', mark = '', rest = ''] = numberedLine.exec(line) ?? [];
    const sign = mark.trim();
    if (digits === '' || Number(digits) <= number || known.has(text)) {
      return lines;
    }
    // An empty line of code may have lost the spaces after its number.
    if (rest !== '' && sign !== (separator ??= sign)) {
      return lines;
    }
    number = Number(digits);
    gained += rest.trim() !== '' && known.has(rest.trim()) ? 1 : 0;
    stripped.push(rest);
  }
  return gained > 0 ? withoutPadding(stripped, separator ?? '') : lines;
}

function startsWithNumber(lines: readonly string[], known: KnownLines): boolean {
  const first = lines.find(line => line.trim() !== '' && !isMarkerLine(line)) ?? '';
  return /^\s*L?\d/.test(first) && numberedLine.test(first) && !known.has(first.trim());
}

/** Removes a further space after the number or its `|`, which belongs to the gutter if every line has it. */
function withoutPadding(lines: string[], separator: string): string[] {
  const isPadded =
    /^[|│┃:]?$/.test(separator) &&
    lines.every(line => line.trim() === '' || line.startsWith(' ') || isMarkerLine(line));
  return isPadded ? lines.map(line => (line.startsWith(' ') ? line.slice(1) : line)) : lines;
}
