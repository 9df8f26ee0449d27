import * as vscode from 'vscode';
import { html } from '../platform/webview/html';
import { pageFrame } from '../platform/webview/pageFrame';
import type { CostGrouping } from './content';

const { t } = vscode.l10n;

/** The page without its content: buttons that keep the focus while the content changes. */
export function page(nonce: string): string {
  const controls = html`<span><label for="month">${t('Month')}</label> <select id="month" data-act="month"></select></span>
    <span><label for="by">${t('By')}</label>
    <select id="by" data-act="by">
      ${options().map(([value, label]) => html`<option value="${value}">${label}</option>`)}
    </select></span>
    <button id="export" data-act="export">${t('Export CSV…')}</button>
    <button id="budget" data-act="budget" class="secondary">${t('Change Budget')}</button>`;
  return pageFrame(
    { title: t('Splice Costs'), heading: t('Costs'), controls, script, style },
    nonce,
  );
}

const options = (): (readonly [CostGrouping, string])[] => [
  ['day', t('Day, operation and model')],
  ['purpose', t('Purpose')],
  ['model', t('Model')],
  ['chat', t('Chat')],
  ['workspace', t('Workspace')],
];

const script = `
onContent.push(({ month, months }) => {
  byId('month').replaceChildren(...months.map(({ value, label }) => new Option(label, value)));
  byId('month').value = month;
});
`;

const style = `
.total { display: flex; flex-wrap: wrap; align-items: baseline; gap: 4px 12px; margin: 16px 0 4px; }
.sum { font-size: 2.2em; line-height: 1.2; font-variant-numeric: tabular-nums; }
.budget { margin: 8px 0; }
.near .used { fill: var(--vscode-editorWarning-foreground); }
.spent .used { fill: var(--vscode-editorError-foreground); }
.purposes { margin: 4px 0; padding-left: 18px; }
td.model { min-width: 9em; font-family: var(--vscode-editor-font-family, monospace); overflow-wrap: break-word; }
tr.day > * { padding-top: 12px; font-weight: 600; border-bottom: 1px solid var(--line); }
tr.day > .price, tfoot tr > .price { font-weight: 400; }
.cards tbody tr:not(.day) > th { padding-left: 26px; }
@media (max-width: 900px) { td.model { min-width: 0; } }
`;
