import { isAbortError } from '../../base/async/clock';
import { isRecord, textOf } from '../../base/typeGuards';
import { withholdSecrets } from '../../platform/egress/secrets/withhold';
import { ToolError } from '../workspace/sandbox';
import { fileNameIn, finishText, rangesOfCall } from './argumentForms';
import { type FinishedFile, finishForm, parseFinish } from './finish';
import { grep, type ToolContext } from './grep';
import { glob, list, parseListCommand } from './list';
import { listArguments } from './listCommand';
import { readLines } from './readFile';
import { type ToolResult, toolLimits, truncateResult } from './toolText';

export type { FinishedFile } from './finish';
export type { ToolContext as Scope } from './grep';

/** Tool names that other versions of the search model use. */
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

/** A call's result; for `finish` also the files that it names, as far as they can be read after an error. */
export interface ToolCallResult extends ToolResult {
  readonly finished?: readonly FinishedFile[];
}

/**
 * Runs one tool of the search model. Failures become text that the model can act on.
 * @throws {AbortError} when `scope.signal` is aborted, and nothing else.
 */
export async function runSearchTool(
  context: ToolContext,
  name: string,
  args: unknown,
): Promise<ToolCallResult> {
  try {
    const result = await run(context, toolName(name), isRecord(args) ? args : {});
    // Each tool withholds secrets in files itself; this is a second line of defense.
    return { ...result, text: truncateResult(withholdSecrets(result.text).text) };
  } catch (error) {
    if (isAbortError(error) || context.signal.aborted) throw error;
    const text = error instanceof ToolError ? error.message : '[READ ERROR] The tool failed.';
    return { text, isError: true, hits: 0 };
  }
}

async function run(
  context: ToolContext,
  name: string,
  args: Record<string, unknown>,
): Promise<ToolCallResult> {
  const file = args['path'] ?? args['file'] ?? args['directory'];
  switch (name) {
    case 'grep_search':
      return grep(context, {
        pattern: requiredText(args['pattern'] ?? args['query'] ?? args['regex'], name, 'pattern'),
        path: file ?? args['sub_dir'],
        glob: optionalText(args['glob'] ?? args['include'], 'glob'),
        limit: wholeNumber(args['limit']),
        isCaseSensitive: args['case_sensitive'] === true,
      });
    case 'read':
      return readLines(context, file, rangesOfCall(args));
    case 'list_directory': {
      const command = optionalText(args['command'], 'command');
      if (command !== undefined) return list(context, parseListCommand(command));
      const named = optionalText(args['pattern'], 'pattern');
      const words = named === undefined ? ['find'] : ['find', '-name', named];
      return list(context, { ...listArguments(words), path: file });
    }
    case 'glob':
      return glob(context, requiredText(args['pattern'], name, 'pattern'), file);
    case 'finish':
      return finish(context, args);
    default:
      throw new ToolError(`Unknown tool: ${name.slice(0, 64)}`);
  }
}

async function finish(
  context: ToolContext,
  args: Record<string, unknown>,
): Promise<ToolCallResult> {
  const { text, unclear } = finishText(
    args['files'] ?? (fileNameIn(args) === undefined ? undefined : args),
  );
  const { files, problem } = await parseFinish(context.sandbox, text);
  const wrong = unclear === undefined ? problem : `${unclear} names no file. ${finishForm}`;
  if (wrong === undefined) {
    return { text: '', isError: false, hits: files.length, finished: files };
  }
  const error = { text: `[ARGUMENT ERROR] ${wrong}`, isError: true, hits: 0 };
  // Nothing that can be read replaces no earlier answer.
  return unclear !== undefined && files.length === 0 ? error : { ...error, finished: files };
}

function requiredText(value: unknown, tool: string, argument: string): string {
  const text = shortText(value, argument);
  if (text !== undefined && text !== '') return text;
  throw new ToolError(`[ARGUMENT ERROR] ${tool} needs "${argument}" as text.`);
}

/** An empty text is an argument that the model left out. */
function optionalText(value: unknown, argument: string): string | undefined {
  const text = shortText(value, argument);
  return text?.trim() === '' ? undefined : text;
}

function shortText(value: unknown, argument: string): string | undefined {
  const text = textOf(value);
  if (text?.includes('\0') === true) {
    throw new ToolError(
      `[ARGUMENT ERROR] "${argument}" has a NUL character, which no text file and no path holds. Send it without.`,
    );
  }
  if (text !== undefined && text.length > toolLimits.patternChars) {
    throw new ToolError(
      `[ARGUMENT ERROR] "${argument}" is longer than ${toolLimits.patternChars} characters. Send a shorter one, in several calls if need be.`,
    );
  }
  return text;
}

function wholeNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number > 0 ? number : undefined;
}
