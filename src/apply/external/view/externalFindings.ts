import * as vscode from 'vscode';
import { auditDiff, unifiedDiff } from '../../../merge';
import type { ExternalChanges, ExternalFile, ShownChanges } from '../externalChanges';

/** Longer files are not checked: it would take longer than a blink, in lines. */
const maxLines = 5000;

/**
 * What the audit finds in a changed file without knowing what was asked for: invalid characters, duplicates, leftovers,
 * text that is no longer well-formed. Published as problems, so that keys and screen readers find them.
 */
export class ExternalFindings implements vscode.Disposable {
  readonly #problems = vscode.languages.createDiagnosticCollection('splice-external');
  readonly #versions = new Map<string, string>();
  readonly #changes: ExternalChanges;

  constructor(changes: ExternalChanges) {
    this.#changes = changes;
  }

  /** Checks a file whose changes were read. */
  check(file: ExternalFile, shown: ShownChanges): void {
    if (this.#versions.get(file.id) === shown.version) return;
    this.#versions.set(file.id, shown.version);
    this.#problems.set(file.uri, shown.lines.length > maxLines ? [] : problemsOf(file, shown));
  }

  /** Forgets files that have no changes any more. */
  tidy(): void {
    for (const id of this.#versions.keys()) {
      if (this.#changes.byId(id)) continue;
      this.#versions.delete(id);
      this.#problems.delete(vscode.Uri.parse(id));
    }
  }

  dispose(): void {
    this.#problems.dispose();
  }
}

function problemsOf(
  { label }: ExternalFile,
  { baseline, lines }: ShownChanges,
): vscode.Diagnostic[] {
  const [before, after] = [baseline.join(''), lines.join('')];
  const diff = unifiedDiff(label, before, after).text;
  return auditDiff(before, diff, after, { path: label, t: vscode.l10n.t }).map(
    ({ line, message, severity }) => {
      const { Error, Warning } = vscode.DiagnosticSeverity;
      const row = Math.max(0, line - 1);
      const problem = new vscode.Diagnostic(
        new vscode.Range(row, 0, row, lines[row]?.trimEnd().length ?? 0),
        message,
        severity === 'error' ? Error : Warning,
      );
      problem.source = vscode.l10n.t('Splice review');
      return problem;
    },
  );
}
