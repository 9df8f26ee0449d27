import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, stat } from 'node:fs/promises';
import path from 'node:path';
import { isMissing } from '../../../base/fileErrors';

/** Up to where a spool file was read. */
export interface SpoolPosition {
  /** The file's number, by which it is known after it was renamed. */
  readonly file: string;
  /** bytes */
  readonly offset: number;
}

/** The programs rotate the file at 8 MB; what is longer was not written by them. */
const maxRead = 16 * 1024 * 1024; // bytes
const maxLine = 64 * 1024; // bytes
const lineEnd = 0x0a;

/**
 * Reads the lines that agents have appended to a file since the last time. Whoever watches the file calls `read`;
 * nothing is polled. The file may be new, empty, cut off, or renamed to `<file>.1` and begun again.
 */
export class SpoolReader {
  readonly #file: string;
  #position: SpoolPosition | undefined;
  #reading: Promise<readonly string[]> = Promise.resolve([]);

  /** @param position from an earlier reader; without it, all that is there is read. */
  constructor(file: string, position?: SpoolPosition) {
    this.#file = file;
    this.#position = position;
  }

  get position(): SpoolPosition | undefined {
    return this.#position;
  }

  /** Makes the file, which can then be watched. Only its owner can read it. */
  async prepare(): Promise<void> {
    await mkdir(path.dirname(this.#file), { recursive: true, mode: 0o700 });
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND;
    await (await open(this.#file, flags, 0o600)).close();
  }

  /** The lines since the last call; calls wait for each other. */
  read(): Promise<readonly string[]> {
    const reading = this.#reading.catch(() => []).then(() => this.#readNew());
    this.#reading = reading;
    return reading;
  }

  async #readNew(): Promise<readonly string[]> {
    const lines: string[] = [];
    const number = await fileNumber(this.#file);
    const { file, offset = 0 } = this.#position ?? {};
    const isRotated = file !== undefined && file !== number;
    // The rest of the file that has been renamed since. When there were two in between, one is lost.
    if (isRotated && (await fileNumber(`${this.#file}.1`)) === file)
      lines.push(...(await readLines(`${this.#file}.1`, offset)).lines);
    if (number === undefined) {
      this.#position = undefined;
      return lines;
    }
    const found = await readLines(this.#file, isRotated ? 0 : offset);
    this.#position = { file: number, offset: found.end };
    return [...lines, ...found.lines];
  }
}

/** `<device>:<inode>`, which survives a rename; undefined where there is no file. */
async function fileNumber(file: string): Promise<string | undefined> {
  try {
    const { dev, ino } = await stat(file, { bigint: true });
    return `${dev}:${ino}`;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Whole lines from an offset on, and where the last of them ends. A file that has become shorter is read anew. */
async function readLines(
  file: string,
  offset: number,
): Promise<{ readonly lines: readonly string[]; readonly end: number }> {
  let handle: FileHandle;
  try {
    handle = await open(file, 'r');
  } catch (error) {
    if (isMissing(error)) return { lines: [], end: 0 };
    throw error;
  }
  try {
    const { size } = await handle.stat();
    // What is in front is too much to be of use: labels are about what happens now.
    const start = Math.max(offset > size ? 0 : offset, size - maxRead);
    const bytes = Buffer.alloc(size - start);
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, start);
    const read = bytes.subarray(0, bytesRead);
    const whole = read.lastIndexOf(lineEnd) + 1;
    // A line that has not ended by now is none of ours.
    const end = read.length - whole > maxLine ? read.length : whole;
    const lines = read.subarray(0, whole).toString('utf8').split('\n').slice(0, -1);
    return { lines, end: start + end };
  } finally {
    await handle.close();
  }
}
