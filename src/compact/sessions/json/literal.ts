/**
 * The literal of a string that lost lines. Kept lines keep their original escapes; a line that is not one
 * of the old ones, such as a note on what was left out, is serialized anew.
 */
export function writeLiteral(literal: string, old: string, text: string): string {
  const pieces = literalLines(literal);
  const oldLines = linesOf(old);
  if (pieces.length !== oldLines.length) return JSON.stringify(text);
  const kept: string[] = [];
  let at = 0;
  for (const line of linesOf(text)) {
    // The last line that stays may have lost its line end.
    let found = oldLines.indexOf(line, at);
    if (found < 0 && !line.endsWith('\n')) found = oldLines.indexOf(`${line}\n`, at);
    const piece = pieces[found];
    if (piece === undefined) {
      kept.push(JSON.stringify(line).slice(1, -1));
      continue;
    }
    kept.push(oldLines[found] === line ? piece : piece.replace(/\\(?:n|u000[aA])$/, ''));
    at = found + 1;
  }
  return `"${kept.join('')}"`;
}

/** Lines with their ends; an empty text is one empty line. */
function linesOf(text: string): string[] {
  return text.split(/(?<=\n)/);
}

function literalLines(literal: string): string[] {
  const end = literal.length - 1;
  const pieces: string[] = [];
  let start = 1;
  for (let at = literal.indexOf('\\'); at >= 0 && at < end; at = literal.indexOf('\\', at)) {
    const isUnicode = literal.charCodeAt(at + 1) === 0x75;
    const escape = literal.slice(at + 1, isUnicode ? at + 6 : at + 2);
    at += escape.length + 1;
    if ((escape === 'n' || /^u000[aA]$/.test(escape)) && at < end) {
      pieces.push(literal.slice(start, at));
      start = at;
    }
  }
  if (start < end || pieces.length === 0) pieces.push(literal.slice(start, end));
  return pieces;
}
