import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { systemClock } from '../../src/base/async/clock';
import { type EndpointsSnapshot, mergeList } from '../../src/endpoints/core/endpointsSnapshot';
import { parseSnapshotRecord } from '../../src/endpoints/core/parseSnapshot';
import { endpointsView } from '../../src/endpoints/ids';
import { lazyTransport } from '../../src/platform/client/client';
import { jsonScheme } from '../../src/platform/ids';
import { Poller } from '../../src/platform/polling/poller';
import { SharedFile } from '../../src/platform/polling/sharedFile';
import { searchView } from '../../src/search/ids';
import { ServiceClient } from '../../src/service/client';
import { type EndpointState, type StandIn, startStandIn } from '../service/standIn';
import { cpuMsOfAsync } from '../support/unit/cpuTime';
import { asRead } from './asRead';
import { driver } from './driver';
import { print } from './print';
import { rowTree } from './rowTree';
import {
  answer,
  closeAll,
  forgetMessages,
  forgetService,
  message,
  messages,
  run,
  setClipboard,
  setSetting,
  stub,
  useService,
  waitFor,
} from './support';

const apiKey = 'sk-endpoints-test-0123456789';
const list = 'GET /api/v1/dedicated/endpoints';
const one = 'GET /api/v1/dedicated/endpoints/{id}';
const tree = rowTree(endpointsView);
const minuteMs = 60_000;

const refusal = (status: number, headers: Record<string, string> = {}) => ({
  fault: (response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end('{"error":"no"}');
  },
});

const giving = (body: (path: string) => object) => ({
  fault: (response: ServerResponse, request: IncomingMessage) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body(request.url ?? '')));
  },
});

/** The row's own line, wherever it stands. */
async function line(id: string): Promise<string> {
  const { description } = await tree.item(await tree.row(id));
  return String(description);
}

const isDrawn = async (words: string): Promise<boolean> =>
  (await driver.text('.pane-body .monaco-list-row')).some(text => text.includes(words));

describe('the view of endpoints', () => {
  let standIn: StandIn;

  const start = async (seed: boolean): Promise<void> => {
    standIn = await startStandIn({ apiKey, seed });
    await useService(standIn.url, apiKey);
    await run(`${endpointsView}.focus`);
    await tree.children();
  };
  after(() => tree.hide());
  afterEach(async () => {
    await closeAll();
    await forgetService();
    await standIn.close();
  });

  it('shows every state, by group, each endpoint once', async () => {
    await start(true);
    await run('splice.endpoints.refresh');
    const rows = (await tree.text(2)).map(row => row.replace(/ · \d+ min/, ''));
    assert.deepEqual(
      rows.filter(row => !row.startsWith('  ')).map(row => row.replace(/ \[.*/, '')),
      ['Needs Attention', 'Starting', 'Ready', 'Ended'],
    );
    const shown = await tree.shown();
    for (const id of standIn.endpoints.ids)
      assert.ok(
        shown.some(row => row.id === id),
        id,
      );
    assert.equal(tree.view().badge?.value, 3);
    assert.equal(tree.message(), '');
  });

  it('follows an endpoint from the checkout to its end, move by move', async () => {
    await start(false);
    const id = standIn.endpoints.create();
    const states: [minutes: number, expected: RegExp][] = [
      [0, /^Waiting for payment/],
      [1, /^1\/7 Paid/],
      [0.5, /^2\/7 GPUs reserved/],
      [0.5, /^3\/7 Preparing GPUs/],
      [1, /^4\/7 Configuration in review/],
      [2, /^5\/7 Configuration approved/],
      [1, /^6\/7 Loading the model/],
      [8, /^Ready/],
    ];
    for (const [minutes, expected] of states) {
      standIn.clock.advance(minutes * minuteMs);
      await run('splice.endpoints.refresh');
      assert.match(await line(id), expected);
    }
    await tree.children(await tree.row(id));
    const timeline = (await tree.text(3)).filter(row => /^ {4}/.test(row));
    assert.match(
      timeline.join('\n'),
      /Loading the model \[.*took 8 min · by a job of the code host\]/,
    );
    standIn.endpoints.cancel(id, standIn.clock.now() + 30 * 60 * minuteMs);
    await run('splice.endpoints.readAgain', { id });
    assert.match(await line(id), /^Ready · ends [\w ]+ \((29|30) h\)/);
    assert.ok((await tree.text(2)).some(row => row.startsWith('  Serves until')));
    standIn.clock.advance(31 * 60 * minuteMs);
    await run('splice.endpoints.refresh');
    assert.match(await line(id), /^Canceled/);
    assert.ok(!(await tree.text(3)).some(row => /Connection|Serves until/.test(row)));
  });

  it('takes random walks over all moves without losing one', async () => {
    await start(false);
    const moves: Partial<Record<EndpointState, readonly EndpointState[]>> = {
      checkout_pending: ['paid', 'refunding', 'deploying'],
      paid: ['capacity_held', 'ready', 'refunding'],
      capacity_held: ['provisioning', 'failed'],
      provisioning: ['pr_open', 'refunding'],
      pr_open: ['merged', 'failed'],
      merged: ['deploying', 'ready'],
      deploying: ['ready', 'failed', 'refunding'],
      ready: ['suspended', 'canceled'],
      suspended: ['ready'],
      refunding: ['refunded'],
    };
    const all = Array.from({ length: 5 }, () =>
      standIn.endpoints.create({ state: 'checkout_pending' }),
    );
    let seed = 7;
    const pick = <T>(from: readonly T[]): T | undefined => {
      seed = (seed * 48_271) % 2_147_483_647;
      return from[seed % from.length];
    };
    const objects = new Map<string, unknown>();
    for (let step = 0; step < 30; step++) {
      const id = pick(all) ?? '';
      const to = pick(moves[standIn.endpoints.state(id)] ?? []);
      if (to) standIn.endpoints.play(id, to);
      await run('splice.endpoints.refresh');
      const rows = await tree.shown();
      for (const each of all) {
        const row = rows.find(item => item.id === each) ?? assert.fail(`step ${step} lost ${each}`);
        assert.equal(objects.get(each) ?? row, row);
        objects.set(each, row);
        assert.ok((await tree.item(row)).accessibilityInformation?.label);
      }
      if (step % 5 === 0) await tree.text(4);
    }
    assert.deepEqual(
      messages().filter(text => /wrong|failed several/.test(text)),
      [],
    );
  });

  it('offers the connection of a ready endpoint, with a variable for the key', async () => {
    await start(false);
    const id = standIn.endpoints.create({ state: 'ready' });
    await run('splice.endpoints.refresh');
    const row = await tree.row(id);
    await tree.children(row);
    assert.match((await tree.item(row)).contextValue ?? '', /;serves;/);
    await setClipboard('');
    for (const [form, expected] of [
      ['.env', `SPLICE_BASE_URL=${standIn.url}/endpoints/${id}/v1`],
      ['curl', '$SPLICE_API_KEY'],
      ['Python', 'os.environ["SPLICE_API_KEY"]'],
      ['TypeScript', 'process.env.SPLICE_API_KEY'],
    ] as const) {
      stub(vscode.window, 'showQuickPick', async () => form);
      await run('splice.endpoints.copyConnection', row);
      const text = await vscode.env.clipboard.readText();
      assert.ok(text.includes(expected), text);
      assert.ok(!text.includes(apiKey));
    }
    await run('splice.endpoints.copyUrl', row);
    assert.equal(await vscode.env.clipboard.readText(), `${standIn.url}/endpoints/${id}/v1`);
    await run('splice.endpoints.showStatus', row);
    const text = vscode.window.activeTextEditor?.document.getText() ?? '';
    assert.match(text, /"state": "ready"/);
    assert.match(text, /"createdAt": "\d{4}-/);
    assert.ok(vscode.window.activeTextEditor?.document.uri.scheme === jsonScheme);
  });

  it('gives away no address once the endpoint has stopped, even before the list says so', async () => {
    await start(false);
    const id = standIn.endpoints.create({ state: 'ready' });
    await run('splice.endpoints.refresh');
    standIn.endpoints.play(id, 'suspended');
    await setClipboard('before');
    await run('splice.endpoints.copyUrl', { id });
    await message(/takes no requests: its state is "suspended"/);
    await run('splice.endpoints.test', { id });
    assert.equal(await vscode.env.clipboard.readText(), 'before');
    assert.ok(!standIn.requests.some(({ path }) => path.startsWith('/endpoints/')));
    await run('splice.endpoints.refresh');
    forgetMessages();
    await run('splice.endpoints.copyUrl', { id });
    await message(/^Not possible in this state: Suspended\./);
  });

  it('sends a test request, and tells latency and first token', async () => {
    await start(false);
    const id = standIn.endpoints.create({ state: 'ready' });
    await run('splice.endpoints.refresh');
    await run('splice.endpoints.test', { id });
    await message(/answered in \d+ ms, first token after \d+ ms, \d+ tokens\.$/);
    const sent = standIn.requests.find(({ path }) => path.startsWith(`/endpoints/${id}/v1/chat`));
    assert.match(JSON.stringify(sent?.body), /"model":"dedicated\/svc-glm52-744b"/);
  });

  it('stops on 401 and tells it quietly, and goes on with a new key', async () => {
    await start(false);
    standIn.inject(list, refusal(401));
    await run('splice.endpoints.refresh');
    await message(/The service refused the API key\./);
    const before = standIn.requests.length;
    forgetMessages();
    // Looking again asks nothing.
    await run(`${searchView}.focus`);
    await run(`${endpointsView}.focus`);
    await new Promise(resolve => setTimeout(resolve, 300));
    assert.equal(standIn.requests.length, before);
    assert.match(tree.message(), /The service refused the API key\.$/);
    assert.deepEqual((await tree.text()).slice(0, 3), [
      'Change API Key…',
      'Diagnose Connection',
      'Try Again',
    ]);
    assert.deepEqual(messages(), []);
    standIn.heal();
    const id = standIn.endpoints.create({ state: 'ready' });
    await useService(standIn.url, apiKey);
    await waitFor(async () => (await tree.shown()).some(row => row.id === id), 'the endpoint');
    assert.equal(tree.message(), '');
  });

  const failures: [string, ReturnType<typeof refusal> | { fault: 'reset' }, RegExp][] = [
    [
      '429',
      refusal(429, { 'retry-after': '600' }),
      /too many requests\. Try again after \d\d:\d\d:\d\d\.$/,
    ],
    ['503', refusal(503), /The service failed \(503\)\..* Next try at/],
    ['a line that is cut', { fault: 'reset' }, /Next try at/],
  ];
  for (const [what, injection, wording] of failures)
    it(`keeps what it has after ${what}, and says as of when`, async () => {
      await start(false);
      const id = standIn.endpoints.create({ state: 'ready' });
      await run('splice.endpoints.refresh');
      standIn.inject(list, injection);
      await run('splice.endpoints.refresh');
      assert.match(tree.message(), /^As of \d\d:\d\d\. /);
      assert.match(tree.message(), wording);
      assert.match(await line(id), /^Ready/);
      assert.match((await tree.text())[0] ?? '', /^Not up to date$/);
      standIn.heal();
    });

  it('keeps what it has when the service cannot be reached', async () => {
    await start(false);
    const id = standIn.endpoints.create({ state: 'ready' });
    await run('splice.endpoints.refresh');
    await standIn.close();
    await run('splice.endpoints.refresh');
    assert.match(tree.message(), /^As of \d\d:\d\d\. .*cannot be reached.* Next try at/);
    assert.match(await line(id), /^Ready/);
    standIn = await startStandIn({ apiKey });
  });

  it('takes 500 endpoints with 2,000 events each, and hostile names', async () => {
    await start(false);
    const evil = 'Pay [now](command:x) $(trash)\u202e';
    const item = (n: number) => ({
      id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
      state: n % 3 === 0 ? 'deploying' : n % 3 === 1 ? 'canceled' : evil,
      createdAt: new Date(Date.UTC(2026, 0, 1) + n * minuteMs).toISOString(),
      modelDisplayName: evil,
      planName: evil,
    });
    const events = Array.from({ length: 2000 }, (_, n) => ({
      id: `e${n}`,
      eventType: evil,
      fromState: n % 2 === 0 ? 'merged' : null,
      toState: n % 2 === 0 ? 'deploying' : null,
      actorType: evil,
      createdAt: new Date(Date.UTC(2026, 0, 2) + n * minuteMs).toISOString(),
    }));
    standIn.inject(
      list,
      giving(() => ({ endpoints: Array.from({ length: 500 }, (_, n) => item(n)) })),
    );
    standIn.inject(
      one,
      giving(path => ({ ...item(Number(path.slice(-12))), events, provisioningStatus: evil })),
    );
    const times: Record<string, number> = {};
    const timed = async (what: string, act: () => Promise<unknown>): Promise<void> => {
      times[what] = Math.round(await cpuMsOfAsync(act));
    };
    await timed('first list', async () => run('splice.endpoints.refresh'));
    const rows = (await tree.shown()).filter(({ data }) => data.context.startsWith(';endpoint;'));
    assert.equal(rows.length, 500);
    await timed('20 rows opened', async () => {
      for (const row of rows.slice(0, 20)) assert.ok((await tree.children(row)).length > 0);
    });
    await timed('list again', async () => run('splice.endpoints.refresh'));
    for (const row of await tree.shown()) {
      const { label, description, tooltip, accessibilityInformation } = await tree.item(row);
      for (const text of [label, description, tooltip, accessibilityInformation?.label])
        if (typeof text === 'string') assert.doesNotMatch(text, /\]\(|\$\(|\u202e/);
    }
    if (process.env['FIGURES']) print(`      ${JSON.stringify(times)} ms of CPU`);
    assert.ok((times['list again'] ?? 0) < 3000, JSON.stringify(times));
  });

  it('shows a status that cannot be read as a row that tries again', async () => {
    await start(false);
    const id = standIn.endpoints.create({ state: 'paid' });
    await run('splice.endpoints.refresh');
    standIn.inject(one, refusal(404));
    await tree.children(await tree.row(id));
    const failed = (await tree.text(2)).find(row => row.startsWith('  Not read: '));
    assert.ok(failed, (await tree.text(2)).join('\n'));
    standIn.heal();
    await run('splice.endpoints.readAgain', await tree.row(`${id}/failure`));
    assert.ok((await tree.text(2)).some(row => row.startsWith('  Timeline')));
  });

  it('tells that a watched endpoint is ready, once, and shows it in the status bar until then', async () => {
    await start(false);
    const items: vscode.StatusBarItem[] = [];
    const { createStatusBarItem } = vscode.window;
    stub(
      vscode.window,
      'createStatusBarItem',
      (...args: Parameters<typeof createStatusBarItem>) => {
        const item = createStatusBarItem(...args);
        items.push(item);
        return item;
      },
    );
    const [id, other] = [
      standIn.endpoints.create({ state: 'deploying' }),
      standIn.endpoints.create({ state: 'deploying' }),
    ];
    await run('splice.endpoints.refresh');
    assert.equal(items.length, 0);
    await run('splice.endpoints.watch', { id });
    assert.match((await tree.item(await tree.row(id))).contextValue ?? '', /;watched;/);
    assert.match(asRead(items[0]?.text ?? ''), /: step 6 of 7$/);
    await setClipboard('');
    answer(/is ready/, 'Copy URL');
    standIn.endpoints.play(id, 'ready');
    standIn.endpoints.play(other, 'ready');
    await run('splice.endpoints.refresh');
    await message(/^The endpoint .* is ready\.$/);
    await waitFor(
      async () => (await vscode.env.clipboard.readText()).includes(id),
      'the URL on the clipboard',
    );
    standIn.endpoints.play(id, 'suspended');
    await run('splice.endpoints.refresh');
    await message(/is suspended\. Check the billing/);
    standIn.endpoints.play(id, 'ready');
    await run('splice.endpoints.refresh');
    standIn.endpoints.play(id, 'suspended');
    await run('splice.endpoints.refresh');
    assert.equal(messages().filter(text => /is ready|is suspended/.test(text)).length, 2);
  });

  it('tells of a cancellation by others once, with who and until when, and shows the end at once', async () => {
    await start(false);
    const id = standIn.endpoints.create({ state: 'ready' });
    await run('splice.endpoints.refresh');
    assert.match(await line(id), /^Ready · /);
    assert.deepEqual(messages(), []);
    standIn.endpoints.cancel(id, standIn.clock.now() + 30 * 24 * 60 * minuteMs);
    await run('splice.endpoints.refresh');
    const { buttons } = await message(
      /^The endpoint .* was canceled by someone in your account\. It serves until .*\.$/,
    );
    assert.deepEqual(buttons, ['Show', "Don't Show Again"]);
    assert.match(await line(id), /^Ready · ends .* \((29|30) days\)/);
    await run('splice.endpoints.refresh');
    standIn.clock.advance(31 * 24 * 60 * minuteMs);
    await run('splice.endpoints.refresh');
    assert.match(await line(id), /^Canceled/);
    assert.equal(messages().length, 1, messages().join('\n'));
  });

  it('tells of an order that others have canceled before it was ready', async () => {
    await start(false);
    const id = standIn.endpoints.create({ state: 'deploying' });
    await run('splice.endpoints.refresh');
    standIn.endpoints.play(id, 'refunding');
    await run('splice.endpoints.refresh');
    await message(/is being refunded/);
    standIn.endpoints.play(id, 'refunded');
    await run('splice.endpoints.refresh');
    assert.match(await line(id), /^Refunded/);
    assert.equal(messages().length, 1, messages().join('\n'));
  });

  it('lets no endpoint vanish that the service lists no more', async () => {
    await start(false);
    const id = standIn.endpoints.create({ state: 'ready' });
    await run('splice.endpoints.refresh');
    standIn.endpoints.remove(id);
    await run('splice.endpoints.refresh');
    await message(/^The service no longer lists the endpoint .*\. Its last state was: Ready\.$/);
    await run('splice.endpoints.refresh');
    assert.equal(messages().length, 1);
    const rows = (await tree.text(2)).join('\n');
    assert.match(rows, /^Ended \[1\]\n {2}.* \[No longer listed · was: Ready · /);
    if (driver.available) {
      await waitFor(async () => isDrawn('Ended'), 'the group in the window');
      await driver.click({ selector: '.pane-body .monaco-list-row', hasText: 'Ended' });
      await waitFor(async () => isDrawn('No longer listed'), 'the row in the window');
      await driver.screenshot('endpoint-gone');
    }
    await run('splice.endpoints.dismiss', await tree.row(id));
    assert.deepEqual(await tree.children(), []);
  });

  it('tells nothing when notifications are off', async () => {
    await start(false);
    await setSetting('splice.endpoints.notifications', 'off');
    const id = standIn.endpoints.create({ state: 'deploying' });
    await run('splice.endpoints.refresh');
    standIn.endpoints.play(id, 'failed');
    await run('splice.endpoints.refresh');
    assert.deepEqual(messages(), []);
    await run('splice.endpoints.dismiss', { id });
    assert.match((await tree.text(2)).join('\n'), /^Ended \[1\]\n {2}.*\[Failed/m);
  });

  it('opens the dashboard for what has no call, and only an https address', async () => {
    await start(false);
    const opened: string[] = [];
    stub(vscode.env, 'openExternal', async (uri: vscode.Uri) => opened.push(uri.toString(true)));
    await run('splice.endpoints.openDashboard');
    await message(/^Set the address of the dashboard first\./);
    await setSetting('splice.endpoints.dashboardUrl', 'http://pay.test/');
    await run('splice.endpoints.openDashboard');
    await message(/must begin with https/);
    await setSetting('splice.endpoints.dashboardUrl', 'https://dashboard.test/endpoints?tab=1');
    await run('splice.endpoints.openDashboard');
    assert.deepEqual(opened, ['https://dashboard.test/endpoints?tab=1']);
    const id = standIn.endpoints.create({ state: 'ready' });
    await run('splice.endpoints.refresh');
    await run('splice.endpoints.cancel', { id });
    assert.equal(opened.length, 2);
    assert.ok(standIn.requests.every(({ method }) => method === 'GET'));
    standIn.endpoints.play(id, 'canceled');
    forgetMessages();
    await run('splice.endpoints.refresh');
    assert.deepEqual(messages(), []);
  });

  it('asks nothing in a workspace that is not trusted', async () => {
    standIn = await startStandIn({ apiKey });
    stub(vscode.workspace, 'isTrusted', false);
    await useService(standIn.url, apiKey);
    await run(`${endpointsView}.focus`);
    await run('splice.endpoints.refresh');
    await message(/^In an untrusted workspace, Splice sends no requests\. Trust this/);
    assert.deepEqual(await tree.children(), []);
    assert.equal(standIn.requests.length, 0);
  });
});

describe('two windows with one file', () => {
  it('read once, and hold neither key nor address in it', async () => {
    const standIn = await startStandIn({ apiKey });
    const folder = await mkdtemp(join(tmpdir(), 'splice-endpoints-'));
    const client = new ServiceClient({
      baseUrl: () => standIn.url,
      apiKey: async () => apiKey,
      transport: lazyTransport({
        log: { info: () => undefined },
        context: { subscriptions: [] },
      }),
    });
    const problems: unknown[] = [];
    const open = (name: string) =>
      new Poller<EndpointsSnapshot>({
        t: vscode.l10n.t,
        clock: systemClock,
        random: Math.random,
        name,
        scope: () => standIn.url,
        pollIntervalMs: () => 3_600_000,
        store: new SharedFile(vscode.Uri.file(folder), 'endpoints', parseSnapshotRecord, error =>
          problems.push(error),
        ),
        read: async ({ before, signal }) =>
          mergeList(before, await client.listEndpoints({ signal }), Date.now()).snapshot,
        onChange: () => undefined,
      });
    const [first, second] = [open('one'), open('two')];
    for (const poller of [first, second]) poller.setVisible(true);
    await waitFor(() => first.state.data && second.state.data, 'the list in both windows');
    assert.equal(standIn.requests.filter(({ route }) => route === list).length, 1);
    const reloaded = open('three');
    await reloaded.start();
    assert.equal(reloaded.state.data?.endpoints.length, 13);
    const [name, ...others] = await readdir(folder);
    assert.deepEqual([name, others], ['endpoints.json', []]);
    const text = await readFile(join(folder, 'endpoints.json'), 'utf8');
    assert.doesNotMatch(text, /sk-|endpointUrl|servedModelName|\/endpoints\//);
    await writeFile(join(folder, 'endpoints.json'), text.slice(0, 200));
    const cut = open('four');
    await cut.start();
    assert.equal(cut.state.data, undefined);
    assert.deepEqual(problems, []);
    for (const poller of [first, second, reloaded, cut]) poller.dispose();
    await standIn.close();
    await rm(folder, { recursive: true });
  });
});
