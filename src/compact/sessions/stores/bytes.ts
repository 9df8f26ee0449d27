import { pipeline, Readable } from 'node:stream';
import zlib from 'node:zlib';
import { UnsupportedHistory } from '../history';
import { decodeHistory } from '../historyFile';

/** Size limit in bytes; larger histories are not read. */
export const maxHistoryBytes = 256 * 1024 * 1024;

/**
 * The text of a session file, which Codex compresses when it is old.
 * @param maxBytes of the text.
 * @throws {UnsupportedHistory}
 */
export async function historyText(
  name: string,
  bytes: Uint8Array,
  maxBytes: number,
): Promise<string> {
  if (!name.endsWith('.zst')) return decodeHistory(bytes);
  // In slices on other threads: a session may be a hundred times as large.
  const { head } = await decompressedHead('Codex', Readable.from([bytes]), maxBytes + 1);
  if (head.length > maxBytes) throw unreadable('Codex');
  return decodeHistory(head);
}

/**
 * What a tool has compressed with zstd.
 * @param maxBytes of the result.
 * @throws {UnsupportedHistory}
 */
export function decompressed(tool: string, bytes: Uint8Array, maxBytes: number): Uint8Array {
  requireZstd(tool);
  try {
    return zlib.zstdDecompressSync(bytes, { maxOutputLength: maxBytes });
  } catch {
    throw unreadable(tool);
  }
}

/** Bytes that are decompressed at once. Of the usual 16 kB, a large session would take twice as long. */
const chunkSize = 256 * 1024;

/**
 * The beginning of what a tool has compressed with zstd.
 * @param minBytes of the result, unless all of it is shorter.
 * @returns `read` is how many bytes of the source that took.
 * @throws {UnsupportedHistory}
 */
export async function decompressedHead(
  tool: string,
  source: Readable,
  minBytes: number,
): Promise<{ readonly head: Uint8Array; readonly read: number }> {
  requireZstd(tool);
  const stream = zlib.createZstdDecompress({ chunkSize });
  const chunks: Uint8Array[] = [];
  let length = 0;
  // Both end with either of them; an error is thrown below.
  pipeline(source, stream, () => undefined);
  try {
    for await (const chunk of stream) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= minBytes) break;
    }
  } catch {
    throw unreadable(tool);
  }
  return { head: Buffer.concat(chunks), read: stream.bytesWritten };
}

/** Not every Node.js that runs extensions has it. */
function requireZstd(tool: string): void {
  if (typeof zlib.zstdDecompressSync === 'function') return;
  throw new UnsupportedHistory(
    tool,
    'the session is compressed (zstd), which this version of the editor cannot read',
    'Update the editor, or open the session in its tool.',
  );
}

function unreadable(tool: string): UnsupportedHistory {
  return new UnsupportedHistory(
    tool,
    'the compressed session is damaged or too large',
    'Choose another session.',
  );
}
