import * as vscode from 'vscode';
import type { CommandId } from '../../platform/commands/contribute';
import type { RefusedPart } from '../answer';
import { parseClipboard } from '../parse/clipboard';
import type { RefusedParts, RefusedPartsStore } from './refusedParts';

const { t } = vscode.l10n;

export interface RefusedChoice {
  readonly setId: string;
  readonly part: RefusedPart;
  readonly choice: 'place' | 'dismiss';
}

/** Tells the user what was not applied of an answer, and offers to place it. */
export async function offerRefused({ setId, parts }: RefusedParts): Promise<void> {
  const [first] = parts;
  if (!first) return;
  const show = t('Show');
  const message =
    parts.length === 1
      ? t('One part of the answer was not applied: {0}', first.reason)
      : t(
          'Parts of the answer that were not applied: {0}. The first: {1}',
          parts.length,
          first.reason,
        );
  if ((await vscode.window.showWarningMessage(message, show)) !== show) return;
  await vscode.commands.executeCommand('splice.apply.placeRefused' satisfies CommandId, setId);
}

/** Lets the user pick a part that was not applied, and what happens to it. */
export async function pickRefused(
  refused: RefusedPartsStore,
  setId: string | undefined,
  index: number | undefined,
): Promise<RefusedChoice | undefined> {
  const all = refused.all.filter(one => setId === undefined || one.setId === setId);
  const named = setId !== undefined && index !== undefined && refused.part(setId, index);
  const picked = named ? { setId, part: named } : await pickPart(all);
  if (!picked) return undefined;
  const { part } = picked.part;
  const place = {
    label: t('Apply to a File…'),
    iconPath: new vscode.ThemeIcon('go-to-file'),
    run: 'place',
  } as const;
  const show = {
    label: t('Show Text'),
    iconPath: new vscode.ThemeIcon('eye'),
    run: 'show',
  } as const;
  const copy = {
    label: t('Copy Text'),
    iconPath: new vscode.ThemeIcon('copy'),
    run: 'copy',
  } as const;
  const dismiss = {
    label: t('Remove from List'),
    iconPath: new vscode.ThemeIcon('close'),
    run: 'dismiss',
  } as const;
  const steps = [...(parseClipboard(part).kind === 'edits' ? [place] : []), show, copy, dismiss];
  const step = await vscode.window.showQuickPick(steps, {
    title: t('Not applied'),
    placeHolder: picked.part.reason,
  });
  if (step?.run === 'copy') await vscode.env.clipboard.writeText(part);
  if (step?.run === 'show') await showPart(part);
  return step?.run === 'place' || step?.run === 'dismiss'
    ? { ...picked, choice: step.run }
    : undefined;
}

async function pickPart(
  all: readonly RefusedParts[],
): Promise<{ readonly setId: string; readonly part: RefusedPart } | undefined> {
  const items = all.flatMap(({ setId, parts }) =>
    parts.map(part => ({
      label: part.reason,
      description: part.path ?? '',
      detail: firstCodeLine(part.part),
      setId,
      part,
    })),
  );
  const [only, second] = items;
  if (only && !second) return only;
  if (!only) {
    void vscode.window.showInformationMessage(
      t(
        'Everything of the last answers was applied. Copy another answer and run "Splice: Apply Clipboard Edit".',
      ),
    );
    return undefined;
  }
  return vscode.window.showQuickPick(items, {
    title: t('Parts that were not applied'),
    placeHolder: t('Pick a part to place it by hand'),
    matchOnDetail: true,
  });
}

async function showPart(content: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ content });
  await vscode.window.showTextDocument(document, { preview: true });
}

/** The first line of a part that says something, cut to a length that a list can show. */
export function firstCodeLine(part: string): string {
  const line = part
    .split('\n')
    .find(each => /[\p{L}\p{N}]/u.test(each) && !/^\s*(?:```|~~~)/.test(each));
  return (line ?? '').trim().slice(0, 120);
}
