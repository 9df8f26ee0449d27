import * as vscode from 'vscode';
import { numberedRowsAt } from '../../merge';
import { isNotebookPath } from '../answer/notebook/notebookFile';
import type { EditPart } from '../answer/operations';
import { readAnswer } from '../answer/readAnswer';
import { maxTextLength } from '../parse/clipboard';
import { findNamedFiles } from '../target/findNamedFiles';

/** The text of an answer and its parts, which are read once. */
export class CopiedAnswer {
  readonly text: string;
  #parts: readonly EditPart[] | undefined;

  constructor(text: string) {
    this.text = text;
  }

  get parts(): readonly EditPart[] {
    this.#parts ??= readAnswer(this.text);
    return this.#parts;
  }

  /** The paths that it names, with `/`. */
  get paths(): string[] {
    return this.parts.flatMap(({ operation }) => {
      const newPath = 'newPath' in operation ? operation.newPath : undefined;
      return [operation.path, newPath].flatMap(path =>
        path === undefined ? [] : [path.replaceAll('\\', '/')],
      );
    });
  }
}

/**
 * Whether an answer takes more than one edit of one existing text: several files or parts, a notebook, or a file that
 * is created, deleted or renamed.
 */
export async function isChangeSet(answer: CopiedAnswer): Promise<boolean> {
  if (answer.text.length > maxTextLength || answer.text.includes('\0')) return false;
  const operations = answer.parts
    .map(({ operation }) => operation)
    .filter(({ kind }) => kind !== 'none');
  const [only, second] = operations;
  if (!only) return false;
  if (second) return true;
  // Only the change set says so.
  if (answer.parts.some(({ cutAt }) => cutAt !== undefined)) return true;
  if (only.kind === 'blocks' && only.isEverywhere === true) return true;
  if (only.kind !== 'snippet' && only.kind !== 'diff' && only.kind !== 'blocks') return true;
  // Only the reader of answers tells the rows from what stands around them.
  if (only.kind === 'snippet' && numberedRowsAt(only.text.split('\n'), 0)?.isDiff) return true;
  // Its code is for one of the cells.
  if (only.path !== undefined && isNotebookPath(only.path)) return true;
  const isNew =
    only.kind === 'snippet' || (only.kind === 'diff' && /^--- \/dev\/null/m.test(only.diff));
  return isNew && only.path !== undefined && !(await isNamed(only.path));
}

/** Whether any file of the workspace has the name at the end of a path. */
async function isNamed(given: string): Promise<boolean> {
  const name = given.split(/[\\/]/).at(-1) ?? '';
  if (vscode.workspace.textDocuments.some(({ uri }) => uri.path.endsWith(`/${name}`))) return true;
  return (await findNamedFiles(given)).length > 0;
}
