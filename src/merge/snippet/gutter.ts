import type { KnownLines } from './knownLines';
import { isMarkerLine } from './markers';

/** `12 | code`, `12: code`, `12→code`, `12<tab>code`, `  12  code`, `L12: code`. */
const numberedLine = /^\s*L?(\d{1,7})( ?[|│┃:→]|\t| |$)(.*)$/;

export interface NumberedLine {
  readonly number: number;
  /** The character behind the number, '' for a space; undefined for a number alone. */
  readonly sign: string | undefined;
  readonly text: string;
}

export function numberedLineOf(line: string): NumberedLine | undefined {
  const [all, digits = '', mark = '', text = ''] = numberedLine.exec(line) ?? [];
  if (all === undefined) return undefined;
  const sign = mark === '' ? undefined : mark.replaceAll(' ', '');
  return { number: Number(digits), sign, text };
}

/** True when a blank behind this sign belongs to the line numbers, if all lines have one. */
export const isPaddedSign = (sign: string): boolean => /^[|│┃:]?$/.test(sign);

export const withoutBlank = (text: string): string => (text.startsWith(' ') ? text.slice(1) : text);

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
    const found = numberedLineOf(line);
    if (!found || found.number <= number || known.has(text)) return lines;
    // An empty line of code may have lost the spaces after its number.
    if (found.text !== '' && found.sign !== (separator ??= found.sign)) return lines;
    number = found.number;
    const code = found.text.trim();
    if (code !== '' && known.has(code)) gained++;
    stripped.push(found.text);
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
    isPaddedSign(separator) &&
    lines.every(line => line.trim() === '' || line.startsWith(' ') || isMarkerLine(line));
  return isPadded ? lines.map(withoutBlank) : lines;
}
