import * as vscode from 'vscode';
import { UserError } from './errors';

const { t } = vscode.l10n;

/** Refused in Restricted Mode, with the button that leads out of it. */
export function untrusted(what: string): UserError {
  return new UserError(`${what} ${t('Trust this workspace first.')}`, {
    title: t('Manage Trust'),
    command: 'workbench.trust.manage',
  });
}
