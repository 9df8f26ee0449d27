import * as vscode from 'vscode';
import { Html, html } from './html';

/** A page in a tab whose content is replaced while its controls keep the focus. */
export interface PageParts {
  readonly title: string;
  readonly heading: string;
  /**
   * Beside the heading. A `data-act` of a button, a select or an input names the message that is posted to the
   * extension when it is used: `{ kind, value }`.
   */
  readonly controls: Html;
  /** Between the heading and the content. */
  readonly form?: Html;
  /** Runs after the script of all pages, with `host`, `byId` and the list `onContent` of functions. */
  readonly script?: string;
  readonly style?: string;
}

/** Loads no other resource, and runs no other script. */
export function pageFrame(
  { title, heading, controls, form = html``, script = '', style = '' }: PageParts,
  nonce: string,
): string {
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'`;
  return html`<!doctype html>
    <html lang="${vscode.env.language}">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <style nonce="${nonce}">
          ${new Html(commonStyle + style)}
        </style>
      </head>
      <body>
        <header>
          <h1>${heading}</h1>
          ${controls}
        </header>
        <p id="status" class="hidden" role="status"></p>
        ${form}
        <main id="content" tabindex="-1"></main>
        <script nonce="${nonce}">
          ${new Html(`${commonScript}${script}host.postMessage({ kind: 'ready' });`)}
        </script>
      </body>
    </html>`.text;
}

/** A message `{ kind: 'content', html, status }` replaces the content. */
const commonScript = `
const host = acquireVsCodeApi();
const byId = id => document.getElementById(id);
const onContent = [];
let shown;
const post = from => host.postMessage({ kind: from.dataset.act, value: from.value });
let typedIn, typing;
const postTyped = () => {
  clearTimeout(typing);
  if (typedIn) post(typedIn);
  typedIn = undefined;
};
// What was typed goes first, or it would undo what a button did after it.
const act = ({ target }, of) => {
  const from = target.closest(of);
  if (!from) return;
  postTyped();
  post(from);
};
document.addEventListener('click', event => act(event, 'button[data-act]'));
document.addEventListener('change', event => act(event, 'select[data-act]'));
document.addEventListener('input', ({ target }) => {
  const from = target.closest('input[data-act]');
  if (!from) return;
  clearTimeout(typing);
  typedIn = from;
  typing = setTimeout(postTyped, 150);
});
window.addEventListener('message', ({ data }) => {
  if (data?.kind !== 'content' || typeof data.html !== 'string') return;
  for (const run of onContent) run(data);
  const main = byId('content');
  if (shown !== data.html) {
    const active = document.activeElement;
    const focused = active !== main && main.contains(active) ? active : undefined;
    const alike = () => [...main.querySelectorAll(focused.matches('.scroll') ? '.scroll' : focused.localName)];
    const at = focused ? alike().indexOf(focused) : -1;
    const open = [...main.querySelectorAll('details[open]')].map(({ id }) => id);
    main.innerHTML = shown = data.html;
    for (const id of open) byId(id)?.setAttribute('open', '');
    if (focused) ((focused.id && byId(focused.id)) || alike()[at] || main.querySelector('.scroll') || main).focus();
  }
  if (byId('status').textContent !== data.status) byId('status').textContent = data.status;
});
`;

const commonStyle = `
body {
  margin: 0; padding: 16px 24px 32px; max-width: 1100px;
  color: var(--vscode-foreground); background: var(--vscode-editor-background);
  font: var(--vscode-font-size, 13px)/1.5 var(--vscode-font-family, sans-serif);
}
header { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; }
h1 { flex: 1; max-width: 100%; margin: 0; overflow-wrap: break-word; font-size: 1.7em; font-weight: 400; }
h2 { margin: 0 0 4px; font-size: 1.2em; font-weight: 600; }
p { margin: 0; }
select, button, input { font: inherit; padding: 4px 12px; border-radius: 2px; }
select, input {
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
main:focus { outline: none; }
:focus-visible { outline: 1px solid var(--vscode-focusBorder); outline-offset: 2px; }
.quiet, .notes, caption, small { color: var(--vscode-descriptionForeground); }
.bar {
  height: 8px; max-width: 480px; margin-top: 4px; border-radius: 2px; overflow: hidden;
  background: var(--vscode-editorWidget-background);
  border: 1px solid var(--vscode-contrastBorder, var(--vscode-editorWidget-border, transparent));
}
.bar svg { display: block; width: 100%; height: 100%; }
.used { fill: var(--vscode-progressBar-background); }
.mark { fill: var(--vscode-foreground); }
.chart { margin: 16px 0 0; max-width: 760px; }
.chart svg { display: block; width: 100%; height: 96px; }
.chart .line { fill: var(--vscode-descriptionForeground); }
figcaption { color: var(--vscode-descriptionForeground); }
.scroll { overflow-x: auto; margin-top: 16px; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { text-align: left; padding-bottom: 4px; }
th, td { padding: 4px 10px; text-align: left; font-weight: 400; vertical-align: top; }
.number { text-align: right; white-space: nowrap; }
small { display: block; font-weight: 400; }
thead th { font-weight: 600; border-bottom: 1px solid var(--line); }
tbody tr:not(.day):hover { background: var(--vscode-list-hoverBackground); }
tfoot tr > * { padding-top: 12px; font-weight: 600; border-top: 2px solid var(--line); }
body { --line: var(--vscode-contrastBorder, var(--vscode-widget-border, var(--vscode-editorWidget-border, currentColor))); }
.empty { margin: 24px 0; max-width: 640px; }
@media (max-width: 900px) {
  body { padding: 12px 12px 24px; }
  .cards thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .cards, .cards tbody, .cards tfoot, .cards caption { display: block; }
  .cards tr { display: grid; grid-template-columns: 1fr 1fr; padding: 4px 0; border-bottom: 1px solid var(--line); }
  .cards tr > th { grid-column: 1 / -1; font-weight: 600; }
  .cards tr > td, .cards tr > td.number, .cards tr > th, .cards tbody tr:not(.day) > th { padding: 2px 4px; border: 0; text-align: left; white-space: normal; overflow-wrap: anywhere; min-width: 0; }
  .cards td::before { content: attr(data-title) ': '; color: var(--vscode-descriptionForeground); }
  .cards td small { display: inline; }
}
.notes { margin: 20px 0 0; padding-left: 18px; max-width: 760px; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
`;
