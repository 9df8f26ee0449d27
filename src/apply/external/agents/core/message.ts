import { fenceFor } from '../../../../markdown';

/** A change that the user has undone. */
export interface UndoneChange {
  readonly path: string;
  /** What is told of a file that is undone as a whole; without it, lines were undone. */
  readonly whole?: 'created' | 'deleted' | 'renamed' | 'replaced';
  /** The path that a renamed file had at first, and has again. */
  readonly from?: string;
  /** Where the lines are now, from 1. */
  readonly line?: number;
  /** Lines that are gone, and lines that are there again in their place; with or without line ends. */
  readonly undone?: readonly string[];
  readonly restored?: readonly string[];
  /** Why, as the user wrote it. */
  readonly reason?: string;
}

const maxMessage = 10_000; // characters, which agents take as context of a prompt
const maxShownLines = 30;
const maxLine = 200; // characters
const maxReason = 1000; // characters
const ending = 80; // characters that the last sentence may take

/**
 * A draft for the agent about what was undone: facts only, which the user may edit before it goes anywhere. It is in
 * English, because agents read it.
 */
export function undoneMessage(changes: readonly UndoneChange[]): string {
  const parts = [
    'I undid these changes. The files have the lines with "+" again, and no longer those with "-".',
  ];
  let length = parts.join('').length;
  let told = 0;
  for (const change of changes) {
    const room = maxMessage - ending - length - 2;
    const part = [describe(change, true), describe(change, false)].find(
      text => text.length <= room,
    );
    if (part === undefined) break;
    parts.push(part);
    length += part.length + 2;
    told += 1;
  }
  if (told < changes.length) parts.push(`${changes.length - told} more changes were undone.`);
  return parts.join('\n\n');
}

function describe(change: UndoneChange, hasLines: boolean): string {
  const lines = [`${place(change)}${whatHappened(change)}`];
  const reason = clean(change.reason ?? '').trim();
  if (reason !== '') lines.push(`Reason: ${cut(reason, maxReason)}`);
  const diff = hasLines && change.whole === undefined ? diffOf(change) : '';
  if (diff !== '') {
    const fence = fenceFor(diff);
    lines.push(`${fence}diff\n${diff}\n${fence}`);
  }
  return lines.join('\n');
}

const place = ({ path, line }: UndoneChange): string =>
  line === undefined ? oneLine(path) : `${oneLine(path)}, line ${line}`;

function whatHappened({ whole, from = '' }: UndoneChange): string {
  switch (whole) {
    case undefined:
      return ':';
    case 'created':
      return ': the new file is gone again.';
    case 'deleted':
      return ': the deleted file is there again.';
    case 'renamed':
      return `: the file is named ${oneLine(from)} again.`;
    case 'replaced':
      return ': the whole file is as it was before.';
    default:
      return whole satisfies never;
  }
}

function diffOf({ undone = [], restored = [] }: UndoneChange): string {
  const lines = [...undone.map(line => `-${line}`), ...restored.map(line => `+${line}`)].map(line =>
    cut(oneLine(line), maxLine),
  );
  if (lines.length <= maxShownLines) return lines.join('\n');
  const more = lines.length - maxShownLines;
  return [...lines.slice(0, maxShownLines), `… ${more} more ${more === 1 ? 'line' : 'lines'}`].join(
    '\n',
  );
}

const cut = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max).replace(/[\uD800-\uDBFF]$/, '')}…`;

/** Without what a terminal would obey: the message may be put into one. */
const clean = (text: string): string =>
  text.replaceAll(/\r\n?/g, '\n').replaceAll(/(?![\t\n])[\p{Cc}\p{Zl}\p{Zp}]/gu, '');

const oneLine = (text: string): string =>
  clean(text.replace(/(?:\r\n|\r|\n)$/, '')).replaceAll('\n', ' ');
