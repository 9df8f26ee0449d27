import * as vscode from 'vscode';
import { numberText, percentText } from '../../base/format/numbers';
import { labelText } from '../../base/format/text';
import { type Html, html } from '../../platform/webview/html';
import type { Evaluation } from '../core/confusion';
import { figuresTable } from './figuresTable';

const { t } = vscode.l10n;
const digits = 4;
const count = (value: number): string => numberText(value, vscode.env.language);

/** The confusion matrix of a reflex, and the scores of its labels. */
export function evaluationTables(name: string, evaluation: Evaluation): Html {
  const { labels, matrix, classes, total, accuracy, macroF1 } = evaluation;
  if (labels.length === 0) return html``;
  const shown = labels.map(label => labelText(label, 40));
  const sums = t(
    total === 1
      ? '{0}: accuracy {1}, macro F1 {2}, 1 row'
      : '{0}: accuracy {1}, macro F1 {2}, {3} rows',
    labelText(name),
    percentText(accuracy, 2),
    macroF1.toFixed(digits),
    count(total),
  );
  const columns = [...shown, t('no label')];
  const scores = [t('Precision'), t('Recall'), t('F1'), t('Rows')];
  return html`<h3>${sums}</h3>
    ${figuresTable(
      t('Confusion matrix: labels of the file in rows, predicted labels in columns'),
      [t('Label'), ...columns],
      matrix.map(
        (row, at) =>
          html`<tr>
            <th scope="row">${shown[at] ?? ''}</th>
            ${row.map(
              (value, column) =>
                html`<td class="number ${column === at ? 'hit' : ''}" data-title="${columns[column] ?? ''}">${count(value)}</td>`,
            )}
          </tr>`,
      ),
    )}
    ${figuresTable(
      t('Scores by label'),
      [t('Label'), ...scores],
      classes.map(
        ({ precision, recall, f1, support }, at) =>
          html`<tr>
            <th scope="row">${shown[at] ?? ''}</th>
            ${[precision, recall, f1].map(
              (value, n) =>
                html`<td class="number" data-title="${scores[n] ?? ''}">${value.toFixed(digits)}</td>`,
            )}
            <td class="number" data-title="${scores[3] ?? ''}">${count(support)}</td>
          </tr>`,
      ),
    )}`;
}
