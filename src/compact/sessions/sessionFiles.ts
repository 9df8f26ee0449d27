import { open as openFile, readdir, readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import picomatch from 'picomatch';
import { append } from '../../base/arrays';
import { estimateTokens } from '../../service';
import { type Chat, readChat } from './chat';
import { decodeHistory, UnsupportedHistory } from './index';
import {
  folderOfStorage,
  type HistoryLocation,
  historyLocations,
  isOfFolder,
  type Machine,
} from './sessionFolders';

/** Size limit in bytes; larger histories are not read. */
export const maxHistoryBytes = 50 * 1024 * 1024;

/** Files up to this size, in bytes, are read whole for their title; only the head of larger ones. */
const maxWholeBytes = 1024 * 1024;
const headBytes = 256 * 1024;
/** Files whose title is read, newest first. */
const maxDescribed = 300;
/** Entries that are read of one folder, so that a huge folder does not block the search. */
const maxFolderEntries = 5000;
const maxTitleChars = 80;

export interface FoundHistory {
  readonly path: string;
  /** Name of the format. */
  readonly label: string;
  readonly title: string;
  /** Modification time, in milliseconds since the epoch. */
  readonly at: number;
  /** Bytes. */
  readonly size: number;
  /** Estimate; extrapolated from the beginning of a large file. */
  readonly tokens: number;
  readonly isOfWorkspace: boolean;
}

export interface UnreadableHistory {
  readonly path: string;
  readonly reason: 'tooLarge' | 'database' | 'unreadable' | 'unknown';
}

export interface HistorySearch {
  readonly signal: AbortSignal;
  onFound(history: FoundHistory): void;
  onUnreadable(history: UnreadableHistory): void;
}

interface HistoryCandidate {
  readonly path: string;
  readonly location: HistoryLocation;
  readonly at: number;
  readonly size: number;
}

/** Finds the sessions of known tools, newest first. Only reads. */
export async function findHistories(machine: Machine, search: HistorySearch): Promise<void> {
  const { signal } = search;
  const found = new Map<string, HistoryCandidate>();
  for (const location of historyLocations(machine)) {
    for (const file of await filesOf(location.folder, location.pattern.split('/'))) {
      signal.throwIfAborted();
      const candidate = await candidateOf(file, location, search);
      // The first location wins: locations that belong to the workspace are listed before others.
      if (candidate && !found.has(candidate.path)) found.set(candidate.path, candidate);
    }
  }
  const latest = [...found.values()].sort((a, b) => b.at - a.at).slice(0, maxDescribed);
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

async function candidateOf(
  file: string,
  location: HistoryLocation,
  search: HistorySearch,
): Promise<HistoryCandidate | undefined> {
  try {
    const real = await realpath(file);
    const { mtimeMs, size, isFile } = await statOf(real);
    if (!isFile || size === 0) return undefined;
    if (location.isDatabase || size > maxHistoryBytes) {
      search.onUnreadable({ path: real, reason: location.isDatabase ? 'database' : 'tooLarge' });
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

async function describe(
  { path: file, location, at, size }: HistoryCandidate,
  machine: Machine,
  storages: Map<string, string | undefined>,
): Promise<FoundHistory> {
  const { chat, share } = await readBeginning(file, size);
  const folder = chat?.workspace ?? (await storageFolder(file, location, storages));
  const { workspaceFolder, platform } = machine;
  const isOfWorkspace =
    location.isOfWorkspace ||
    (workspaceFolder !== undefined &&
      folder !== undefined &&
      isOfFolder(folder, workspaceFolder, platform));
  return {
    path: file,
    label: chat?.label ?? location.format,
    title: (chat && titleOf(chat)) || path.basename(file),
    at,
    size,
    tokens: Math.round((chat ? tokensOf(chat) : 0) / share),
    isOfWorkspace,
  };
}

/** `share` is the part of the file that was read, from 0 to 1. `chat` is undefined for a large file whose head cannot be parsed alone. */
async function readBeginning(
  file: string,
  size: number,
): Promise<{ chat: Chat | undefined; share: number }> {
  if (size <= maxWholeBytes) {
    return { chat: readChat({ path: file, text: decodeHistory(await readFile(file)) }), share: 1 };
  }
  const handle = await openFile(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    // The head may end within a character.
    const text = new TextDecoder().decode(buffer.subarray(0, bytesRead), { stream: true });
    return { chat: readChat({ path: file, text }), share: bytesRead / size };
  } catch (error) {
    if (error instanceof UnsupportedHistory) return { chat: undefined, share: 1 };
    throw error;
  } finally {
    await handle.close();
  }
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

/** The title, or else the first line of the first question. */
function titleOf({ title, messages }: Chat): string {
  const first = messages
    .filter(({ role }) => role === 'user')
    .flatMap(({ parts }) => parts)
    .find(({ type, text }) => type === 'text' && text.trim() !== '');
  const line = (title ?? first?.text ?? '')
    .slice(0, 2000)
    .split('\n')
    .map(text => text.replace(/^[#>\s]+/, '').trim())
    .find(text => text !== '' && !text.startsWith('<'));
  return (line ?? '').replaceAll(/\s+/g, ' ').slice(0, maxTitleChars);
}

function tokensOf({ messages }: Chat): number {
  let tokens = 0;
  for (const { parts } of messages) for (const { text } of parts) tokens += estimateTokens(text);
  return tokens;
}
