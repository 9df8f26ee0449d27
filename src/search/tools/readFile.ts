import { type FileHandle, stat } from 'node:fs/promises';
import { TextDecoder } from 'node:util';
import { LineWithholder, withholdSecrets } from '../../platform/egress/secrets/withhold';
import { type ResolvedPath, type Sandbox, ToolError } from '../workspace/sandbox';
import type { ToolContext } from './grep';
import {
  parseRanges,
  type ToolLineRange,
  type ToolResult,
  toolDeadlineMs,
  toolLimits,
  truncateLine,
} from './toolText';

/** Bytes that are checked for NUL to tell whether a file is text. */
const probeBytes = 8000;

/** A file's lines as `12|text`; several ranges are parted by `...`. */
export async function readLines(
  context: ToolContext,
  named: unknown,
  ranges: string | undefined,
): Promise<ToolResult> {
  const place = await context.sandbox.resolve(named);
  if (place.isDirectory) {
    throw new ToolError(
      `[FILE NOT FOUND] "${context.sandbox.display(place)}" is a folder. Use list_directory.`,
    );
  }
  const { ranges: spans, problem } = parseRanges(ranges ?? '');
  if (problem !== undefined) throw new ToolError(`[ARGUMENT ERROR] ${problem}`);
  const unsaved = context.workspace.unsaved.get(place.path);
  const lines =
    unsaved === undefined
      ? await fileLines(context, place, spans)
      : { lines: redactedLines(unsaved), isWhole: true };
  return format(lines.lines, spans, lines.isWhole);
}

/** @throws {ToolError} when the file is not text or exceeds `maxBytes`. */
export async function readWholeFile(
  sandbox: Sandbox,
  place: ResolvedPath,
  maxBytes: number = toolLimits.wholeFileBytes,
): Promise<string> {
  const handle = await sandbox.openFile(place);
  try {
    const { size } = await handle.stat();
    const name = sandbox.display(place);
    if (size > maxBytes) {
      const orSearch = size > toolLimits.grepFileBytes ? '' : ', or search in it';
      throw new ToolError(
        `[UNREADABLE FILE] "${name}" has ${size} bytes. Read a range of lines${orSearch}.`,
      );
    }
    const bytes = await handle.readFile();
    return decoderFor(bytes, name).decode(bytes);
  } finally {
    await handle.close();
  }
}

/** @throws {ToolError} when a named file is too large to be searched; in a folder it is left out. */
export async function checkSearchedSize(sandbox: Sandbox, place: ResolvedPath): Promise<void> {
  const size = (await stat(place.path).catch(() => undefined))?.size ?? 0;
  if (size <= toolLimits.grepFileBytes) return;
  throw new ToolError(
    `[UNREADABLE FILE] "${sandbox.display(place)}" has ${size} bytes, and files of more than ${toolLimits.grepFileBytes} are not searched. Read a range of its lines.`,
  );
}

async function fileLines(
  { sandbox, signal }: ToolContext,
  place: ResolvedPath,
  spans: readonly ToolLineRange[],
): Promise<{ lines: string[]; isWhole: boolean }> {
  const last = Math.max(0, ...spans.map(([, end]) => end));
  if (last === 0) {
    return { lines: redactedLines(await readWholeFile(sandbox, place)), isWhole: true };
  }
  const handle = await sandbox.openFile(place);
  try {
    return await linesUpTo(handle, last, sandbox.display(place), signal);
  } finally {
    await handle.close();
  }
}

/** Reads up to the last requested line. */
async function linesUpTo(
  handle: FileHandle,
  last: number,
  name: string,
  signal: AbortSignal,
): Promise<{ lines: string[]; isWhole: boolean }> {
  const endsAt = performance.now() + toolDeadlineMs;
  const buffer = Buffer.allocUnsafe(1 << 20);
  let decoder: TextDecoder | undefined;
  const lines: string[] = [];
  const withholder = new LineWithholder();
  let tail = '';
  for (let bytes = 0; ; ) {
    signal.throwIfAborted();
    const { bytesRead } = await handle.read(buffer, 0, buffer.length);
    const piece = buffer.subarray(0, bytesRead);
    decoder ??= decoderFor(piece, name);
    bytes += bytesRead;
    const parts = (tail + decoder.decode(piece, { stream: bytesRead > 0 })).split(/\r?\n/);
    tail = parts.pop() ?? '';
    // Only the shown part of each line is kept. Splitting comes first, so that CR and LF stay together.
    for (const part of withholder.add(parts)) lines.push(truncateLine(part));
    if (lines.length >= last) return { lines, isWhole: false };
    if (bytesRead === 0) {
      const rest = [...withholder.add(tail === '' ? [] : [tail]), ...withholder.end()];
      for (const part of rest) lines.push(truncateLine(part));
      return { lines, isWhole: true };
    }
    if (bytes > toolLimits.rangedFileBytes || performance.now() > endsAt) {
      throw new ToolError(`[UNREADABLE FILE] "${name}" is too large to reach line ${last}.`);
    }
  }
}

function decoderFor(bytes: Uint8Array, name: string): TextDecoder {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le');
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be');
  if (bytes.subarray(0, probeBytes).includes(0)) {
    throw new ToolError(`[UNREADABLE FILE] "${name}" is no text.`);
  }
  return new TextDecoder('utf-8');
}

/** The lines of a text with secrets withheld. */
function redactedLines(text: string): string[] {
  return linesOfText(withholdSecrets(text).text);
}

/** Splits a text into lines, without an empty line after the final line end. */
export function linesOfText(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function format(
  lines: readonly string[],
  spans: readonly ToolLineRange[],
  isWhole: boolean,
): ToolResult {
  if (lines.length === 0) return { text: '(empty file)', isError: false, hits: 0 };
  const inside = spans.filter(([first]) => first <= lines.length);
  if (spans.length > 0 && inside.length === 0) {
    return {
      text: `(the file ends at line ${lines.length})`,
      isError: false,
      hits: 0,
    };
  }
  const chunks: string[] = [];
  let shown = 0;
  let isCut = false;
  let chars = 0;
  for (const [first, last] of inside.length > 0 ? inside : ([[1, lines.length]] as const)) {
    const chunk: string[] = [];
    for (let line = first; line <= Math.min(last, lines.length); line++) {
      const text = `${line}|${truncateLine(lines[line - 1] ?? '')}`;
      chars += text.length + 1;
      isCut ||= shown >= toolLimits.readLines || chars > toolLimits.resultChars;
      if (isCut) break;
      chunk.push(text);
      shown++;
    }
    if (chunk.length > 0) chunks.push(chunk.join('\n'));
  }
  const total = isWhole ? ` of ${lines.length}` : '';
  const note = isCut ? `\n... (output truncated at ${shown}${total} lines)` : '';
  return { text: chunks.join('\n...\n') + note, isError: false, hits: shown };
}
