import * as vscode from 'vscode';
import type { CostGrouping } from './content';
import { Html, html } from './html';

const { t } = vscode.l10n;

/** The page without its content: buttons that keep the focus while the content changes. Loads no other resource. */
export function page(nonce: string): string {
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'`;
  return html`<!doctype html>
    <html lang="${vscode.env.language}">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${t('Splice Costs')}</title>
        <style nonce="${nonce}">
          ${new Html(style)}
        </style>
      </head>
      <body>
        <header>
          <h1>${t('Costs')}</h1>
          <span><label for="month">${t('Month')}</label> <select id="month"></select></span>
          <span><label for="by">${t('By')}</label>
          <select id="by">
            ${options().map(([value, label]) => html`<option value="${value}">${label}</option>`)}
          </select></span>
          <button id="export">${t('Export CSV…')}</button>
          <button id="budget" class="secondary">${t('Change Budget')}</button>
        </header>
        <p id="status" class="hidden" role="status"></p>
        <main id="content"></main>
        <script nonce="${nonce}">
          ${new Html(script)}
        </script>
      </body>
    </html>`.text;
}

const options = (): (readonly [CostGrouping, string])[] => [
  ['day', t('Day, operation and model')],
  ['purpose', t('Purpose')],
  ['model', t('Model')],
  ['chat', t('Chat')],
  ['workspace', t('Workspace')],
];

const script = `
const host = acquireVsCodeApi();
const byId = id => document.getElementById(id);
const month = byId('month');
let shown;
month.addEventListener('change', () => host.postMessage({ kind: 'month', month: month.value }));
byId('by').addEventListener('change', () => host.postMessage({ kind: 'by', by: byId('by').value }));
for (const kind of ['export', 'budget'])
  byId(kind).addEventListener('click', () => host.postMessage({ kind }));
window.addEventListener('message', ({ data }) => {
  if (data?.kind !== 'content' || typeof data.html !== 'string' || !Array.isArray(data.months)) return;
  month.replaceChildren(...data.months.map(({ value, label }) => new Option(label, value)));
  month.value = data.month;
  const main = byId('content');
  if (shown !== data.html) {
    const wasInTable = main.contains(document.activeElement);
    main.innerHTML = shown = data.html;
    if (wasInTable) main.querySelector('.scroll')?.focus();
  }
  if (byId('status').textContent !== data.status) byId('status').textContent = data.status;
});
host.postMessage({ kind: 'ready' });
`;

const style = `
body {
  margin: 0; padding: 16px 24px 32px; max-width: 1100px;
  color: var(--vscode-foreground); background: var(--vscode-editor-background);
  font: var(--vscode-font-size, 13px)/1.5 var(--vscode-font-family, sans-serif);
}
header { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; }
h1 { flex: 1; margin: 0; font-size: 1.7em; font-weight: 400; }
h2 { margin: 0 0 4px; font-size: 1.2em; font-weight: 600; }
p { margin: 0; }
select, button { font: inherit; padding: 4px 12px; border-radius: 2px; }
select {
  padding: 3px 6px; color: var(--vscode-dropdown-foreground);
  background: var(--vscode-dropdown-background);
  border: 1px solid var(--vscode-dropdown-border, var(--vscode-contrastBorder, transparent));
}
button {
  cursor: pointer; color: var(--vscode-button-foreground); background: var(--vscode-button-background);
  border: 1px solid var(--vscode-button-border, var(--vscode-contrastBorder, transparent));
}
button:hover { background: var(--vscode-button-hoverBackground); }
button.secondary {
  color: var(--vscode-button-secondaryForeground); background: var(--vscode-button-secondaryBackground);
  border-color: var(--vscode-button-secondaryBorder, var(--vscode-contrastBorder, transparent));
}
button.secondary:hover { background: var(--vscode-button-secondaryHoverBackground); }
:focus-visible { outline: 1px solid var(--vscode-focusBorder); outline-offset: 2px; }
.total { display: flex; flex-wrap: wrap; align-items: baseline; gap: 4px 12px; margin: 16px 0 4px; }
.sum { font-size: 2.2em; line-height: 1.2; font-variant-numeric: tabular-nums; }
.quiet, .notes, caption, small { color: var(--vscode-descriptionForeground); }
.budget { margin: 8px 0; }
.bar {
  height: 8px; max-width: 480px; margin-top: 4px; border-radius: 2px; overflow: hidden;
  background: var(--vscode-editorWidget-background);
  border: 1px solid var(--vscode-contrastBorder, var(--vscode-editorWidget-border, transparent));
}
.bar svg { display: block; width: 100%; height: 100%; }
.used { fill: var(--vscode-progressBar-background); }
.near .used { fill: var(--vscode-editorWarning-foreground); }
.spent .used { fill: var(--vscode-editorError-foreground); }
.mark { fill: var(--vscode-foreground); }
.purposes { margin: 4px 0; padding-left: 18px; }
.chart { margin: 16px 0 0; max-width: 760px; }
.chart svg { display: block; width: 100%; height: 96px; }
.chart .line { fill: var(--vscode-descriptionForeground); }
figcaption { color: var(--vscode-descriptionForeground); }
.scroll { overflow-x: auto; margin-top: 16px; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { text-align: left; padding-bottom: 4px; }
th, td { padding: 4px 10px; text-align: left; font-weight: 400; vertical-align: top; }
td.model { min-width: 9em; font-family: var(--vscode-editor-font-family, monospace); overflow-wrap: break-word; }
.number { text-align: right; white-space: nowrap; }
small { display: block; font-weight: 400; }
thead th { font-weight: 600; border-bottom: 1px solid var(--line); }
tbody tr:not(.day) > th { padding-left: 26px; }
tbody tr:not(.day):hover { background: var(--vscode-list-hoverBackground); }
tr.day > * { padding-top: 12px; font-weight: 600; border-bottom: 1px solid var(--line); }
tfoot tr > * { padding-top: 12px; font-weight: 600; border-top: 2px solid var(--line); }
tr.day > .price, tfoot tr > .price { font-weight: 400; }
body { --line: var(--vscode-contrastBorder, var(--vscode-widget-border, var(--vscode-editorWidget-border, currentColor))); }
.empty { margin: 24px 0; max-width: 640px; }
@media (max-width: 900px) {
  body { padding: 12px 12px 24px; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  table, tbody, tfoot, caption { display: block; }
  tr { display: grid; grid-template-columns: 1fr 1fr; padding: 4px 0; border-bottom: 1px solid var(--line); }
  tr > th { grid-column: 1 / -1; font-weight: 600; }
  tr > td, tr > td.number, tr > th, tbody tr:not(.day) > th { padding: 2px 4px; border: 0; text-align: left; white-space: normal; overflow-wrap: anywhere; min-width: 0; }
  td.model { min-width: 0; }
  td::before { content: attr(data-title) ': '; color: var(--vscode-descriptionForeground); }
  td small { display: inline; }
}
.notes { margin: 20px 0 0; padding-left: 18px; max-width: 760px; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
`;
