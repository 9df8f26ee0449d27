import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BatchRun } from '../../src/reflex/batch/batchRun';
import { resultsContent } from '../../src/reflex/results/resultsContent';
import { ResultsPages } from '../../src/reflex/results/resultsPage';
import type { ResultTable } from '../../src/reflex/results/resultTable';
import { summaryOf } from '../../src/reflex/results/summary';
import { rowsShown, type ViewState } from '../../src/reflex/results/tableView';
import { asRead } from './asRead';
import { allTabs, closeAll, closeTabs, waitFor } from './support';

const table: ResultTable = {
  columns: ['body', 'jailbreak', 'jailbreak score', 'error'],
  rows: [
    ['<img src=x onerror="a()">', 'benign', '0.9', ''],
    ['two', 'jailbreak', '0.6', ''],
    ['three', '', '', 'It failed.'],
    ['four', '', '', ''],
  ],
  labelColumns: [1],
  errorColumn: 3,
  isCut: false,
};

const show = (view: ViewState = { filter: '' }, all = table, page = 0) =>
  asRead(
    resultsContent({
      table: all,
      summary: summaryOf(all),
      view,
      shown: rowsShown(all, view),
      page,
      textColumn: 0,
    }),
  );

const run = (result: string): BatchRun => ({
  id: 'r',
  input: 'in.csv',
  inputBytes: 1,
  format: { kind: 'csv', delimiter: ',', hasHeader: true },
  column: 'body',
  models: ['jailbreak'],
  output: 'csv',
  origin: 'https://service.test',
  createdAt: 1,
  rows: 1,
  state: 'done',
  uploads: [],
  isUploaded: true,
  result,
});

const tabs = () => allTabs().filter(({ label }) => label === 'in.reflex.csv');

describe('the results of a batch', () => {
  afterEach(closeAll);

  it('are counted by label, with the errors, what has no label, and the least certain rows', () => {
    const { html, status } = show();
    assert.equal(status, '4 rows');
    assert.match(html, /1 with an error \(25%\)/);
    assert.match(html, />benign<\/button>[^]*?1 \(25%\)[^]*>no label<\/button>[^]*?1 \(25%\)/);
    assert.match(html, /<li>Row 2: jailbreak = jailbreak \(60%\) <small>two<\/small><\/li>/);
    assert.doesNotMatch(html, /<img/);
    assert.match(html, /&#60;img src=x onerror=&#34;a\(\)&#34;&#62;/);
  });

  it('say how they are sorted and filtered, in words', () => {
    const { html, status } = show({
      filter: 't',
      only: { column: 1, label: 'jailbreak' },
      sort: { column: 0, isDescending: true },
    });
    assert.equal(status, '1 of 4 rows');
    assert.match(html, /aria-sort="descending"><button id="sort-0"/);
    assert.match(html, /aria-pressed="true">jailbreak</);
    assert.match(html, /data-act="all">Show All Rows</);
    assert.match(html, /id="next" class="secondary" aria-disabled="true"/);
  });

  it('are drawn page by page, however many there are', () => {
    const many: ResultTable = {
      ...table,
      rows: Array.from({ length: 100_000 }, (_, n) => [`text ${n}`, 'benign', '0.9', '']),
      isCut: true,
    };
    const { html } = show(undefined, many, 999);
    assert.equal(html.match(/<th scope="row"/g)?.length, 100);
    assert.match(html, /99,901 to 100,000 of 100,000 rows/);
    assert.match(html, /The file has more rows; these are the first ones\./);
    assert.ok(html.length < 100_000, `${html.length}`);
  });

  it('open in one tab for each file, however often, and again after it was closed', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'splice-results-'));
    const file = path.join(folder, 'in.reflex.csv');
    const rows = Array.from({ length: 100_000 }, (_, n) => `text ${n},benign,0.9,\n`).join('');
    await writeFile(file, `body,jailbreak,jailbreak score,error\n${rows}`);
    const problems: unknown[] = [];
    const pages = new ResultsPages({
      quietly:
        listener =>
        (...args) => {
          void listener(...args);
        },
      report: async (_, error) => void problems.push(error),
    });
    await pages.show(run(file));
    await pages.show(run(file));
    await waitFor(() => tabs().length === 1, 'the tab');
    await closeTabs(tabs());
    await waitFor(() => tabs().length === 0, 'no tab');
    await pages.show(run(file));
    await waitFor(() => tabs().length === 1, 'the tab again');
    await rm(folder, { recursive: true });
    await assert.rejects(pages.show(run(file)), /in\.reflex\.csv no longer exists/);
    pages.dispose();
    assert.deepEqual(problems, []);
  });
});
