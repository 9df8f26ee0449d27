import { marginOf } from '../../base/text/textLines';
import { isComment, isFiller } from '../lines';
import type { KnownLines } from './knownLines';
import { isMarkerLine } from './markers';

/** Where a comment behind code can start. */
const commentStart = /\s(?:\/\/|#|--|\/\*|<!--|;)/g;
const ellipsis = /\.{3}|…/;
const opensBlock = /[{([:]$/;

/**
 * Splits lines such as `} // ... rest of the file unchanged` into the code and the marker, which stands for the lines
 * below. Behind a closing line the marker needs no dots; `x = 1 // unchanged` is only the line `x = 1`.
 */
export function splitTrailingMarkers(lines: string[], known: KnownLines): string[] {
  if (!lines.some(line => endsInMarker(line, known))) return lines;
  return lines.flatMap((line, at) => {
    const found = codeAndMarker(line, known);
    if (!found) return [line];
    const { code, marker } = found;
    if (marker === undefined) return [code];
    const own = marginOf(code);
    // Below a header, the marker stands for lines of its block.
    const next = lines.slice(at + 1).find(text => text.trim() !== '') ?? '';
    const isDeeper = opensBlock.test(code) && marginOf(next).length > own.length;
    return [code, (isDeeper ? marginOf(next) : own) + marker];
  });
}

/** True when {@link splitTrailingMarkers} splits the line. */
export const endsInMarker = (line: string, known: KnownLines): boolean =>
  codeAndMarker(line, known) !== undefined;

const words = /\.{3}|…|unchang|rest of|same as|existing/i;

const mayEndInMarker = (line: string): boolean =>
  line.length < 400 && words.test(line) && line.search(commentStart) > 0;

function codeAndMarker(
  line: string,
  known: KnownLines,
): { code: string; marker?: string } | undefined {
  if (!mayEndInMarker(line) || known.has(line.trim()) || isMarkerLine(line)) return undefined;
  for (const { index } of line.matchAll(commentStart)) {
    const code = line.slice(0, index).trimEnd();
    const marker = line.slice(index).trim();
    const text = code.trim();
    if (text === '' || isComment(text) || !isMarkerLine(marker)) continue;
    if (ellipsis.test(marker) || isFiller(text)) return { code, marker };
    if (known.has(text)) return { code };
  }
  return undefined;
}
