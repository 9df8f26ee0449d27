import * as vscode from 'vscode';
import { UserError } from '../base/userError';

const { t } = vscode.l10n;

/** The error for what Restricted Mode refuses, with a button to manage trust. */
export function untrusted(what: string): UserError {
  return new UserError(`${what} ${t('Trust this workspace first.')}`, {
    title: t('Manage Trust'),
    command: 'workbench.trust.manage',
  });
}
