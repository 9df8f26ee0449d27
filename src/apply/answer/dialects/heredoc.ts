import { sentence } from '../../../base/sentence';
import { isPath } from '../../../markdown';
import { type EditPart, part } from '../operations';

/** Files that a command for the shell writes: `cat > src/a.ts <<'EOF'`, `tee src/a.ts <<EOF`. */

export interface Heredoc {
  readonly parts: readonly EditPart[];
  /** The line after the one that ends it. */
  readonly end: number;
}

const start =
  /^\s{0,20}(?:\$ )?(?:mkdir -p \S{1,300} && )?(?:sudo )?(cat|tee)\b([^<\n]{0,400})<<-?\s?(['"\\]?)(\w{1,40})['"]?\s{0,9}([^\n]{0,400})$/;
const target = /(>{1,2})\s?['"]?([^\s'"<>|&;]+)['"]?/;
const teeTarget = /^\s(?:(-a|--append)\s)?['"]?([^\s'"<>|&;-][^\s'"<>|&;]*)['"]?/;

/** The file that is written at a line, by what reads the content of a file. */
export function heredocAt(
  lines: readonly string[],
  at: number,
  read: (text: string, path: string, source: string) => EditPart[],
): Heredoc | undefined {
  const [all, program, before = '', quote = '', word = '', behind = ''] =
    start.exec(lines[at] ?? '') ?? [];
  if (all === undefined) return undefined;
  const [, sign, path = ''] =
    (program === 'tee' ? teeTarget.exec(before) : target.exec(`${before} ${behind}`)) ?? [];
  if (!isPath(path)) return undefined;
  const close = lines.findIndex((line, index) => index > at && line.trim() === word);
  const end = close < 0 ? lines.length : close + 1;
  const source = lines.slice(at, end).join('\n');
  if (close < 0) {
    const reason = sentence(
      'The line {0} that ends the text is missing. The answer may be cut off.',
      word,
    );
    return { parts: [part(source, { kind: 'none', path, reason })], end };
  }
  const given = lines
    .slice(at + 1, close)
    .map(line => `${line}\n`)
    .join('');
  // Without quotation marks, the shell puts values in.
  const text = quote === '' ? given.replaceAll(/\\([\\$`])/g, '$1') : given;
  if (quote === '' && /(?<!\\)(?:\$[\w({]|`)/.test(given)) {
    const reason = sentence(
      'The shell would put values into this text. Run the command in a terminal.',
    );
    return { parts: [part(source, { kind: 'none', path, reason })], end };
  }
  const isMore = sign === '>>' || sign === '-a' || sign === '--append';
  const parts = isMore
    ? [part(source, { kind: 'insert', path, line: 'end', text })]
    : read(text, path, source);
  return { parts, end };
}

/** Whether one of the lines writes a file. */
export const writesFile = (lines: readonly string[]): boolean =>
  lines.some((_, at) => heredocAt(lines, at, () => []) !== undefined);
