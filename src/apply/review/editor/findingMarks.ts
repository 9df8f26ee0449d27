import * as vscode from 'vscode';
import { pendingFindings } from '../model/findings';
import type { Review } from '../review';

/**
 * Publishes the findings of open reviews as diagnostics, so that *Go to Next Problem* and screen readers find
 * them.
 */
export class FindingMarks implements vscode.Disposable {
  readonly #problems = vscode.languages.createDiagnosticCollection('splice-review');
  #shown = '';

  /** @param reviews the reviews whose preview is open. */
  show(reviews: readonly Review[]): void {
    const all = reviews.filter(hasFindings).map(review => ({
      review,
      findings: pendingFindings(review.view, review.origin.findings, 'unified'),
    }));
    const key = JSON.stringify(all.map(({ review, findings }) => [review.id, findings]));
    if (key === this.#shown) return;
    this.#shown = key;
    this.#problems.clear();
    for (const { review, findings } of all) {
      if (findings.length === 0) continue;
      // The header has no finding.
      const rows = ['', ...review.view.text.split('\n')];
      this.#problems.set(
        review.previewUri,
        findings.map(({ finding, line }) => {
          const { Error, Warning } = vscode.DiagnosticSeverity;
          const diagnostic = new vscode.Diagnostic(
            new vscode.Range(line, 0, line, rows[line]?.length ?? 0),
            finding.message,
            finding.severity === 'error' ? Error : Warning,
          );
          diagnostic.source = 'Splice';
          return diagnostic;
        }),
      );
    }
  }

  dispose(): void {
    this.#problems.dispose();
  }
}

// Avoids building the view of reviews without findings.
const hasFindings = ({ origin }: Review): boolean => origin.findings.length > 0;
