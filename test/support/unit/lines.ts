/** Without the byte order mark and the line ends. */
export function linesOf(text: string): string[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

export const indentOf = (line: string): string => /^[ \t]*/.exec(line)?.[0] ?? '';

export const isBlank = (line: string | undefined): boolean => line?.trim() === '';
