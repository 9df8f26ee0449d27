import * as vscode from 'vscode';
import { numberText } from '../../base/format/numbers';
import { html } from '../../platform/webview/html';
import { pageFrame } from '../../platform/webview/pageFrame';
import { answerLimits, effortText } from '../core/draft';
import { maxTargets } from '../core/run';

const { t } = vscode.l10n;

/** The form, which keeps what is typed while results come in, and the place for the results. */
export const playgroundPage = (nonce: string): string =>
  pageFrame(
    {
      title: t('Splice Playground'),
      heading: t('Playground'),
      controls: html`<span id="runBox" hidden><label for="run">${t('Run')}</label> <select id="run" data-act="run"></select></span>`,
      form: form(),
      style,
      script,
    },
    nonce,
  );

const form = () =>
  html`<form id="form">
        <label for="prompt" id="promptLabel">${t('Prompt')}</label>
        <textarea id="prompt" rows="4"></textarea>
        <p class="row">
          <button type="button" data-act="chooseFile" class="secondary">${t('Choose File of Prompts…')}</button>
          <span id="fileText"></span>
          <button type="button" id="noFile" class="secondary" hidden>${t('Type a Prompt Instead')}</button>
        </p>
        <fieldset>
          <legend>${t('Compare up to {0} models, endpoints and efforts', maxTargets)}</legend>
          ${Array.from({ length: maxTargets }, (_, at) => targetSlot(at + 1))}
          <button type="button" id="add" class="secondary">${t('Add Model')}</button>
        </fieldset>
        <p class="row">
          <label for="scoring">${t('Score')}</label>
          <select id="scoring">
            ${scorings().map(([value, label]) => html`<option value="${value}">${label}</option>`)}
          </select>
          <span id="expectedBox" hidden>
            <label for="expected">${t('Expected answer')}</label> <input id="expected" type="text" />
          </span>
          <span id="reflexBox" hidden>
            <label for="reflex">${t('Reflex')}</label> <select id="reflex"></select>
          </span>
          <span id="schemaBox" hidden>
            <button type="button" data-act="chooseSchema" class="secondary">${t('Choose JSON Schema…')}</button>
            <span id="schemaText"></span>
          </span>
        </p>
        <details>
          <summary>${t('Options')}</summary>
          <label for="system">${t('System prompt')}</label>
          <textarea id="system" rows="2"></textarea>
          <p class="row">
            <label for="maxTokens">${t('Longest answer')}</label>
            <select id="maxTokens">
              ${answerLimits.map(
                limit =>
                  html`<option value="${limit}">${t('{0} tokens', numberText(limit, vscode.env.language))}</option>`,
              )}
            </select>
          </p>
        </details>
        <p class="row">
          <button type="submit" id="start">${t('Send…')}</button>
          <span id="estimate" aria-live="polite"></span>
        </p>
      </form>`;

const targetSlot = (at: number) =>
  html`<div class="slot row" hidden>
    <select class="target" aria-label="${t('Model {0}', at)}"></select>
    <select class="effort" aria-label="${t('Effort of model {0}', at)}">
      <option value="">${t('Normal')}</option>
      ${(['low', 'medium', 'high'] as const).map(
        effort => html`<option value="${effort}">${effortText(effort, t)}</option>`,
      )}
    </select>
    <button type="button" class="remove secondary" aria-label="${t('Remove model {0}', at)}">
      ${t('Remove')}
    </button>
  </div>`;

const scorings = () =>
  [
    ['none', t('Not scored')],
    ['exact', t('Exact match')],
    ['schema', t('JSON schema')],
    ['reflex', t('Reflex')],
  ] as const;

const script = `
const slots = [...document.querySelectorAll('.slot')];
const fields = ['prompt', 'system', 'expected', 'scoring', 'reflex', 'maxTokens'];
const saved = host.getState() || {};
let files = { file: saved.file || '', schemaFile: saved.schemaFile || '' };
let options = [];

const part = (slot, name) => slot.querySelector('.' + name);
function draftOf() {
  const values = Object.fromEntries(fields.map(id => [id, byId(id).value]));
  // What can be chosen is not known yet.
  if (options.length === 0) return { ...saved, ...files, ...values, reflex: saved.reflex };
  const targets = slots.filter(slot => !slot.hidden)
    .map(slot => ({ value: part(slot, 'target').value, effort: part(slot, 'effort').value }));
  return { ...files, targets, ...values };
}
function adapt() {
  for (const slot of slots) {
    const option = options.find(({ value }) => value === part(slot, 'target').value);
    const effort = part(slot, 'effort');
    effort.disabled = !option?.hasEffort;
    if (effort.disabled) effort.value = '';
  }
  const scoring = byId('scoring').value;
  byId('reflexBox').hidden = scoring !== 'reflex';
  byId('schemaBox').hidden = scoring !== 'schema';
  byId('expectedBox').hidden = files.file !== '' || (scoring !== 'exact' && scoring !== 'reflex');
  byId('prompt').hidden = byId('promptLabel').hidden = files.file !== '';
  byId('noFile').hidden = files.file === '';
  byId('add').hidden = slots.every(slot => !slot.hidden);
  const open = slots.filter(slot => !slot.hidden);
  for (const slot of slots) part(slot, 'remove').hidden = open.length < 2;
}
function changed() {
  adapt();
  const draft = draftOf();
  host.setState(draft);
  host.postMessage({ kind: 'draft', value: JSON.stringify(draft) });
}
function fill(select, values, chosen) {
  select.replaceChildren(...values.map(({ value, label }) => new Option(label, value)));
  if (values.some(({ value }) => value === chosen)) select.value = chosen;
}
function restore(draft) {
  const targets = draft.targets?.length ? draft.targets : options.slice(0, 2);
  slots.forEach((slot, at) => {
    const target = targets[at];
    slot.hidden = at > 0 && !target;
    fill(part(slot, 'target'), options, target?.value);
    part(slot, 'effort').value = target?.effort || '';
  });
}
let timer;
byId('form').addEventListener('input', () => {
  clearTimeout(timer);
  timer = setTimeout(changed, 150);
});
byId('form').addEventListener('submit', event => {
  event.preventDefault();
  clearTimeout(timer);
  changed();
  host.postMessage({ kind: 'start', value: JSON.stringify(draftOf()) });
});
byId('add').addEventListener('click', () => {
  const slot = slots.find(each => each.hidden);
  if (!slot) return;
  const used = draftOf().targets.map(({ value }) => value);
  slot.hidden = false;
  const free = options.find(({ value }) => !used.includes(value));
  if (free) part(slot, 'target').value = free.value;
  part(slot, 'target').focus();
  changed();
});
for (const slot of slots) part(slot, 'remove').addEventListener('click', () => {
  slot.hidden = true;
  // Those that are left stay together and in order.
  slots[0].parentElement.insertBefore(slot, byId('add'));
  slots.push(...slots.splice(slots.indexOf(slot), 1));
  changed();
  byId('add').focus();
});
byId('noFile').addEventListener('click', () => {
  files.file = '';
  byId('fileText').textContent = '';
  changed();
  byId('prompt').focus();
});
window.addEventListener('message', ({ data }) => {
  if (data?.kind === 'targets') {
    const draft = draftOf();
    options = data.options;
    fill(byId('reflex'), data.reflexes, draft.reflex);
    restore(draft);
    changed();
  }
  if (data?.kind === 'file') {
    files[data.field] = data.uri;
    changed();
  }
  if (data?.kind === 'estimate') {
    byId('estimate').textContent = data.text;
    byId('fileText').textContent = data.fileText;
    byId('schemaText').textContent = data.schemaText;
    byId('start').disabled = !data.canSend;
  }
});
onContent.push(({ runs, run }) => {
  fill(byId('run'), runs, run);
  byId('runBox').hidden = runs.length === 0;
});
for (const id of fields) if (saved[id] !== undefined && id !== 'reflex') byId(id).value = saved[id];
adapt();
host.postMessage({ kind: 'form' });
`;

const style = `
form { margin-top: 12px; }
label { margin-right: 4px; }
textarea, input[type="text"] {
  box-sizing: border-box; font: inherit; padding: 4px 6px; border-radius: 2px;
  color: var(--vscode-input-foreground); background: var(--vscode-input-background);
  border: 1px solid var(--vscode-input-border, var(--vscode-contrastBorder, transparent));
}
textarea { display: block; width: 100%; margin: 4px 0; resize: vertical; font-family: var(--vscode-editor-font-family, monospace); }
select, input, button, .row > * { box-sizing: border-box; min-width: 0; max-width: 100%; overflow-wrap: anywhere; }
#runBox { min-width: 0; max-width: 100%; }
[hidden] { display: none !important; }
button:disabled { opacity: 0.6; cursor: default; }
.row { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 10px; margin: 8px 0; }
fieldset { min-width: 0; margin: 8px 0; padding: 4px 12px 10px; border: 1px solid var(--line); border-radius: 2px; }
summary { cursor: pointer; }
main:not(:empty) { margin-top: 20px; padding-top: 16px; border-top: 1px solid var(--line); }
h3 { margin: 20px 0 0; font-size: 1.1em; font-weight: 600; }
.note { padding: 6px 10px; border-left: 3px solid var(--vscode-editorWarning-foreground); }
progress { width: 160px; accent-color: var(--vscode-progressBar-background); }
.answers th, .answers td { min-width: 12em; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
.text { white-space: pre-wrap; max-height: 12em; overflow: auto; }
.answers button { margin: 4px 0; padding: 1px 8px; }
.hit { font-weight: 700; }
.passed, .failed { font-weight: 600; }
@media (max-width: 900px) {
  .answers tr { grid-template-columns: 1fr; padding: 10px 0; }
  .answers th, .answers td { min-width: 0; border: 0; }
  .text { max-height: none; }
  .answers td::before { font-weight: 600; }
}
`;
