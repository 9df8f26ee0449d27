import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { content } from '../../src/costs/content';
import { createCostsController } from '../../src/costs/controller';
import { page } from '../../src/costs/page';
import { createClient, lazyLedger, lazyTransport } from '../../src/platform/client/client';
import { LedgerFiles } from '../../src/platform/client/ledgerFiles';
import { adviceSteps } from '../../src/platform/steps';
import { adviceFor } from '../../src/service/advice';
import { ledgerLine, monthOf, parseLedger } from '../../src/service/billing/ledger';
import { ServiceError } from '../../src/service/errors';
import { type StandIn, startStandIn } from '../service/standIn';
import { asRead } from './asRead';
import { openGate } from './openGate';
import {
  activePreview,
  allTabs,
  answer,
  closeAll,
  fileUri,
  forgetService,
  message,
  messages,
  openFile,
  run,
  setClipboard,
  setSetting,
  stub,
  useService,
  waitFor,
} from './support';

const apiKey = 'sk-canary-costs-5b1d9e';
const prompt = 'canary-prompt-77aa';
const edit = `// src/cart.ts
// ... existing code ...
  remove(sku: string): boolean {
    this.#coupon = undefined; // canary-code-31f0
    return this.#lines.delete(sku);
  }
// ... existing code ...
`;
const month = monthOf(Date.now());
const file = `costs-${month}.jsonl`;

/** Ledger files below the folder of this launch: the extension's own among them. */
function ledgerTexts(): string[] {
  const base = path.dirname(fileUri('').fsPath);
  return readdirSync(base, { recursive: true, encoding: 'utf8' })
    .filter(name => /costs-\d{4}-\d{2}\.jsonl$/.test(name))
    .map(name => readFileSync(path.join(base, name), 'utf8'));
}

const signal = () => AbortSignal.timeout(60_000);
const timed = (ms: number) => ({ at: 1, operation: 'chat', ms, attempts: 1, result: 'ok' });
const costsTab = () => allTabs().find(({ label }) => label === 'Splice Costs');

describe('costs', () => {
  let standIn: StandIn;
  let folder: string;
  let lines: string[];
  const opened: vscode.Disposable[] = [];

  beforeEach(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'costs-'));
    lines = [];
    standIn = await startStandIn({ apiKey, merge: code => code.replace('490', '590') });
    await useService(standIn.url, apiKey);
  });
  afterEach(async () => {
    for (const item of opened.splice(0)) item.dispose();
    await closeAll();
    await forgetService();
    await standIn.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const filesIn = (place: string | undefined = folder): LedgerFiles => {
    const files = new LedgerFiles({ folder: place, log: line => lines.push(line) });
    opened.push(files);
    return files;
  };

  /** A window with a storage of its own. */
  function client() {
    const host = {
      context: { globalStorageUri: vscode.Uri.file(folder), subscriptions: opened },
      apiKeys: { get: async () => apiKey },
      log: { info: (line: string) => lines.push(line), error: () => undefined },
    };
    return createClient(host, lazyTransport(host), lazyLedger(host), openGate);
  }
  const chat = async (from = client()) =>
    from.chat(
      { model: 'svc-glm53flash', messages: [{ role: 'user', content: prompt }] },
      { signal: signal(), sending: { purpose: 'test' } },
    );
  const written = async () =>
    waitFor(async () => {
      try {
        const { entries } = await parseLedger(readFileSync(path.join(folder, file), 'utf8'));
        return entries.length > 0 && entries;
      } catch {
        return undefined;
      }
    }, 'a ledger file');

  it('returns an exact cost once the live catalogue is known, and writes it down', async () => {
    const from = client();
    await chat(from);
    await waitFor(
      () => standIn.requests.some(({ path: to }) => to.startsWith('/api/models')),
      'a look at the catalogue',
    );
    const { usage, cost } = await waitFor(async () => {
      const result = await chat(from);
      return result.cost?.isExact && result;
    }, 'an exact cost');
    assert.ok(usage && cost);
    const usd = (usage.promptTokens * 0.15 + usage.completionTokens * 0.5) / 1e6;
    assert.equal(cost.usd.toFixed(12), usd.toFixed(12));
    const last = await waitFor(async () => {
      const entry = (await written()).at(-1);
      return entry?.isExact && entry;
    }, 'the call in the file');
    assert.deepEqual([last.operation, last.model, last.usd], ['chat', 'svc-glm53flash', cost.usd]);
  });

  it('writes down names and numbers only', async () => {
    await setSetting('splice.apply.engine', 'service');
    await openFile('src/cart.ts');
    await setClipboard(edit);
    await run('splice.apply.clipboard');
    await waitFor(activePreview, 'a review');
    await chat();
    await written();
    const texts = await waitFor(() => {
      const found = ledgerTexts();
      return found.some(text => /"operation":"apply"/.test(text)) && found;
    }, 'the ledger of the extension');
    const all = [...texts, readFileSync(path.join(folder, file), 'utf8')].join('\n');
    assert.match(all, /"operation":"chat"/);
    for (const secret of [apiKey, prompt, 'canary-code', 'cart.ts', os.homedir(), 'Bearer'])
      assert.ok(!all.includes(secret), secret);
    const keys = new Set(
      all
        .split('\n')
        .filter(Boolean)
        .flatMap(line => [...line.matchAll(/"(\w+)":/g)].map(([, key = '']) => key)),
    );
    const known =
      'at operation model purpose chat workspace promptTokens completionTokens cachedTokens events usd isExact noPrice ms attempts requestId result percent budgetUsd';
    assert.deepEqual(
      [...keys].filter(key => !known.split(' ').includes(key)),
      [],
    );
  });

  it('loses no line when two windows write the same month', async () => {
    const windows = [filesIn(), filesIn()];
    for (let n = 0; n < 2000; n++) {
      windows[n % 2]?.append(month, ledgerLine(timed(n)));
      if (n % 50 === 0) await windows[(n / 50) % 2]?.read(month, 0);
    }
    await windows[0]?.read(month, 0);
    const { text } = (await windows[1]?.read(month, 0)) ?? { text: '' };
    const { entries, damaged } = await parseLedger(text);
    assert.equal(damaged, 0);
    assert.deepEqual(
      entries.map(({ ms }) => ms).toSorted((a, b) => a - b),
      Array.from({ length: 2000 }, (_, n) => n),
    );
    assert.deepEqual(await windows[0]?.months(), [month]);
  });

  it('reads on from where it stopped, whole lines only', async () => {
    const files = filesIn();
    files.append(month, '{"a":"é"}\n');
    const first = await files.read(month, 0);
    assert.equal(first.text, '{"a":"é"}\n');
    writeFileSync(path.join(folder, file), '{"b":1}\n{"c', { flag: 'a' });
    assert.equal((await files.read(month, first.next)).text, '{"b":1}\n');
  });

  it('writes at once when the window closes', () => {
    const files = filesIn();
    files.append(month, '{"last":1}\n');
    files.dispose();
    assert.equal(readFileSync(path.join(folder, file), 'utf8'), '{"last":1}\n');
  });

  it('keeps the costs that cannot be written, counts them, says so once, and writes them later', async () => {
    rmSync(folder, { recursive: true });
    writeFileSync(folder, '');
    const from = client();
    for (let call = 0; call < 3; call++) assert.ok((await chat(from)).cost);
    const { buttons } = await message(/^The costs? of .* cannot be written to the disk: /);
    assert.deepEqual(buttons, ['Try Again', 'Show Costs']);
    await setSetting('splice.costs.monthlyBudgetUsd', 0.0000001);
    await setSetting('splice.costs.stopAtBudget', true);
    const error: unknown = await chat(from).catch((reason: unknown) => reason);
    assert.ok(error instanceof ServiceError && error.kind === 'budget', String(error));
    assert.equal(messages().filter(text => /cannot be written/.test(text)).length, 1);
    rmSync(folder);
    await waitFor(async () => (await written()).length === 3, 'the three calls in the file');
    assert.ok(!lines.some(line => line.includes(folder)));
  });

  it('warns at the budget with the steps that help, and stops paid calls where that is wanted', async () => {
    await setSetting('splice.costs.monthlyBudgetUsd', 0.0000001);
    answer(/^The monthly budget of/, 'Show Costs');
    const from = client();
    await chat(from);
    const { buttons } = await message(/^The monthly budget of .* is spent .* Calls continue\.$/);
    assert.deepEqual(buttons, ['Show Costs', 'Change Budget']);
    await waitFor(costsTab, 'the costs');
    await chat(from);
    assert.equal(messages().length, 1);

    await setSetting('splice.costs.stopAtBudget', true);
    const sent = standIn.requests.length;
    const error: unknown = await chat(from).catch((reason: unknown) => reason);
    assert.ok(error instanceof ServiceError);
    assert.equal(error.kind, 'budget');
    assert.deepEqual(
      asRead(adviceSteps(adviceFor(error, vscode.l10n.t).actions, vscode.l10n.t)).map(
        ({ title, command: id }) => [title, id],
      ),
      [
        ['Ignore Budget for Today', 'splice.costs.ignoreBudget'],
        ['Change Budget', 'splice.costs.changeBudget'],
        ['Show Costs', 'splice.costs.show'],
      ],
    );
    assert.equal(standIn.requests.length, sent);
    await from.listEndpoints({ signal: signal() });
  });

  it('says what a call was for, and refuses what is over the budget of its purpose', async () => {
    const from = client();
    await chat(from);
    await waitFor(async () => (await written()).length === 1, 'the call in the file');
    const [entry] = await written();
    assert.deepEqual([entry?.purpose, entry?.workspace], ['test', vscode.workspace.name]);
    await setSetting('splice.costs.purposeBudgetsUsd', { test: 0.0000001 });
    const error: unknown = await chat(from).catch((reason: unknown) => reason);
    assert.ok(error instanceof ServiceError);
    assert.match(
      asRead(adviceFor(error, vscode.l10n.t).message),
      /budget of .* for Connection Tests is spent/,
    );
    await setSetting('splice.costs.purposeBudgetsUsd', undefined);
    await chat(from);
  });

  it('takes no budget from a folder', async () => {
    const settings = fileUri('.vscode/settings.json');
    const hostile = {
      ['splice.costs.monthlyBudgetUsd']: 0.0000001,
      ['splice.costs.stopAtBudget']: true,
    };
    await vscode.workspace.fs.writeFile(settings, Buffer.from(JSON.stringify(hostile)));
    try {
      const from = client();
      await chat(from);
      await chat(from);
      assert.deepEqual(messages(), []);
    } finally {
      await vscode.workspace.fs.delete(vscode.Uri.joinPath(settings, '..'), { recursive: true });
    }
  });

  it('opens one tab, however often it is asked', async () => {
    await run('splice.costs.show');
    await run('splice.costs.show');
    await waitFor(costsTab, 'the costs');
    assert.equal(allTabs().length, 1);
  });

  it('can be closed while it still reads', async () => {
    const files = new LedgerFiles({ folder, log: line => lines.push(line) });
    let finish: (() => void) | undefined;
    const reading = new Promise<void>(resolve => (finish = resolve));
    const read = files.read.bind(files);
    let reads = 0;
    files.read = async (...args) => {
      reads++;
      await reading;
      return read(...args);
    };
    const problems: unknown[] = [];
    const controller = createCostsController(
      {
        quietly:
          listener =>
          (...args) => {
            void listener(...args);
          },
        report: async (_, error) => void problems.push(error),
      },
      files,
    );
    opened.push(controller);
    await controller.show();
    await waitFor(() => reads > 0, 'the costs are read');
    // Read once more after that, which finds the tab closed.
    const showing = controller.show();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    finish?.();
    await showing;
    await waitFor(() => allTabs().length === 0, 'no tab');
    assert.deepEqual(problems, []);
  });

  it('exports what the extension has written down', async () => {
    await setSetting('splice.apply.engine', 'service');
    await openFile('src/cart.ts');
    await setClipboard(edit);
    await run('splice.apply.clipboard');
    await waitFor(activePreview, 'a review');
    const target = vscode.Uri.file(path.join(folder, 'costs.csv'));
    let asked: vscode.SaveDialogOptions | undefined;
    stub(vscode.window, 'showSaveDialog', async (options: vscode.SaveDialogOptions) => {
      asked = options;
      return target;
    });
    await run('splice.costs.export');
    await message(/^\d+ calls of .* were exported\.$/);
    assert.match(asked?.defaultUri?.path ?? '', new RegExp(`/splice-costs-${month}\\.csv$`));
    const csv = readFileSync(target.fsPath, 'utf8');
    assert.match(csv, /^time,operation,model,.*,purpose,chat,workspace\r\n/);
    assert.match(csv, /,apply,auto,\d+,,\d+,,,price not published,\d+,1,[^,]*,ok,apply,,[^,]*\r\n/);
  });
});

/** The first cell of each row. */
const names = (html: string) =>
  [...html.matchAll(/<th scope="row">([^<]*)<\/th>/g)].map(([, name]) => name);

describe('the page of the costs', () => {
  const entry = { at: Date.now(), operation: 'chat', ms: 1, attempts: 1, result: 'ok', usd: 0.5 };
  const show = (model: string, budget = { usd: 0, stops: false }) =>
    asRead(
      content(
        month,
        { entries: [{ ...entry, model }], notices: [], damaged: 2 },
        { budget, isKept: true },
      ),
    );

  it('loads nothing and runs nothing but its own script', () => {
    const text = page('NONCE');
    assert.match(
      text,
      /content="default-src &#39;none&#39;; style-src &#39;nonce-NONCE&#39;; script-src &#39;nonce-NONCE&#39;"/,
    );
    assert.deepEqual(text.match(/<(script|style|img|link|iframe|a)\b[^>]*>/g), [
      '<style nonce="NONCE">',
      '<script nonce="NONCE">',
    ]);
    assert.doesNotMatch(text, /https?:|style="| on\w+=|#[0-9a-f]{3,6};|rgb/);
  });

  it('shows a hostile name of a model as text', () => {
    const { html } = show('<img src=x onerror="alert(1)">&\'');
    assert.match(html, /&#60;img src=x onerror=&#34;alert\(1\)&#34;&#62;&#38;&#39;/);
    assert.doesNotMatch(html, /<img/);
  });

  it('has headers, a caption and words for every sum', () => {
    const { html, status } = show('svc-x', { usd: 1, stops: true });
    assert.match(html, /<caption/);
    assert.equal(html.match(/<th scope="col"/g)?.length, 8);
    assert.match(html, /<th scope="rowgroup"/);
    assert.match(html, /aria-valuenow="50"/);
    assert.match(html, /<td class="price" data-title="Price">estimate<\/td>/);
    assert.match(html, /aria-label="Costs of [^"]* by day; the highest are \$0\.50 on [^"]*"/);
    assert.match(html, /2 damaged lines/);
    assert.match(status, /: \$0\.50, 1 call$/);
  });

  it('groups the calls by what they are for, by chat and by workspace, and names the budgets', () => {
    const calls = [
      { ...entry, purpose: 'chat', chat: 'c1', workspace: '<shop>' },
      { ...entry, purpose: 'chat', chat: 'c1', at: entry.at + 1, usd: 0.25 },
      { ...entry, usd: 0.125 },
    ] as const;
    const by = (grouping: 'purpose' | 'chat' | 'workspace') =>
      asRead(
        content(
          month,
          { entries: [...calls], notices: [], damaged: 0 },
          {
            budget: { usd: 0, stops: false, byPurpose: { chat: 0.5, search: 2, mining: 1 } },
            isKept: true,
            grouping,
          },
        ),
      ).html;
    const purposes = by('purpose');
    assert.deepEqual(names(purposes).slice(0, -1), ['Chat', 'not known']);
    assert.match(
      purposes,
      /<li>Chat: \$0\.75 of \$0\.50 \(150%\) Spent: such calls are refused\.<\/li>/,
    );
    assert.match(purposes, /<li>Search: \$0\.00 of \$2 \(0%\)<\/li>/);
    assert.doesNotMatch(purposes, /mining/);
    assert.deepEqual(names(by('workspace')).slice(0, -1), ['&#60;shop&#62;', 'not known']);
    const [chat = '', none] = names(by('chat'));
    assert.match(chat, /\d/);
    assert.equal(none, 'no chat');
  });

  it('explains itself when it is empty', () => {
    const { html } = content(
      month,
      { entries: [], notices: [], damaged: 0 },
      { budget: undefined, isKept: false },
    );
    assert.match(html, /<h2>No calls in /);
    assert.match(html, /the record ends when the window closes/);
    assert.doesNotMatch(html, /<table|budget/);
  });
});
