import * as vscode from 'vscode';
import { runStep } from '../platform/showError';
import { adviceSteps } from '../platform/steps';
import type { Diagnosis } from './diagnose';

/** Shows the verdict of the diagnosis, with the step that can help and actions for the report. */
export async function showDiagnosisResult(
  { action, isWell, verdict }: Pick<Diagnosis, 'action' | 'isWell' | 'verdict'>,
  {
    copy,
    diagnose,
  }: { readonly copy: () => Promise<void>; readonly diagnose: () => Promise<void> },
): Promise<void> {
  const copyReport = vscode.l10n.t('Copy Report');
  const again = vscode.l10n.t('Diagnose Again');
  const steps = action ? adviceSteps([action], vscode.l10n.t) : [];
  const buttons = [...steps.map(({ title }) => title), copyReport, ...(isWell ? [] : [again])];
  const show = isWell ? vscode.window.showInformationMessage : vscode.window.showWarningMessage;
  const picked = await show(verdict, ...buttons);
  if (picked === copyReport) await copy();
  if (picked === again) await diagnose();
  const step = steps.find(({ title }) => title === picked);
  if (step) await runStep(step);
}
