import type { FileHandle } from 'node:fs/promises';
import { TextDecoder } from 'node:util';
import { LineWithholder, withholdSecrets } from '../../host/egress/withhold';
import { type Place, type Sandbox, ToolError } from '../sandbox';
import type { Scope } from './grep';
import {
  type LineSpan,
  type ToolResult,
  caps,
  cutLine,
  parseRanges,
  toolDeadlineMs,
} from './toolText';

/** Bytes that decide whether a file is text. */
const probeBytes = 8000;

/** A file's lines as `12|text`; several ranges are parted by `...`. */
export async function readLines(
  scope: Scope,
  named: unknown,
  ranges: string | undefined,
): Promise<ToolResult> {
  const place = await scope.sandbox.resolve(named);
  if (place.isDirectory)
    throw new ToolError(
      `[FILE NOT FOUND] "${scope.sandbox.display(place)}" is a folder. Use list_directory.`,
    );
  const spans = parseRanges(ranges ?? '');
  const unsaved = scope.workspace.unsaved.get(place.path);
  const lines =
    unsaved === undefined
      ? await fileLines(scope, place, spans)
      : { lines: shownLines(unsaved), isWhole: true };
  return format(lines.lines, spans, lines.isWhole);
}

/** @throws {ToolError} for a file that is no text or above {@link caps.wholeFileBytes}. */
export async function readWhole(
  sandbox: Sandbox,
  place: Place,
  mostBytes: number = caps.wholeFileBytes,
): Promise<string> {
  const handle = await sandbox.openFile(place);
  try {
    const { size } = await handle.stat();
    const name = sandbox.display(place);
    if (size > mostBytes)
      throw new ToolError(
        `[UNREADABLE FILE] "${name}" has ${size} bytes. Read a range of lines, or search in it.`,
      );
    const bytes = await handle.readFile();
    return decoderFor(bytes, name).decode(bytes);
  } finally {
    await handle.close();
  }
}

async function fileLines(
  { sandbox, signal }: Scope,
  place: Place,
  spans: readonly LineSpan[],
): Promise<{ lines: string[]; isWhole: boolean }> {
  const last = Math.max(0, ...spans.map(([, end]) => end));
  if (last === 0) return { lines: shownLines(await readWhole(sandbox, place)), isWhole: true };
  const handle = await sandbox.openFile(place);
  try {
    return await linesUpTo(handle, last, sandbox.display(place), signal);
  } finally {
    await handle.close();
  }
}

/** Reads no further than the last line that is wanted. */
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
    // Only what is shown of a line is kept; a CR at the cut must stay next to its LF.
    for (const part of withholder.add(parts)) lines.push(cutLine(part));
    if (lines.length >= last) return { lines, isWhole: false };
    if (bytesRead === 0) {
      const rest = [...withholder.add(tail === '' ? [] : [tail]), ...withholder.end()];
      for (const part of rest) lines.push(cutLine(part));
      return { lines, isWhole: true };
    }
    if (bytes > caps.rangedFileBytes || performance.now() > endsAt)
      throw new ToolError(`[UNREADABLE FILE] "${name}" is too large to reach line ${last}.`);
  }
}

function decoderFor(bytes: Uint8Array, name: string): TextDecoder {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le');
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be');
  if (bytes.subarray(0, probeBytes).includes(0))
    throw new ToolError(`[UNREADABLE FILE] "${name}" is no text.`);
  return new TextDecoder('utf-8');
}

/** What a model may see of the lines of a text. */
export function shownLines(text: string): string[] {
  return splitLines(withholdSecrets(text).text);
}

/** Without the empty line behind the last line end. */
export function splitLines(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function format(
  lines: readonly string[],
  spans: readonly LineSpan[],
  isWhole: boolean,
): ToolResult {
  if (lines.length === 0) return { text: '(empty file)', isError: false, hits: 0 };
  const inside = spans.filter(([first]) => first <= lines.length);
  if (spans.length > 0 && inside.length === 0)
    return {
      text: `(the file ends at line ${lines.length})`,
      isError: false,
      hits: 0,
    };
  const chunks: string[] = [];
  let shown = 0;
  let isCut = false;
  let chars = 0;
  for (const [first, last] of inside.length > 0 ? inside : ([[1, lines.length]] as const)) {
    const chunk: string[] = [];
    for (let line = first; line <= Math.min(last, lines.length); line++) {
      const text = `${line}|${cutLine(lines[line - 1] ?? '')}`;
      chars += text.length + 1;
      isCut ||= shown >= caps.readLines || chars > caps.resultChars;
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
