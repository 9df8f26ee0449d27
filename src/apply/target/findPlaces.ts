import { setImmediate } from 'node:timers/promises';
import * as vscode from 'vscode';
import { splitLines } from '../../base/text/textLines';
import { shownLines } from '../answer/shownText';
import { mergeLocally, mergeRequest } from '../changeset/engine';
import type { ClipboardEdit } from '../parse/clipboard';
import { languageIdOfPath, mayHold } from '../parse/languageName';
import { type ComparedParts, ContentLookup, type HoldingFile } from './contentLookup';
import { openDocuments } from './findTargets';
import {
  closeToBest,
  filesToTry,
  judgePlaces,
  maxTried,
  type Place,
  type TriedFile,
} from './places';
import { type WorkspaceFile, workspaceFile, workspaceFiles } from './workspaceFiles';
import { eachText, textOfFile, withheldFiles } from './workspaceTexts';

/** Found files whose paths are checked before {@link maxTried} of them are offered. */
const maxChecked = 2 * maxTried;

/**
 * The places in the open files and in the workspace that hold lines of an edit, the best first. Only an edit that
 * names no file can have a certain one.
 *
 * @throws the reason of `signal`.
 */
export async function findPlaces(
  edit: ClipboardEdit,
  open: readonly vscode.TextDocument[],
  signal: AbortSignal,
): Promise<Place<WorkspaceFile>[]> {
  const shown = shownLinesOf(edit);
  if (shown.length === 0) return [];
  const files = await allFiles(open, signal);
  const language = languageOf(edit);
  const fits = (file: WorkspaceFile): boolean =>
    language === undefined || file.document !== undefined || mayHold(file.path, language);
  const fitting = files.filter(fits);
  const attempts: readonly [ComparedParts, readonly WorkspaceFile[]][] = [
    ['lines', fitting],
    // The language may be a wrong one.
    ['lines', files.filter(file => !fits(file))],
    ['words', fitting],
  ];
  for (const [parts, searched] of attempts) {
    const lookup = new ContentLookup<WorkspaceFile>(shown, parts);
    await eachText(searched, parts, signal, (file, hashes) => lookup.add(file, hashes));
    const found = await offered(lookup, shown, signal);
    const tried: TriedFile<WorkspaceFile>[] = [];
    for (const one of found) {
      signal.throwIfAborted();
      const result = await tryMerge(edit, one);
      if (result) tried.push(result);
      await setImmediate();
    }
    if (tried.length === 0) continue;
    return judgePlaces(shown, tried, { byWords: parts === 'words' }).map(place =>
      edit.path === undefined ? place : { ...place, certain: false },
    );
  }
  return [];
}

/**
 * The files that hold lines of edits, the best first, for each of the edits. Each file is read once.
 *
 * @param except a file that is not looked into.
 * @throws the reason of `signal`.
 */
export async function findHolders(
  edits: readonly (readonly string[])[],
  { except, signal }: { readonly except: vscode.Uri | undefined; readonly signal: AbortSignal },
): Promise<(readonly HoldingFile<WorkspaceFile>[])[]> {
  const files = (await allFiles(openDocuments(), signal)).filter(
    ({ uri }) => uri.toString() !== except?.toString(),
  );
  const lookups = edits.map(shown => new ContentLookup<WorkspaceFile>(shown, 'lines'));
  await eachText(files, 'lines', signal, (file, hashes) => {
    for (const lookup of lookups) lookup.add(file, hashes);
  });
  const found: (readonly HoldingFile<WorkspaceFile>[])[] = [];
  for (const [at, lookup] of lookups.entries()) {
    found.push(await offered(lookup, edits[at] ?? [], signal));
  }
  return found;
}

/** Open files first: of files that are alike, they are the likelier ones. */
async function allFiles(
  open: readonly vscode.TextDocument[],
  signal: AbortSignal,
): Promise<WorkspaceFile[]> {
  const listed = vscode.workspace.workspaceFolders ? await workspaceFiles(signal) : [];
  const shown = new Set(open.map(({ uri }) => uri.toString()));
  // A document without a tab may have changes that are not saved.
  const hidden = new Map(vscode.workspace.textDocuments.map(one => [one.uri.toString(), one]));
  return [
    ...open.map(document => ({
      ...workspaceFile(document.uri, vscode.workspace.getWorkspaceFolder(document.uri)?.uri),
      document,
    })),
    ...listed
      .filter(({ uri }) => !shown.has(uri.toString()))
      .map(file => {
        const document = hidden.get(file.uri.toString());
        return document?.isDirty === true ? { ...file, document } : file;
      }),
  ];
}

async function offered(
  lookup: ContentLookup<WorkspaceFile>,
  shown: readonly string[],
  signal: AbortSignal,
): Promise<readonly HoldingFile<WorkspaceFile>[]> {
  const holding = lookup.ranked();
  const words = new ContentLookup<WorkspaceFile>(shown, 'words');
  await eachText(closeToBest(holding), 'words', signal, (file, hashes) => words.add(file, hashes));
  const scores = words.scores();
  const best = filesToTry(shown, holding, scores).slice(0, maxChecked);
  const withheld = await withheldFiles(best.map(({ file }) => file));
  if (withheld.size === 0) return best.slice(0, maxTried);
  lookup.drop(withheld);
  return filesToTry(shown, lookup.ranked(), scores).slice(0, maxTried);
}

async function tryMerge(
  edit: ClipboardEdit,
  found: HoldingFile<WorkspaceFile>,
): Promise<TriedFile<WorkspaceFile> | undefined> {
  const text = await textOfFile(found.file);
  return text === undefined
    ? undefined
    : {
        ...found,
        text,
        merged: triedMerge(edit, text, found.file.path),
        isOpen: found.file.document !== undefined,
      };
}

/** Merges without sending anything; what the audit objects to is not certain. */
export function triedMerge(
  edit: ClipboardEdit,
  original: string,
  path: string,
): TriedFile<unknown>['merged'] {
  const settings = { engine: 'local', model: 'auto' } as const;
  const request = mergeRequest(edit, splitLines(original), settings, {
    original,
    path,
    t: vscode.l10n.t,
  });
  const outcome = mergeLocally(request, () => 0);
  if (outcome.kind === 'refused') return outcome;
  const isDoubtful = outcome.findings.some(({ severity }) => severity === 'error');
  return { kind: 'merged', text: outcome.text, certain: outcome.certain && !isDoubtful };
}

function languageOf(edit: ClipboardEdit): string | undefined {
  return (
    (edit.format === 'snippet' ? edit.languageId : undefined) ??
    (edit.path === undefined ? undefined : languageIdOfPath(edit.path))
  );
}

function shownLinesOf(edit: ClipboardEdit): string[] {
  switch (edit.format) {
    case 'snippet':
      return shownLines({ kind: 'snippet', text: edit.text });
    case 'unifiedDiff':
      return shownLines({ kind: 'diff', diff: edit.diff });
    default:
      return shownLines({ kind: 'blocks', blocks: edit.blocks });
  }
}
