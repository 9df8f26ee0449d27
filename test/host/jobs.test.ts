import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import * as vscode from 'vscode';
import { batchesView, fineTuningView } from '../../src/jobs/ids';
import { type StandIn, startStandIn } from '../service/standIn';
import { rowTree } from './rowTree';
import {
  closeAll,
  forgetService,
  message,
  messages,
  run,
  setClipboard,
  stub,
  useService,
  waitFor,
} from './support';

const apiKey = 'sk-jobs-test-0123456789';
const batches = rowTree(batchesView);
const tuning = rowTree(fineTuningView);

let standIn: StandIn;

const asked = (route: string) => standIn.requests.filter(request => request.route === route);

describe('the views of jobs', () => {
  beforeEach(async () => {
    standIn = await startStandIn({ apiKey });
    await useService(standIn.url, apiKey);
    await run('splice.batches.clearFilter');
    await run('splice.fineTuning.clearFilter');
  });
  // Views that are seen ask the service during other tests.
  after(async () => {
    await batches.hide();
    await tuning.hide();
  });
  afterEach(async () => {
    await closeAll();
    await forgetService();
    await standIn.close();
  });

  it('page through batches by offset, each once', async () => {
    await run('splice.batches.refresh');
    const counts: number[] = [];
    for (let page = 0; page < 3; page++) {
      const rows = await batches.text();
      counts.push(rows.length);
      if (rows.at(-1)?.startsWith('Load more…') === true) await run('splice.batches.more');
    }
    assert.deepEqual(counts, [21, 40, 57]);
    const shown = (await batches.children()).map(({ id }) => id);
    assert.equal(new Set(shown).size, 57);
    assert.deepEqual(
      asked('GET /v1/batches').map(({ path }) => path),
      [0, 19, 38].map(after => `/v1/batches?limit=20&after=${after}`),
    );
  });

  it('page through fine-tuning jobs by the last id', async () => {
    await run('splice.fineTuning.refresh');
    assert.equal((await tuning.children()).length, 21);
    // Clicked twice in haste.
    await Promise.all([run('splice.fineTuning.more'), run('splice.fineTuning.more')]);
    assert.equal((await tuning.children()).length, 23);
    const [, second, third] = asked('GET /v1/fine_tuning/jobs');
    assert.match(second?.path ?? '', /=ftjob-0004$/);
    assert.equal(third, undefined);
  });

  it('show counts, tokens, times and errors of a batch', async () => {
    await run('splice.batches.refresh');
    const failed =
      (await batches.children()).find(({ data }) => data.description?.startsWith('failed')) ??
      assert.fail();
    const details = (await batches.text(1, failed)).join('\n');
    assert.match(details, /^Requests \[0 of \d+ · \d+ failed\]$/m);
    assert.match(details, /^Tokens \[[\d,]+ in, [\d,]+ out\]$/m);
    assert.match(details, /^Error \[\{"object":"list","data":\[\{"code":"invalid_file"/m);
    await setClipboard('');
    await run('splice.jobs.copyValue', failed);
    assert.equal(await vscode.env.clipboard.readText(), failed.id);
    await run('splice.jobs.show', failed);
    const text = vscode.window.activeTextEditor?.document.getText() ?? '';
    assert.match(text, /"createdAt": "\d{4}-.*Z"/);
    assert.match(text, /line 3 is no JSON/);
  });

  it('filter by status, those that are new too', async () => {
    await run('splice.batches.refresh');
    await run('splice.batches.filter', 'expired');
    const rows = await batches.text();
    assert.ok(rows.length > 1 && rows.length < 21);
    assert.ok(
      rows.slice(0, -1).every(row => row.includes('[expired')),
      rows.join('\n'),
    );
    assert.match(rows.at(-1) ?? '', /^Load more… \[\d+ of 20 so far\]$/);
    assert.equal(batches.message(), 'Only: expired.');
    let offered: readonly vscode.QuickPickItem[] = [];
    stub(vscode.window, 'showQuickPick', async (items: readonly vscode.QuickPickItem[]) => {
      offered = items;
      return items.filter(({ label }) => label === 'in progress');
    });
    await run('splice.batches.filter');
    assert.ok(offered.some(({ label }) => label === 'completed'));
    assert.ok((await batches.text()).slice(0, -1).every(row => row.includes('[in progress')));
    await run('splice.batches.clearFilter');
    assert.equal((await batches.text()).length, 21);
  });

  it('show accuracy and F1, and put a trained classifier to the reflexes', async () => {
    await run('splice.fineTuning.refresh');
    const trained =
      (await tuning.children()).find(({ data }) => data.context.includes(';trained;')) ??
      assert.fail();
    assert.match(trained.data.description ?? '', /^accuracy \d\d\.\d% · F1 0\.\d{3} · /);
    const changed: unknown[] = [];
    const listening = tuning.onDidChange(row => changed.push(row));
    await run('splice.fineTuning.useAsReflex', trained);
    assert.match((await tuning.row(trained.id)).data.context, /;chosen;/);
    assert.match((await tuning.row(trained.id)).data.description ?? '', /used as a reflex/);
    // The other rows are left alone.
    assert.deepEqual(changed, [trained]);
    listening.dispose();
    await run('splice.fineTuning.dropReflex', trained);
    assert.match((await tuning.row(trained.id)).data.context, /;trained;/);
    const failed =
      (await tuning.children()).find(({ data }) => data.description?.startsWith('failed')) ??
      assert.fail();
    await run('splice.fineTuning.useAsReflex', failed);
    await message(/^This job has not produced a classifier\.$/);
  });

  it('keep what they have when the service fails, and say so', async () => {
    await run('splice.batches.refresh');
    standIn.inject('GET /v1/batches', {
      fault: (response: ServerResponse) => {
        response.writeHead(401, { 'content-type': 'application/json' });
        response.end('{"error":{"code":"unauthorized","message":"no"}}');
      },
    });
    await run('splice.batches.refresh');
    await message(/The service refused the API key\./);
    assert.match(batches.message(), /^As of \d\d:\d\d\. The service refused the API key\.$/);
    const [problem, ...kept] = await batches.children();
    assert.equal(problem?.data.label, 'Not up to date');
    assert.equal(kept.length, 21);
    await run('splice.batches.more');
    await message(/The service refused the API key\./);
    assert.equal((await batches.children())[0]?.data.label, 'Not up to date');
    standIn.heal();
    // The next page says nothing of the rows above it: they are read again.
    await run('splice.batches.more');
    const rows = await batches.text();
    assert.deepEqual([rows.length, batches.message()], [40, '']);
    assert.ok(!rows.some(row => row.startsWith('Not up to date')));
  });

  it('ask as soon as they are looked at, and not before', async () => {
    assert.equal(asked('GET /v1/fine_tuning/jobs').length, 0);
    await run(`${fineTuningView}.focus`);
    await waitFor(async () => (await tuning.children()).length > 20, 'the jobs');
    assert.deepEqual(messages(), []);
  });
});
