import type { Sandbox } from '../workspace/sandbox';
import { parseRanges, type ToolLineRange, toolLimits } from './toolText';

export interface FinishedFile {
  /** As the model wrote it. */
  readonly path: string;
  /** `*`: the whole file. */
  readonly ranges: readonly ToolLineRange[] | '*';
}

/** The answer of the search model. */
export interface Finish {
  /** At most {@link toolLimits.finishFiles}. */
  readonly files: readonly FinishedFile[];
  /** Why the answer should be sent again, and how; undefined when it is good. */
  readonly problem: string | undefined;
}

/** How to answer, for the model. */
export const finishForm =
  'Call finish again with "files" as one entry per line, a path and its lines, such as src/a.ts:10-25,40-60; or with "" if nothing was found.';

/**
 * Parses entries such as `src/a.ts:1-15,25-50`, separated by line ends or spaces. Whether a space belongs
 * to a path is checked on disk. An answer that is not of this form is read as far as possible.
 */
export async function parseFinish(sandbox: Sandbox, text: string): Promise<Finish> {
  const isThere = async ({ path }: FinishedFile): Promise<boolean> =>
    sandbox.resolve(path).then(
      ({ isDirectory }) => !isDirectory,
      () => false,
    );
  const lines = text
    .slice(0, toolLimits.finishChars)
    .split('\n')
    .map(line => line.trim())
    .filter(Boolean);
  const files: FinishedFile[] = [];
  const wrongRanges = new Set<string>();
  let found = 0;
  let isLong = text.length > toolLimits.finishChars;
  const add = async ({ file, problem }: Entry, isKnown = false): Promise<void> => {
    files.push(file);
    if (problem !== undefined) wrongRanges.add(problem);
    if (isKnown || (await isThere(file))) found++;
  };
  for (const line of lines) {
    isLong ||= files.length >= toolLimits.finishFiles;
    if (isLong && files.length >= toolLimits.finishFiles) break;
    const whole = entryOf(line);
    if (!/\s/.test(line)) await add(whole);
    else if (await isThere(whole.file)) await add(whole, true);
    else {
      const parts = line.split(/\s+/);
      const room = toolLimits.finishFiles - files.length;
      isLong ||= parts.length > room;
      for (const part of parts.slice(0, room)) await add(entryOf(part));
    }
  }
  const problem =
    files.length > 0 && found === 0
      ? 'None of these is a file in the workspace.'
      : isLong
        ? `The answer has more than ${toolLimits.finishFiles} files or ${toolLimits.finishChars} characters; name the few files that answer the question.`
        : [...wrongRanges][0];
  return { files, problem: problem === undefined ? undefined : `${problem} ${finishForm}` };
}

interface Entry {
  readonly file: FinishedFile;
  readonly problem: string | undefined;
}

function entryOf(text: string): Entry {
  // The ranges start at the first colon after which there are only ranges, unless it is that of a drive.
  let tail = text.length;
  while (tail > 0 && '0123456789-–,;.:*L \t'.includes(text[tail - 1] ?? '')) tail--;
  const first = text.indexOf(':', Math.max(tail, 2));
  if (first < 0) return { file: { path: text, ranges: '*' }, problem: undefined };
  const entry = entryAt(text, first);
  // The path itself may end with a colon and a number.
  const last = text.lastIndexOf(':');
  const other = last > first ? entryAt(text, last) : entry;
  return entry.problem !== undefined && other.problem === undefined ? other : entry;
}

function entryAt(text: string, colon: number): Entry {
  const { ranges, problem } = parseRanges(text.slice(colon + 1));
  return {
    file: { path: text.slice(0, colon), ranges: ranges.length > 0 ? ranges : '*' },
    problem,
  };
}
