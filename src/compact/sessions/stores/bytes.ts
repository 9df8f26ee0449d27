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
export function historyText(name: string, bytes: Uint8Array, maxBytes: number): string {
  return decodeHistory(name.endsWith('.zst') ? decompressed('Codex', bytes, maxBytes) : bytes);
}

/**
 * What a tool has compressed with zstd.
 * @param maxBytes of the result.
 * @throws {UnsupportedHistory}
 */
export function decompressed(tool: string, bytes: Uint8Array, maxBytes: number): Uint8Array {
  // Not every Node.js that runs extensions has it.
  if (typeof zlib.zstdDecompressSync !== 'function') {
    throw new UnsupportedHistory(
      tool,
      'the session is compressed (zstd), which this version of the editor cannot read',
      'Update the editor, or open the session in its tool.',
    );
  }
  try {
    return zlib.zstdDecompressSync(bytes, { maxOutputLength: maxBytes });
  } catch {
    throw new UnsupportedHistory(
      tool,
      'the compressed session is damaged or too large',
      'Choose another session.',
    );
  }
}
