import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { endpointsView } from '../../src/endpoints/ids';
import { type EndpointPageInput, endpointContent } from '../../src/endpoints/page/content';
import { type StandIn, startStandIn } from '../service/standIn';
import { asRead } from './asRead';
import { rowTree } from './rowTree';
import {
  allTabs,
  answer,
  closeAll,
  forgetService,
  message,
  run,
  setSetting,
  stub,
  useService,
  waitFor,
} from './support';

const apiKey = 'sk-endpoint-page-0123456789';
const now = Date.UTC(2026, 10, 20, 12);
const totals = { calls: 0, failed: 0, promptTokens: 0, cachedTokens: 0, completionTokens: 0 };

const input = (more: Partial<EndpointPageInput> = {}): EndpointPageInput => ({
  endpoint: {
    id: 'e',
    state: 'ready',
    modelId: 'svc-m',
    modelDisplayName: 'M',
    planName: '<b>Plan</b>',
  },
  status: undefined,
  problem: undefined,
  load: { running: 0, waiting: 0 },
  record: { calls: [], earlier: totals },
  breakEven: {
    sharedUsd: undefined,
    spentUsd: undefined,
    since: undefined,
    dedicatedUsd: undefined,
    tokensPerHour: undefined,
    evenTokensPerHour: undefined,
  },
  hourlyUsd: undefined,
  probePrice: 'at most $0.01',
  hours: 24,
  nowMs: now,
  ...more,
});

const call = (at: number, more = {}) => ({
  at,
  ms: 2000,
  firstMs: 300,
  promptTokens: 1000,
  cachedTokens: 0,
  completionTokens: 171,
  isOk: true,
  isProbe: false,
  ...more,
});

const contentOf = (of: EndpointPageInput): string => asRead(endpointContent(of));

describe('the content of the page of an endpoint', () => {
  it('says what is not known, and shows names as text', () => {
    const html = contentOf(input());
    assert.doesNotMatch(html, /<b>/);
    assert.match(html, /&#60;b&#62;Plan/);
    assert.match(html, /<dt>Price per hour<\/dt>\s*<dd>not known<\/dd>/);
    assert.match(html, /No call of yours has been recorded yet/);
    assert.match(html, /No call in this time/);
    assert.match(html, /data-act="probe"[^>]*>Send Test Request \(at most \$0\.01\)</);
  });

  it('compares only with a price, and says so for each that is missing', () => {
    const record = { calls: [call(now - 1000)], earlier: totals };
    const known = {
      sharedUsd: 12,
      spentUsd: 100,
      since: now - 3_600_000,
      dedicatedUsd: 50,
      tokensPerHour: 1171,
      evenTokensPerHour: 2_000_000,
    };
    const html = contentOf(input({ record, breakEven: known, hourlyUsd: 50 }));
    assert.match(html, /would have cost \$12 on the shared model; the endpoint has cost \$50 in/);
    assert.match(html, /at 2\.0M tokens per hour of the same mix; yours are 1\.2k\./);
    const noPrice = { ...known, sharedUsd: undefined, evenTokensPerHour: undefined };
    const unpriced = contentOf(input({ record, breakEven: noPrice, hourlyUsd: 50 }));
    assert.match(unpriced, /is not known: the catalogue has no price for it/);
    assert.match(unpriced, /not known without a price of the shared model/);
    const noHour = { ...known, spentUsd: undefined, dedicatedUsd: undefined };
    const free = contentOf(
      input({ record, breakEven: { ...noHour, evenTokensPerHour: undefined } }),
    );
    assert.match(free, /not known without the price per hour/);
  });

  it('has a chart and a row of the table for each part of the time, and no text of its own in between', () => {
    const calls = [
      call(now - 7_200_000),
      call(now - 1000),
      call(now - 900, { isProbe: true }),
      call(now - 800, { isOk: false }),
    ];
    const html = contentOf(input({ record: { calls, earlier: totals } }));
    assert.equal(html.match(/<svg [^>]*role="img" aria-label="/g)?.length, 3);
    assert.match(html, /Latency: median 2\.0 s, 95% below 2\.0 s/);
    assert.match(html, /First token: median 300 ms/);
    assert.match(html, /Tokens per second: median 100, 95% above 100/);
    assert.equal(html.match(/<th scope="row">/g)?.length, 2);
    assert.match(
      html,
      /data-title="Failed">1<.*\n*\s*<td class="number" data-title="Test requests">1</,
    );
    assert.doesNotMatch(html, / style="| on\w+=/);
  });

  it('shows requests in flight against those that it takes, and those that wait', () => {
    const connection = { maxConcurrency: 4 };
    const status = { id: 'e', state: 'ready', events: [], unreadable: 0, connection };
    const html = contentOf(input({ status, load: { running: 4, waiting: 2 } }));
    assert.match(html, /<dd>4 of 4 from this window, 2 waiting<\/dd>/);
  });
});

describe('the page of an endpoint', () => {
  let standIn: StandIn;
  const tree = rowTree(endpointsView);
  beforeEach(async () => {
    standIn = await startStandIn({ apiKey, seed: false });
    await useService(standIn.url, apiKey);
    await run(`${endpointsView}.focus`);
    await tree.children();
  });
  after(() => tree.hide());
  afterEach(async () => {
    await closeAll();
    await forgetService();
    await standIn.close();
  });

  it('has the name of the row, the picker and the message, and opens once', async () => {
    const id = standIn.endpoints.create({ state: 'ready' });
    await run('splice.endpoints.refresh');
    const { label } = await tree.item(await tree.row(id));
    const name = typeof label === 'string' ? label : assert.fail();
    assert.match(name, / #0001$/);
    let labels: string[] = [];
    stub(vscode.window, 'showQuickPick', async (items: readonly { label: string }[]) => {
      labels = items.map(item => item.label);
      return items[0];
    });
    await run('splice.endpoints.show');
    assert.deepEqual(labels, [name]);
    await run('splice.endpoints.show', { id });
    await waitFor(() => allTabs().filter(tab => tab.label === name).length === 1, 'one tab');
    await run('splice.endpoints.test', { id });
    await message(new RegExp(`^The endpoint ${name} answered`));
    const models = await vscode.lm.selectChatModels({ vendor: 'splice', id: `endpoint:${id}` });
    for (const model of models) assert.equal(model.name, name);
    assert.ok(!standIn.requests.some(({ path: to }) => to.includes('/chat/') && !to.includes(id)));
  });

  it('sends nothing to the endpoint by itself', async () => {
    const id = standIn.endpoints.create({ state: 'ready' });
    await run('splice.endpoints.refresh');
    await run('splice.endpoints.show', { id });
    await waitFor(() => allTabs().length === 1, 'the tab');
    await run('splice.endpoints.refresh');
    assert.ok(standIn.requests.every(({ method }) => method === 'GET'));
  });

  it('offers the chat when an endpoint is ready', async () => {
    const id = standIn.endpoints.create({ state: 'deploying' });
    await run('splice.endpoints.refresh');
    await run('splice.endpoints.watch', { id });
    const used: unknown[] = [];
    const { executeCommand } = vscode.commands;
    stub(vscode.commands, 'executeCommand', async (command: string, ...args: unknown[]) => {
      if (command !== 'splice.models.useInChat') return executeCommand(command, ...args);
      used.push(...args);
      return undefined;
    });
    answer(/is ready/, 'Use in Chat');
    standIn.endpoints.play(id, 'ready');
    await run('splice.endpoints.refresh');
    const { buttons } = await message(/ #0001 is ready\.$/);
    assert.deepEqual(buttons, ['Use in Chat', 'Copy URL', "Don't Show Again"]);
    await waitFor(() => used.length > 0, 'the chat');
    assert.deepEqual(used, [false, `endpoint:${id}`]);
  });

  it('is watched at once: the row, the status bar and a message say so', async () => {
    const id = standIn.endpoints.create({ state: 'deploying' });
    await run('splice.endpoints.refresh');
    const said: string[] = [];
    stub(vscode.window, 'setStatusBarMessage', (text: string) => said.push(text));
    const line = async () => String((await tree.item(await tree.row(id))).description);
    const watching = run('splice.endpoints.watch', { id });
    await waitFor(async () => (await line()).includes('watched'), 'the row');
    await watching;
    assert.match(said[0] ?? '', /^Watching .* #0001\. You will be notified when it is ready\.$/);
    await run('splice.endpoints.unwatch', { id });
    assert.ok(!(await line()).includes('watched'));
    await setSetting('splice.endpoints.notifications', 'off');
    await run('splice.endpoints.watch', { id });
    assert.match(said.at(-1) ?? '', /Notifications about endpoints are turned off\.$/);
  });
});
