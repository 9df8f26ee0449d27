import * as vscode from 'vscode';
import { pendingFindings } from './findings';
import type { Review } from './review';

/**
 * The findings of reviews as problems of their documents: *Go to Next Problem* and screen readers find
 * them there. Nothing stays when a review is closed.
 */
export class FindingMarks implements vscode.Disposable {
  readonly #problems = vscode.languages.createDiagnosticCollection('splice-review');
  #shown = '';

  /** @param reviews those whose document is open. */
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
      const rows = review.view.text.split('\n');
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

// The view of a review is built on demand, and most reviews need none here.
const hasFindings = ({ origin }: Review): boolean => origin.findings.length > 0;
