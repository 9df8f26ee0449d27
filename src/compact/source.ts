import { readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { UserError } from '../host/errors';
import type { ChatFile } from './chat';
import { decodeHistory } from './histories';
import { largestHistory } from './historyFiles';

const { t } = vscode.l10n;

/** Where a chat comes from. */
export interface ChatSource {
  readonly file: ChatFile;
  readonly title: string;
  /** Where a new session goes; absent for what is no file. */
  readonly folder?: string;
  /** Last change when it was read, ms since the epoch. */
  readonly modified?: number;
}

/** @throws {UserError} for what is no file, or too large to be read. */
export async function sourceOfFile(uri: vscode.Uri, title?: string): Promise<ChatSource> {
  const dirty = vscode.workspace.textDocuments.find(
    ({ uri: other, isDirty }) => isDirty && other.toString() === uri.toString(),
  );
  if (dirty) return sourceOfDocument(dirty);
  if (uri.scheme !== 'file') return sourceOfDocument(await vscode.workspace.openTextDocument(uri));
  const file = await realpath(uri.fsPath).catch(() => uri.fsPath);
  const found = await stat(file).catch(() => undefined);
  const name = path.basename(file);
  if (!found?.isFile()) throw new UserError(t('{0} is no file that can be read.', name));
  if (found.size > largestHistory)
    throw new UserError(t('{0} is larger than 50 MB and is not read.', name));
  const text = decodeHistory(await readFile(file));
  const beside = await besideOf(file);
  return {
    file: { path: file, text, ...(beside.length > 0 ? { beside } : {}) },
    title: title ?? name,
    folder: path.dirname(file),
    modified: found.mtimeMs,
  };
}

const taskFile = 'api_conversation_history.json';
const besideTask = ['ui_messages.json', 'task_metadata.json', 'history_item.json'];

/** A task is a folder of files. */
async function besideOf(file: string): Promise<{ path: string; text: string }[]> {
  if (path.basename(file) !== taskFile) return [];
  const texts = await Promise.all(
    besideTask.map(async name => {
      const other = path.join(path.dirname(file), name);
      const text = await readFile(other, 'utf8').catch(() => undefined);
      return text === undefined || text.length > largestHistory ? [] : [{ path: other, text }];
    }),
  );
  return texts.flat();
}

/** What an editor shows, saved or not. */
export function sourceOfDocument(document: vscode.TextDocument): ChatSource {
  const { uri, languageId } = document;
  const name = path.posix.basename(uri.path);
  // A document without a name has a language.
  const extension = /\.\w+$/.test(name) ? '' : (extensions[languageId] ?? '.txt');
  return { file: { path: `${name}${extension}`, text: document.getText() }, title: name };
}

const extensions: Record<string, string> = { markdown: '.md', json: '.json', jsonl: '.jsonl' };

export function sourceOfText(text: string, title: string): ChatSource {
  return { file: { path: 'text', text }, title };
}

/** Whether the file has been written to since it was read. */
export async function hasGrown({ file, modified }: ChatSource): Promise<boolean> {
  if (modified === undefined) return false;
  const now = await stat(file.path).catch(() => undefined);
  return now !== undefined && now.mtimeMs !== modified;
}
