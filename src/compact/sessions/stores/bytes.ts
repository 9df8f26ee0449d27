import zlib from 'node:zlib';
import { UnsupportedHistory } from '../history';
import { decodeHistory } from '../historyFile';

/**
 * The text of a session file, which Codex compresses when it is old.
 * @param maxBytes of the text.
 * @throws {UnsupportedHistory}
 */
export function historyText(name: string, bytes: Uint8Array, maxBytes: number): string {
  if (!name.endsWith('.zst')) return decodeHistory(bytes);
  // Not every Node.js that runs extensions has it.
  if (typeof zlib.zstdDecompressSync !== 'function') {
    throw new UnsupportedHistory(
      'Codex',
      'the session is compressed (zstd), which this version of the editor cannot read',
      'Open it in Codex once, or update the editor.',
    );
  }
  let text: Uint8Array;
  try {
    text = zlib.zstdDecompressSync(bytes, { maxOutputLength: maxBytes });
  } catch {
    throw new UnsupportedHistory(
      'Codex',
      'the compressed session is damaged or too large',
      'Choose another session.',
    );
  }
  return decodeHistory(text);
}
