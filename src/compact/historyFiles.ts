import { append } from '../base/arrays';
import { readdir, readFile, realpath, open as openFile, stat } from 'node:fs/promises';
import path from 'node:path';
import picomatch from 'picomatch';
import { estimateTokens } from '../service/tokens';
import { type Chat, readChat } from './chat';
import { decodeHistory, UnsupportedHistory } from './histories';
import {
  folderOfStorage,
  type HistoryPlace,
  historyPlaces,
  isOfFolder,
  type Machine,
} from './histories/places';

/** Bytes; a larger history is not read. */
export const largestHistory = 50 * 1024 * 1024;

/** Bytes that are read of each file to tell what it is about. */
const wholeBelow = 1024 * 1024;
const headBytes = 256 * 1024;
/** Files that are looked into, the latest first. */
const mostDescribed = 300;
/** Entries of one folder, so that a strange one cannot hold everything up. */
const mostEntries = 5000;
const longestTitle = 80;

export interface FoundHistory {
  readonly path: string;
  /** Of the tool. */
  readonly label: string;
  readonly title: string;
  /** Last change, ms since the epoch. */
  readonly at: number;
  /** Bytes. */
  readonly size: number;
  /** Estimated, of a long one from its beginning. */
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

interface Candidate {
  readonly path: string;
  readonly place: HistoryPlace;
  readonly at: number;
  readonly size: number;
}

/** Looks where the tools keep their sessions, the latest first. Nothing is changed. */
export async function findHistories(machine: Machine, search: HistorySearch): Promise<void> {
  const { signal } = search;
  const found = new Map<string, Candidate>();
  for (const place of historyPlaces(machine))
    for (const file of await filesOf(place.folder, place.pattern.split('/'))) {
      signal.throwIfAborted();
      const candidate = await candidateOf(file, place, search);
      // Of two places that hold a file, the one that says whose it is comes first.
      if (candidate && !found.has(candidate.path)) found.set(candidate.path, candidate);
    }
  const latest = [...found.values()].sort((a, b) => b.at - a.at).slice(0, mostDescribed);
  const storages = new Map<string, string | undefined>();
  for (const candidate of latest) {
    signal.throwIfAborted();
    const history = await describe(candidate, machine, storages).catch((error: unknown) => {
      const reason = error instanceof UnsupportedHistory ? 'unknown' : 'unreadable';
      search.onUnreadable({ path: candidate.path, reason });
    });
    if (history) search.onFound(history);
  }
}

async function candidateOf(
  file: string,
  place: HistoryPlace,
  search: HistorySearch,
): Promise<Candidate | undefined> {
  try {
    const real = await realpath(file);
    const { mtimeMs, size, isFile } = await statOf(real);
    if (!isFile || size === 0) return undefined;
    if (place.isDatabase || size > largestHistory) {
      search.onUnreadable({ path: real, reason: place.isDatabase ? 'database' : 'tooLarge' });
      return undefined;
    }
    return { path: real, place, at: mtimeMs, size };
  } catch {
    search.onUnreadable({ path: file, reason: 'unreadable' });
    return undefined;
  }
}

async function statOf(file: string): Promise<{ mtimeMs: number; size: number; isFile: boolean }> {
  const found = await stat(file);
  return { mtimeMs: found.mtimeMs, size: found.size, isFile: found.isFile() };
}

/** Files below a folder by a glob, one segment for each level. */
async function filesOf(folder: string, [segment, ...rest]: readonly string[]): Promise<string[]> {
  if (segment === undefined) return [];
  const matches = picomatch(segment, { dot: true });
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found: string[] = [];
  for (const entry of entries.slice(0, mostEntries)) {
    if (!matches(entry.name)) continue;
    const file = path.join(folder, entry.name);
    if (rest.length === 0) {
      if (!entry.isDirectory()) found.push(file);
    } else if (!entry.isFile()) append(found, await filesOf(file, rest));
  }
  return found;
}

async function describe(
  { path: file, place, at, size }: Candidate,
  machine: Machine,
  storages: Map<string, string | undefined>,
): Promise<FoundHistory> {
  const { chat, share } = await readBeginning(file, size);
  const folder = chat?.workspace ?? (await storageFolder(file, place, storages));
  const { workspaceFolder, platform } = machine;
  const isOfWorkspace =
    place.isOfWorkspace ||
    (workspaceFolder !== undefined &&
      folder !== undefined &&
      isOfFolder(folder, workspaceFolder, platform));
  return {
    path: file,
    label: chat?.label ?? place.format,
    title: (chat && titleOf(chat)) || path.basename(file),
    at,
    size,
    tokens: Math.round((chat ? tokensOf(chat) : 0) / share),
    isOfWorkspace,
  };
}

/** `share` is how much of the file was read. A file that makes sense only as a whole is left alone when it is long. */
async function readBeginning(
  file: string,
  size: number,
): Promise<{ chat: Chat | undefined; share: number }> {
  if (size <= wholeBelow)
    return { chat: readChat({ path: file, text: decodeHistory(await readFile(file)) }), share: 1 };
  const handle = await openFile(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    // The end may be half a character.
    const text = new TextDecoder().decode(buffer.subarray(0, bytesRead), { stream: true });
    return { chat: readChat({ path: file, text }), share: bytesRead / size };
  } catch (error) {
    if (error instanceof UnsupportedHistory) return { chat: undefined, share: 1 };
    throw error;
  } finally {
    await handle.close();
  }
}

/** VS Code says in a file beside them which folder its sessions belong to. */
async function storageFolder(
  file: string,
  { folder, pattern }: HistoryPlace,
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

/** What it is called, or how its first question starts. */
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
  return (line ?? '').replaceAll(/\s+/g, ' ').slice(0, longestTitle);
}

function tokensOf({ messages }: Chat): number {
  let tokens = 0;
  for (const { parts } of messages) for (const { text } of parts) tokens += estimateTokens(text);
  return tokens;
}
