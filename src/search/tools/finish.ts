import { append } from '../../base/arrays';
import type { Sandbox } from '../workspace/sandbox';
import { parseRanges, type ToolLineRange } from './toolText';

export interface FinishedFile {
  /** As the model wrote it. */
  readonly path: string;
  /** `*`: the whole file. */
  readonly ranges: readonly ToolLineRange[] | '*';
}

/**
 * Parses entries such as `src/a.ts:1-15,25-50`, separated by line ends or spaces. Whether a space belongs
 * to a path is checked on disk.
 */
export async function parseFinish(sandbox: Sandbox, text: string): Promise<FinishedFile[]> {
  const files: FinishedFile[] = [];
  for (const line of text.split('\n').map(part => part.trim())) {
    if (line === '') continue;
    const whole = entry(line);
    const isOne =
      !/\s/.test(line) ||
      (await sandbox.resolve(whole.path).then(
        () => true,
        () => false,
      ));
    if (isOne) files.push(whole);
    else append(files, line.split(/\s+/).map(entry));
  }
  return files;
}

function entry(text: string): FinishedFile {
  // The colon after a drive letter does not start a range.
  const match = /^((?:[A-Za-z]:(?=[\\/]))?[^]*?)(?::(\*|[\d,\sL-]*))?$/.exec(text);
  const ranges = parseRanges(match?.[2] ?? '');
  return { path: match?.[1] ?? text, ranges: ranges.length > 0 ? ranges : '*' };
}
