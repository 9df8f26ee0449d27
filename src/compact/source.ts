import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { UserError } from '../base/userError';
import type { ChatFile } from './sessions/chat';
import { readChatFile } from './sessions/readChatFile';
import { maxHistoryBytes } from './sessions/stores/bytes';
import type { StoredPlace } from './sessions/stores/storedSession';
import type { WorkerClient } from './worker/workerClient';

const { t } = vscode.l10n;

/** A chat history to compact, and where it was read from. */
export interface ChatSource {
  readonly file: ChatFile;
  readonly title: string;
  /** Folder for a new session; absent when the chat was not read from a file. */
  readonly folder?: string;
  /** Modification time of the file when it was read, in milliseconds since the epoch. */
  readonly modified?: number;
}

/** @throws {UserError} when it is not a file or exceeds {@link maxHistoryBytes}. */
export async function sourceOfFile(uri: vscode.Uri, title?: string): Promise<ChatSource> {
  const dirty = vscode.workspace.textDocuments.find(
    ({ uri: other, isDirty }) => isDirty && other.toString() === uri.toString(),
  );
  if (dirty) return sourceOfDocument(dirty);
  if (uri.scheme !== 'file') return sourceOfDocument(await vscode.workspace.openTextDocument(uri));
  const file = await realpath(uri.fsPath).catch(() => uri.fsPath);
  const found = await stat(file).catch(() => undefined);
  const name = path.basename(file);
  if (!found?.isFile()) throw new UserError(t('{0} is not a readable file.', name));
  if (found.size > maxHistoryBytes) {
    throw new UserError(t('{0} is larger than 256 MB and is not read.', name));
  }
  return {
    file: await readChatFile(file),
    title: title ?? name,
    folder: path.dirname(file),
    modified: found.mtimeMs,
  };
}

/**
 * A session in the database of a tool.
 * @throws {UserError} when it is gone.
 */
export async function sourceOfDatabase(
  worker: Pick<WorkerClient, 'readStored'>,
  place: StoredPlace,
  title: string,
): Promise<ChatSource> {
  const text = await worker.readStored(place);
  if (text === undefined) throw new UserError(t('{0} is no longer in its tool.', title));
  return { file: { path: 'session.json', text }, title };
}

/** The text of an open document, including unsaved changes. */
export function sourceOfDocument(document: vscode.TextDocument): ChatSource {
  const { uri, languageId } = document;
  const name = path.posix.basename(uri.path);
  // An untitled document has no extension; its language tells the format.
  const extension = /\.\w+$/.test(name) ? '' : (extensions[languageId] ?? '.txt');
  return { file: { path: `${name}${extension}`, text: document.getText() }, title: name };
}

const extensions: Record<string, string> = { markdown: '.md', json: '.json', jsonl: '.jsonl' };

export function sourceOfText(text: string, title: string): ChatSource {
  return { file: { path: 'text', text }, title };
}

/** The same chat, with or without messages that its tool no longer sends. */
export function withEarlier(source: ChatSource, includesEarlier: boolean): ChatSource {
  return { ...source, file: { ...source.file, includesEarlier } };
}

/** Whether the modification time of the file differs from when it was read. */
export async function hasChangedOnDisk({ file, modified }: ChatSource): Promise<boolean> {
  if (modified === undefined) return false;
  const now = await stat(file.path).catch(() => undefined);
  return now !== undefined && now.mtimeMs !== modified;
}
