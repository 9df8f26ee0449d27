import { open as openFile, readdir, readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import picomatch from 'picomatch';
import { append } from '../../base/arrays';
import { estimateTokens } from '../../service';
import { type Chat, type ChatFile, readChat } from './chat';
import { UnsupportedHistory } from './index';
import { chatsOfTranscript } from './locations/editorLocations';
import type { HistoryLocation, Machine } from './locations/machine';
import { readAbout } from './readChatFile';
import {
  crushLocations,
  crushProjectsFile,
  folderOfStorage,
  geminiProjectsFile,
  historyLocations,
  isOfOpenFolder,
  sessionFolderFor,
} from './sessionFolders';
import { decompressedHead, historyText, maxHistoryBytes } from './stores/bytes';
import { NoSqlite } from './stores/databaseCopy';
import { listStored } from './stores/sessionStores';
import { titleLine } from './titles';

/** Files up to this size, in bytes, are read whole for their title; only the head of larger ones. */
const maxWholeBytes = 1024 * 1024;
const headBytes = 256 * 1024;
/** Sessions are ten times as large as what zstd makes of them, or more. */
const usualCompression = 10;
/** Sessions among which the newest one about a folder is looked for; those of other folders are read as well. */
const maxNewest = 30;
/** Files whose title is read, newest first. */
const maxDescribed = 300;
/** Entries that are read of one folder, so that a huge folder does not block the search. */
const maxFolderEntries = 5000;

export interface FoundHistory {
  readonly path: string;
  /** Name of the format. */
  readonly label: string;
  readonly title: string;
  /** Modification time, in milliseconds since the epoch. */
  readonly at: number;
  /** Bytes. */
  readonly size: number;
  /** Estimate of the text. */
  readonly tokens: number;
  /** Not all of the text was read for {@link tokens}. */
  readonly isExtrapolated: boolean;
  readonly isOfWorkspace: boolean;
  /** Its id, where the path is that of a database. */
  readonly storedId?: string;
}

export interface UnreadableHistory {
  readonly path: string;
  readonly reason:
    | 'tooLarge'
    | 'largeDatabase'
    | 'database'
    | 'noSqlite'
    | 'unreadable'
    | 'unknown';
  /** Name of the tool, where the path does not tell it. */
  readonly tool?: string;
}

export interface HistorySearch {
  readonly signal: AbortSignal;
  onFound(history: FoundHistory): void;
  onUnreadable(history: UnreadableHistory): void;
  /** Reads databases elsewhere: a large one would hold this thread up. */
  readonly worker?: { listStored: typeof listStored };
}

export interface HistoryCandidate {
  readonly path: string;
  readonly location: HistoryLocation;
  readonly at: number;
  readonly size: number;
}

/** `onFound` gets the sessions in databases. */
type ListSearch = Pick<HistorySearch, 'signal' | 'onUnreadable'> &
  Partial<Pick<HistorySearch, 'onFound' | 'worker'>>;

/** The files of known tools' sessions, newest first. None of them is read, and no database without `onFound`. */
export async function listHistories(
  machine: Machine,
  search: ListSearch,
): Promise<HistoryCandidate[]> {
  const { signal } = search;
  const found = new Map<string, HistoryCandidate>();
  const databases = new Set<string>();
  // What tools answered is in the chat alone.
  const isCopyOfFound = (file: string, { format }: HistoryLocation): boolean =>
    format === 'copilot' && chatsOfTranscript(file, machine).some(chat => found.has(chat));
  const projects = await readFile(crushProjectsFile(machine), 'utf8').catch(() => '');
  for (const location of [...historyLocations(machine), ...crushLocations(projects, machine)]) {
    for (const file of await filesOf(location.folder, location.pattern.split('/'))) {
      signal.throwIfAborted();
      if (location.isDatabase) {
        if (databases.has(file)) continue;
        databases.add(file);
        // What a tool has taken into its database is there once more, as it was then.
        for (const old of await findStored(file, location, machine, search)) found.delete(old);
        continue;
      }
      const candidate = await candidateOf(file, location, search);
      // The first location wins: locations that belong to the workspace are listed before others.
      if (candidate && !found.has(candidate.path)) found.set(candidate.path, candidate);
    }
  }
  return [...found.values()]
    .filter(({ path: file, location }) => !isCopyOfFound(file, location))
    .sort((a, b) => b.at - a.at);
}

/** Finds the sessions of known tools, newest first. Only reads. */
export async function findHistories(machine: Machine, search: HistorySearch): Promise<void> {
  const { signal } = search;
  const latest = (await listHistories(machine, search)).slice(0, maxDescribed);
  const storageFolders = new Map<string, string | undefined>();
  for (const candidate of latest) {
    signal.throwIfAborted();
    const history = await describe(candidate, machine, storageFolders).catch((error: unknown) => {
      const reason = error instanceof UnsupportedHistory ? 'unknown' : 'unreadable';
      search.onUnreadable({ path: candidate.path, reason });
    });
    if (history) search.onFound(history);
  }
}

/** The newest session about the open folder, in a file. */
export async function newestOfWorkspace(
  machine: Machine,
  signal: AbortSignal,
): Promise<FoundHistory | undefined> {
  if (machine.workspaceFolder === undefined) return undefined;
  const listed = await listHistories(machine, { signal, onUnreadable: () => undefined });
  const storageFolders = new Map<string, string | undefined>();
  // The sub-agents of a session write to files of their own while it waits for them.
  const sessions = listed.filter(({ path: file }) => !path.basename(file).startsWith('agent-'));
  for (const candidate of sessions.slice(0, maxNewest)) {
    signal.throwIfAborted();
    // What cannot be read is listed, with the reason, where a chat is picked.
    const found = await describe(candidate, machine, storageFolders).catch(() => undefined);
    if (found?.isOfWorkspace) return found;
  }
  return undefined;
}

/** Where a session that was converted for a tool has to be; undefined where any place will do. */
export async function conversionFolder(
  tool: string,
  machine: Machine,
): Promise<string | undefined> {
  const projects = await readFile(geminiProjectsFile(machine), 'utf8').catch(() => '');
  return sessionFolderFor(tool, machine, projects);
}

/** Names of tools whose sessions are not a file each. */
const databaseTools: Readonly<Record<string, string>> = {
  opencode: 'opencode',
  kilo: 'Kilo Code',
  cursor: 'Cursor',
  goose: 'goose',
  zed: 'Zed',
  crush: 'Crush',
};
/** A larger database is not copied, in bytes. */
const maxDatabaseBytes = 500 * 1024 * 1024;

/**
 * The sessions in a database; those that are not read are reported by name.
 * @returns where the files of these sessions would be.
 */
async function findStored(
  file: string,
  { format, isOfWorkspace }: HistoryLocation,
  machine: Machine,
  search: ListSearch,
): Promise<string[]> {
  const { onFound, worker = { listStored } } = search;
  const tool = databaseTools[format] ?? format;
  const report = (reason: UnreadableHistory['reason']): void =>
    search.onUnreadable({ path: file, reason, tool });
  if (format === 'cursor') {
    report('database');
    return [];
  }
  if (!onFound) return [];
  try {
    const real = await realpath(file);
    const { size } = await statOf(real);
    if (size > maxDatabaseBytes) {
      report('largeDatabase');
      return [];
    }
    const stored = await worker.listStored(real, maxDescribed);
    for (const { id, title, directory, at, size: characters } of stored) {
      onFound({
        path: real,
        storedId: id,
        label: tool,
        title: title || id,
        at,
        size: characters,
        tokens: Math.round(characters / charsPerToken),
        isExtrapolated: true,
        isOfWorkspace: isOfWorkspace || isOfOpenFolder({ folder: directory }, machine),
      });
    }
    return stored.map(({ id }) => path.join(path.dirname(real), `${id}.jsonl`));
  } catch (error) {
    if (error instanceof UnsupportedHistory) report('unknown');
    else report(error instanceof NoSqlite ? 'noSqlite' : 'unreadable');
    return [];
  }
}

/** Rough, as the parts are JSON. */
const charsPerToken = 4;

async function candidateOf(
  file: string,
  location: HistoryLocation,
  search: Pick<HistorySearch, 'onUnreadable'>,
): Promise<HistoryCandidate | undefined> {
  try {
    const real = await realpath(file);
    const { mtimeMs, size, isFile } = await statOf(real);
    if (!isFile || size === 0) return undefined;
    if (size > maxHistoryBytes) {
      search.onUnreadable({ path: real, reason: 'tooLarge' });
      return undefined;
    }
    return { path: real, location, at: mtimeMs, size };
  } catch {
    search.onUnreadable({ path: file, reason: 'unreadable' });
    return undefined;
  }
}

async function statOf(file: string): Promise<{ mtimeMs: number; size: number; isFile: boolean }> {
  const found = await stat(file);
  return { mtimeMs: found.mtimeMs, size: found.size, isFile: found.isFile() };
}

/** Files below a folder that match a glob, given as one segment per level. */
async function filesOf(folder: string, [segment, ...rest]: readonly string[]): Promise<string[]> {
  if (segment === undefined) return [];
  const matches = picomatch(segment, { dot: true });
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found: string[] = [];
  for (const entry of entries.slice(0, maxFolderEntries)) {
    if (!matches(entry.name)) continue;
    const file = path.join(folder, entry.name);
    if (rest.length === 0) {
      if (!entry.isDirectory()) found.push(file);
    } else if (!entry.isFile()) {
      append(found, await filesOf(file, rest));
    }
  }
  return found;
}

/** Undefined for the session of a sub-agent, whose answer is in the one that started it. */
async function describe(
  { path: file, location, at, size }: HistoryCandidate,
  machine: Machine,
  storages: Map<string, string | undefined>,
): Promise<FoundHistory | undefined> {
  const { chat, title, share } = await readBeginning(file, size);
  if (chat?.isOfSubAgent) return undefined;
  const folder = chat?.workspace ?? (await storageFolder(file, location, storages));
  const isOfWorkspace =
    location.isOfWorkspace || isOfOpenFolder({ folder, hash: chat?.workspaceHash }, machine);
  return {
    path: file,
    label: chat?.label ?? location.format,
    title: title || path.basename(file),
    at,
    size,
    tokens: Math.round((chat ? tokensOf(chat) : 0) / share),
    isExtrapolated: share < 1,
    isOfWorkspace,
  };
}

interface ChatBeginning {
  /** Undefined for a large file whose head cannot be parsed alone. */
  readonly chat: Chat | undefined;
  /** '' for a chat without words. */
  readonly title: string;
  /** Part of the file that was read, from 0 to 1. */
  readonly share: number;
}

async function readBeginning(file: string, size: number): Promise<ChatBeginning> {
  const companions = await readAbout(file);
  const isCompressed = file.endsWith('.zst');
  if (size <= (isCompressed ? maxWholeBytes / usualCompression : maxWholeBytes)) {
    const text = await historyText(file, await readFile(file), maxHistoryBytes);
    return { ...readTitled({ path: file, text, companions }), share: 1 };
  }
  const { head, read } = await readHead(file, isCompressed);
  try {
    // The head may end within a character.
    const text = new TextDecoder().decode(head, { stream: true });
    return { ...readTitled({ path: file, text, companions }), share: Math.min(1, read / size) };
  } catch (error) {
    if (error instanceof UnsupportedHistory) return { chat: undefined, title: '', share: 1 };
    throw error;
  }
}

/** @returns `read` is how many bytes of the file that took. */
async function readHead(
  file: string,
  isCompressed: boolean,
): Promise<{ head: Uint8Array; read: number }> {
  // Opened here, so that a file that cannot be opened is not taken for a damaged one.
  const handle = await openFile(file, 'r');
  try {
    if (isCompressed) {
      const source = handle.createReadStream({ autoClose: false });
      return await decompressedHead('Codex', source, headBytes);
    }
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return { head: buffer.subarray(0, bytesRead), read: bytesRead };
  } finally {
    await handle.close();
  }
}

/** The first question says what a chat is about, also where its tool no longer sends it. */
function readTitled(file: ChatFile): Pick<ChatBeginning, 'chat' | 'title'> {
  const chat = readChat(file);
  const hasTitle = chat.earlier !== 'left out' || chat.title !== undefined;
  return { chat, title: titleLine(hasTitle ? chat : readChat({ ...file, includesEarlier: true })) };
}

/** The workspace folder of VS Code sessions, which `workspace.json` next to them names. */
async function storageFolder(
  file: string,
  { folder, pattern }: HistoryLocation,
  storages: Map<string, string | undefined>,
): Promise<string | undefined> {
  if (path.basename(folder) !== 'workspaceStorage' || !pattern.startsWith('*/')) return undefined;
  const [storage = ''] = path.relative(folder, file).split(path.sep);
  if (!storages.has(storage)) {
    const about = path.join(folder, storage, 'workspace.json');
    storages.set(storage, folderOfStorage(await readFile(about, 'utf8').catch(() => '')));
  }
  return storages.get(storage);
}

function tokensOf({ messages }: Chat): number {
  let tokens = 0;
  for (const { parts } of messages) for (const { text } of parts) tokens += estimateTokens(text);
  return tokens;
}
