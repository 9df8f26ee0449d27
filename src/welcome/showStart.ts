import * as vscode from 'vscode';
import type { Host } from '../platform/host';
import { settings } from '../platform/settings';
import { offeredStartKey } from '../platform/storageKeys';
import { startWalkthrough } from './ids';
import { isWalkthroughDue } from './offer';

export async function openWalkthrough({ context }: Pick<Host, 'context'>): Promise<void> {
  await show(context, { toSide: false });
}

/**
 * Opens the walkthrough in the first window after the installation, and in no other one. VS Code does so itself
 * after an installation from its list, which then shows the same tab.
 */
export async function offerStart({ context }: Pick<Host, 'context'>): Promise<void> {
  const { globalState } = context;
  const wasUsed = globalState.keys().length > 0 || settings.baseUrl !== '';
  await globalState.update(offeredStartKey, true);
  const wanted = vscode.workspace
    .getConfiguration()
    .get('workbench.welcomePage.walkthroughs.openOnInstall');
  if (!isWalkthroughDue({ opensWalkthroughs: wanted !== false, wasUsed })) return;
  // Behind what the user works on.
  await show(context, { inactive: true, toSide: false });
}

const show = (
  { extension }: vscode.ExtensionContext,
  how: { readonly toSide: boolean; readonly inactive?: boolean },
): Thenable<unknown> =>
  vscode.commands.executeCommand(
    'workbench.action.openWalkthrough',
    `${extension.id}#${startWalkthrough}`,
    how,
  );
