import { withholdSecrets } from '../../host/egress/withhold';
import { isRecord, textOf } from '../../service/guards';
import { isAbortError } from '../../service/time';
import { ToolError } from '../sandbox';
import { type FinishedFile, parseFinish } from './finish';
import { type Scope, grep } from './grep';
import { glob, list, parseListCommand } from './list';
import { readLines } from './readFile';
import { type ToolResult, cutText } from './toolText';

export type { FinishedFile } from './finish';
export type { Scope } from './grep';
export type { LineSpan, ToolResult } from './toolText';

/** Names of other versions of the search model. */
const aliases: Readonly<Record<string, string>> = {
  grep: 'grep_search',
  ripgrep: 'grep_search',
  search: 'grep_search',
  read_file: 'read',
  view: 'read',
  list: 'list_directory',
  ls: 'list_directory',
  list_dir: 'list_directory',
  find_files: 'glob',
  submit: 'finish',
};

export function toolName(name: string): string {
  return Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name;
}

/** A call's result; for `finish` also the files that it names. */
export interface CalledTool extends ToolResult {
  readonly finished?: readonly FinishedFile[];
}

/**
 * Runs one tool of the search model. Whatever goes wrong becomes text that the model can act on.
 * @throws {AbortError} when `scope.signal` is aborted, and nothing else.
 */
export async function runTool(scope: Scope, name: string, args: unknown): Promise<CalledTool> {
  try {
    const result = await run(scope, toolName(name), isRecord(args) ? args : {});
    // Each tool withholds what it finds in files; this holds for whatever a tool may forget.
    return { ...result, text: cutText(withholdSecrets(result.text).text) };
  } catch (error) {
    if (isAbortError(error) || scope.signal.aborted) throw error;
    const text = error instanceof ToolError ? error.message : '[READ ERROR] The tool failed.';
    return { text, isError: true, hits: 0 };
  }
}

async function run(scope: Scope, name: string, args: Record<string, unknown>): Promise<CalledTool> {
  const file = args['path'] ?? args['file'] ?? args['directory'];
  switch (name) {
    case 'grep_search':
      return grep(scope, {
        pattern: needed(args['pattern'] ?? args['query'] ?? args['regex'], name, 'pattern'),
        path: file ?? args['sub_dir'],
        glob: textOf(args['glob'] ?? args['include']),
        limit: wholeNumber(args['limit']),
        isCaseSensitive: args['case_sensitive'] === true,
      });
    case 'read':
      return readLines(scope, file, rangesOf(args));
    case 'list_directory': {
      const command = textOf(args['command']);
      if (command !== undefined) return list(scope, parseListCommand(command));
      return list(scope, { path: file, depth: 3, name: textOf(args['pattern']) });
    }
    case 'glob':
      return glob(scope, needed(args['pattern'], name, 'pattern'), file);
    case 'finish':
      return finish(scope, args['files']);
    default:
      throw new ToolError(`Unknown tool: ${name.slice(0, 64)}`);
  }
}

async function finish(scope: Scope, files: unknown): Promise<CalledTool> {
  const text = Array.isArray(files) ? files.map(entryText).join('\n') : (textOf(files) ?? '');
  const finished = await parseFinish(scope.sandbox, text);
  const parts: string[] = [];
  for (const { path, ranges } of finished) {
    const lines = ranges === '*' ? undefined : ranges.map(span => span.join('-')).join(',');
    const read = await runTool(scope, 'read', { path, lines });
    parts.push(read.text);
  }
  return { text: parts.join('\n'), isError: false, hits: finished.length, finished };
}

/** Also `{path, lines}` objects. */
function entryText(entry: unknown): string {
  if (!isRecord(entry)) return String(entry);
  const ranges = rangesOf(entry);
  return `${textOf(entry['path']) ?? ''}${ranges ? `:${ranges}` : ''}`;
}

/** `lines` as text, number or list, or `start`/`end` fields. */
function rangesOf(args: Record<string, unknown>): string | undefined {
  const lines = args['lines'] ?? args['ranges'] ?? args['line_range'];
  if (typeof lines === 'string') return lines;
  if (typeof lines === 'number') return String(lines);
  if (Array.isArray(lines))
    return lines.map(part => (Array.isArray(part) ? part.join('-') : String(part))).join(',');
  const [start, end] = [args['start_line'] ?? args['start'], args['end_line'] ?? args['end']];
  return typeof start === 'number'
    ? `${start}-${typeof end === 'number' ? end : start}`
    : undefined;
}

function needed(value: unknown, tool: string, argument: string): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new ToolError(`[ARGUMENT ERROR] ${tool} needs "${argument}" as text.`);
}

function wholeNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number > 0 ? number : undefined;
}
