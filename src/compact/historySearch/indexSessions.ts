import { type Chat, type ReadableFile, readChat } from '../sessions/chat';
import type { IndexedSession, MessageIndex } from './messageIndex';

/** A file that may have to be read. */
export interface SessionFile {
  readonly path: string;
  /** Modification time, in milliseconds since the epoch. */
  readonly at: number;
  /** Bytes. */
  readonly size: number;
}

export interface IndexProgress {
  /** Bytes of the files that are new or have changed. */
  readonly total: number;
  readonly done: number;
}

export interface IndexSource {
  /** Newest first. */
  readonly files: readonly SessionFile[];
  readonly read: (file: string) => Promise<ReadableFile>;
  readonly onProgress: (progress: IndexProgress) => void;
  /** Gets files that cannot be read, or have an unknown format; they are tried again when they change. */
  readonly onUnreadable: (file: string, error: unknown) => void;
  readonly isStopped: () => boolean;
}

/** What is put in at once: SQLite writes it as one piece. In bytes. */
const batchBytes = 16 * 1024 * 1024;

/** Brings the index up to date, the newest sessions first. What was put in stays when it is stopped. */
export async function indexSessions(
  index: Pick<MessageIndex, 'stamps' | 'replace' | 'remove'>,
  source: IndexSource,
): Promise<void> {
  const { files, onProgress, isStopped } = source;
  const known = index.stamps;
  const stamps = new Map(files.map(file => [file.path, stampOf(file)]));
  index.remove([...known.keys()].filter(file => !stamps.has(file)));
  const changed = files.filter(file => known.get(file.path) !== stampOf(file));
  const total = changed.reduce((sum, { size }) => sum + size, 0);
  let done = 0;
  let batch: IndexedSession[] = [];
  let bytes = 0;
  const flush = (): void => {
    index.replace(batch);
    [batch, bytes] = [[], 0];
  };
  for (const file of changed) {
    if (isStopped()) return;
    batch.push(await sessionOf(file, source));
    bytes += file.size;
    done += file.size;
    if (bytes >= batchBytes) flush();
    onProgress({ total, done });
  }
  flush();
}

async function sessionOf(
  file: SessionFile,
  { read, onUnreadable }: IndexSource,
): Promise<IndexedSession> {
  const about = { path: file.path, stamp: stampOf(file), at: file.at };
  try {
    const chat = readChat({ ...(await read(file.path)), includesEarlier: true });
    return { ...about, messages: textsOfMessages(chat) };
  } catch (error) {
    onUnreadable(file.path, error);
    return { ...about, messages: [] };
  }
}

/** All that a message holds as text. */
export const textsOfMessages = ({ messages }: Chat): string[] =>
  messages.map(({ parts }) => parts.map(({ text }) => text).join('\n'));

const stampOf = ({ at, size }: SessionFile): string => `${at}-${size}`;
