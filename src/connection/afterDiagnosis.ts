import * as vscode from 'vscode';
import type { Diagnosis } from '../host/diagnose';
import { take } from '../host/showError';
import { stepsFor } from '../host/steps';

/** Says what the diagnosis has found, with the step that helps and what else can be done with the report. */
export async function offerSteps(
  { action, isWell, verdict }: Pick<Diagnosis, 'action' | 'isWell' | 'verdict'>,
  {
    copy,
    diagnose,
  }: { readonly copy: () => Promise<void>; readonly diagnose: () => Promise<void> },
): Promise<void> {
  const copyReport = vscode.l10n.t('Copy Report');
  const again = vscode.l10n.t('Diagnose Again');
  const steps = action ? stepsFor([action], vscode.l10n.t) : [];
  const buttons = [...steps.map(({ title }) => title), copyReport, ...(isWell ? [] : [again])];
  const show = isWell ? vscode.window.showInformationMessage : vscode.window.showWarningMessage;
  const picked = await show(verdict, ...buttons);
  if (picked === copyReport) await copy();
  if (picked === again) await diagnose();
  const step = steps.find(({ title }) => title === picked);
  if (step) await take(step);
}
