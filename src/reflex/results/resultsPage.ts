import path from 'node:path';
import * as vscode from 'vscode';
import { UserError } from '../../base/userError';
import type { Host } from '../../platform/host';
import { withProgress } from '../../platform/progress';
import { html } from '../../platform/webview/html';
import { pageFrame } from '../../platform/webview/pageFrame';
import { WebviewTab } from '../../platform/webview/webviewTab';
import type { BatchRun } from '../batch/batchRun';
import { diskFiles } from '../batch/batchStore';
import { resultsContent, resultsStyle, rowsPerPage } from './resultsContent';
import { type ResultTable, readResultTable } from './resultTable';
import { type ResultSummary, summaryOf } from './summary';
import { nextSort, rowsShown, type ViewState } from './tableView';

const { t } = vscode.l10n;

/** The tabs with the results of batch runs, one for each file. */
export class ResultsPages implements vscode.Disposable {
  readonly #host: Pick<Host, 'quietly' | 'report'>;
  readonly #open = new Map<string, ResultsPage>();

  constructor(host: Pick<Host, 'quietly' | 'report'>) {
    this.#host = host;
  }

  /** Reads the file anew, which may have been changed since. */
  async show({ result: file, output, models, column }: BatchRun): Promise<void> {
    if (file === undefined) throw new UserError(t('This run has no results yet.'));
    await diskFiles.size(file);
    const table = await withProgress(t('Reading the results'), signal =>
      readResultTable(diskFiles.read(file), { output, models }, signal),
    );
    const open = this.#open.get(file);
    if (open) return open.show(table);
    const page = new ResultsPage(this.#host, { file, column }, table, () =>
      this.#open.delete(file),
    );
    this.#open.set(file, page);
  }

  dispose(): void {
    for (const page of this.#open.values()) page.dispose();
  }
}

class ResultsPage implements vscode.Disposable {
  readonly #file: string;
  readonly #column: string;
  readonly #tab: WebviewTab;
  #table: ResultTable;
  #summary: ResultSummary;
  #view: ViewState = { filter: '' };
  #shown: readonly number[];
  #page = 0;

  constructor(
    host: Pick<Host, 'quietly' | 'report'>,
    { file, column }: { readonly file: string; readonly column: string },
    table: ResultTable,
    onClose: () => void,
  ) {
    this.#file = file;
    this.#column = column;
    this.#table = table;
    this.#summary = summaryOf(table);
    this.#shown = rowsShown(table, this.#view);
    const name = path.basename(file);
    this.#tab = new WebviewTab(host, {
      viewType: 'splice.batchResults',
      title: name,
      page: nonce =>
        pageFrame(
          { title: name, heading: name, controls: controls(), script, style: resultsStyle },
          nonce,
        ),
      act: (kind, value) => this.#act(kind, value),
      content: async () => this.#content(),
      onClose,
    });
  }

  async show(table: ResultTable): Promise<void> {
    this.#table = table;
    this.#summary = summaryOf(table);
    this.#look(this.#view);
    await this.#tab.show();
  }

  dispose(): void {
    this.#tab.dispose();
  }

  #look(view: ViewState): void {
    this.#view = view;
    this.#shown = rowsShown(this.#table, view);
    this.#page = 0;
  }

  async #act(kind: string, value: string): Promise<void> {
    if (kind === 'open') {
      await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(this.#file));
      return;
    }
    const view = this.#view;
    if (kind === 'filter') this.#look({ ...view, filter: value });
    if (kind === 'all') this.#look({ filter: '' });
    if (kind === 'sort') this.#look({ ...view, sort: nextSort(view.sort, Number(value)) });
    if (kind === 'only') this.#look({ ...view, only: toggled(view.only, value) });
    if (kind === 'page') {
      const last = Math.ceil(this.#shown.length / rowsPerPage) - 1;
      this.#page = Math.max(0, Math.min(last, Math.floor(Number(value)) || 0));
    }
    await this.#tab.refresh();
  }

  #content(): object {
    const { columns } = this.#table;
    return {
      filter: this.#view.filter,
      ...resultsContent({
        table: this.#table,
        summary: this.#summary,
        view: this.#view,
        shown: this.#shown,
        page: this.#page,
        textColumn: columns.indexOf(this.#column === '' ? 'text' : this.#column),
      }),
    };
  }
}

/** @param value the column, and after a space the label; choosing the same again shows all */
function toggled(only: ViewState['only'], value: string): ViewState['only'] {
  const space = value.indexOf(' ');
  const column = Number(space < 0 ? value : value.slice(0, space));
  const label = space < 0 ? undefined : value.slice(space + 1);
  if (only?.column === column && only.label === label) return undefined;
  return { column, ...(label === undefined ? {} : { label }) };
}

const controls = () =>
  html`<span><label for="filter">${t('Filter')}</label>
    <input id="filter" type="search" data-act="filter" /></span>
    <button id="open" data-act="open" class="secondary">${t('Open File')}</button>`;

/** Another way than typing may have changed the filter. */
const script = `
onContent.push(({ filter }) => {
  if (document.activeElement !== byId('filter')) byId('filter').value = filter;
});
`;
