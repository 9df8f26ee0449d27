import assert from 'node:assert/strict';
import dns from 'node:dns';
import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import tls from 'node:tls';
import * as vscode from 'vscode';
import { reportScheme } from '../../src/connection/ids';
import { listen } from '../service/listen';
import { type Proxy, startProxy } from '../service/proxy';
import { type StandIn, startStandIn } from '../service/standIn';
import { startTlsServer, type TlsServer } from '../service/tls/server';
import {
  answer,
  closeAll,
  fileUri,
  forgetService,
  message,
  messages,
  run,
  setSetting,
  shownMessages,
  stub,
  typeApiKey,
  useService,
  waitFor,
} from './support';

const apiKey = 'sk-canary-diagnose-81c2';
const files = path.resolve(import.meta.dirname, '../../test/fixtures/tls');
const pem = (name: string) => readFileSync(path.join(files, name), 'utf8');
const certificates = tls.getCACertificates('default');

/** Runs the command; returns the report in front. */
async function diagnose(): Promise<string> {
  const done = run('splice.service.diagnose');
  await message(/^(The connection works|First cause: |Canceled)/);
  await done;
  const document = vscode.window.activeTextEditor?.document;
  assert.equal(document?.uri.scheme, reportScheme);
  assert.equal(document.languageId, 'markdown');
  let report = '';
  const { clipboard } = vscode.env;
  stub(vscode.env, 'clipboard', { writeText: async (text: string) => void (report = text) });
  await run('splice.service.copyReport');
  stub(vscode.env, 'clipboard', clipboard);
  // VS Code reads a document that it knows again a moment later.
  await waitFor(() => document.getText() === report, 'the new report');
  return report;
}

/** Titles and verdicts, in order. */
const verdicts = (report: string): string[] =>
  [...report.matchAll(/^\d+\. \*\*([\w ]+)\*\* ([^(:]*)/gm)].map(
    ([, verdict, title = '']) => `${title.trim()} ${verdict}`,
  );

describe('diagnosing the connection', () => {
  let standIn: StandIn;
  beforeEach(async () => {
    standIn = await startStandIn({ apiKey });
  });
  afterEach(async () => {
    await closeAll();
    await forgetService();
    await standIn.close();
  });

  const predictions = () => standIn.requests.filter(({ path: to }) => /predict/.test(to));

  it('finds everything well, and tells what the one paid call cost', async () => {
    await useService(standIn.url, apiKey);
    answer(/^Send one paid/, 'Send for $0.001');
    const report = await diagnose();
    await message(/^The connection works\. The paid classification works\. It cost \$0\.001/);
    assert.deepEqual(verdicts(report), [
      'Service address OK',
      'Proxy OK',
      'Name resolution SKIPPED',
      'Connection OK',
      'Certificate SKIPPED',
      'Answer OK',
      'Clock OK',
      'API key OK',
      'Key accepted OK',
      'Model catalogue OK',
      'One classification OK',
    ]);
    assert.match(report, new RegExp(`: ${standIn.url}$`, 'm'));
    assert.match(report, /It cost \$0\.001 \(estimate\)\./);
    assert.match(report, /Live, \d+ models/);
    assert.match(report, new RegExp(`VS Code: ${vscode.version.replaceAll('.', '\\.')}`));
    assert.match(report, /Answer \(\d+ ms\)/);
    assert.equal(predictions().length, 1);
    const question = shownMessages().find(({ isModal }) => isModal);
    assert.match(question?.detail ?? '', /The price is \$0\.001\./);
    // The first request has no key: it only asks whether somebody is there.
    assert.equal(standIn.requests[0]?.headers.authorization, undefined);
  });

  it('holds no key, no path and no user name', async () => {
    await useService(`${standIn.url}/v1`, apiKey);
    const report = await diagnose();
    for (const secret of [apiKey, 'Bearer', os.homedir(), fileUri('').fsPath])
      assert.ok(!report.includes(secret), secret);
  });

  it('spends nothing when that is not wanted', async () => {
    await useService(standIn.url, apiKey);
    const report = await diagnose();
    assert.equal(verdicts(report).at(-1), 'One classification SKIPPED');
    assert.deepEqual(predictions(), []);
  });

  it('says why nothing can be checked without an address', async () => {
    const report = await diagnose();
    assert.equal(verdicts(report)[0], 'Service address FAILED');
    assert.deepEqual(
      verdicts(report)
        .slice(1)
        .filter(line => !line.endsWith('NOT CHECKED')),
      [],
    );
    assert.match(report, /Next: Run "Splice: Connect to Service…"/);
  });

  it('names a key that the service refuses, and asks for no money', async () => {
    await useService(standIn.url, 'sk-another-key-0001');
    const report = await diagnose();
    assert.match(report, /\*\*FAILED\*\* Key accepted .*unauthorized, status 401/);
    assert.equal(verdicts(report).at(-1), 'One classification NOT CHECKED');
    assert.ok(!messages().some(text => /paid/.test(text)));
  });

  it('names a key of another address', async () => {
    await useService('https://other.example', apiKey);
    await setSetting('splice.service.baseUrl', standIn.url);
    const report = await diagnose();
    assert.match(report, /\*\*FAILED\*\* API key .*belongs to https:\/\/other\.example/);
    assert.ok(standIn.requests.every(({ headers }) => headers.authorization === undefined));
  });

  it('says that nobody answers', async () => {
    await useService(standIn.url, apiKey);
    await standIn.close();
    const report = await diagnose();
    assert.match(
      report,
      /\*\*First cause: Connection\. .* refuses the connection: nothing listens/,
    );
    assert.match(report, /\*\*FAILED\*\* Connection .*\(ECONNREFUSED\)/);
    assert.deepEqual(verdicts(report).slice(3), [
      'Connection FAILED',
      'Certificate NOT CHECKED',
      'Answer NOT CHECKED',
      'Clock NOT CHECKED',
      'API key OK',
      'Key accepted NOT CHECKED',
      'Model catalogue NOT CHECKED',
      'One classification NOT CHECKED',
    ]);
    const { buttons } = await message(/^First cause: Connection/);
    assert.deepEqual(buttons, ['Set Service URL…', 'Copy Report', 'Diagnose Again']);
  });

  it('runs the paid check after a dialog that stood for longer than a check may take', async () => {
    await useService(standIn.url, apiKey);
    const { setTimeout: after } = globalThis;
    const limits: (() => void)[] = [];
    // The time of the checks before runs out while the dialog is open.
    stub(globalThis, 'setTimeout', (fire: () => void, ms: number, ...rest: unknown[]) => {
      if (ms === 20_000) limits.push(fire);
      return Reflect.apply(after, globalThis, [fire, ms, ...rest]);
    });
    const { showInformationMessage } = vscode.window;
    stub(vscode.window, 'showInformationMessage', async (text: string, ...rest: unknown[]) => {
      if (text.startsWith('Send one paid')) for (const fire of limits.splice(0)) fire();
      return Reflect.apply(showInformationMessage, vscode.window, [text, ...rest]) as unknown;
    });
    answer(/^Send one paid/, 'Send for $0.001');
    const report = await diagnose();
    assert.match(report, /\*\*OK\*\* One classification .*It cost \$0\.001 \(estimate\)/);
    assert.equal(predictions().length, 1);
  });

  it('takes the sign-in page of a network for what it is', async () => {
    const portal = await listen((_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in</h1>'),
    );
    await useService(portal.url, apiKey);
    const report = await diagnose();
    await portal.close();
    assert.match(report, /\*\*First cause: Answer\. A web page answers/);
  });

  it('names a path that the service does not have', async () => {
    await useService(`${standIn.url}/elsewhere`, apiKey);
    assert.match(await diagnose(), /\*\*First cause: Answer\. .*does not know the path \(404\)/);
  });

  it('finds a clock that is wrong', async () => {
    await useService(standIn.url, apiKey);
    const { now } = Date;
    stub(Date, 'now', () => now() + 600_000);
    assert.match(await diagnose(), /\*\*ATTENTION\*\* Clock .*\b(599|600|601) s ahead of/);
  });

  it('copies the report', async () => {
    await useService(standIn.url, apiKey);
    let copied = '';
    stub(vscode.env, 'clipboard', { writeText: async (text: string) => void (copied = text) });
    answer(/^The connection works/, 'Copy Report');
    await run('splice.service.diagnose');
    const report = copied;
    assert.match(report, /^# Splice connection report\n/);
    copied = '';
    await run('splice.service.copyReport');
    assert.equal(copied, report);
  });

  describe('over TLS', () => {
    let proxy: Proxy;
    let server: TlsServer;
    beforeEach(async () => {
      proxy = await startProxy();
      server = await startTlsServer({
        key: pem('service.key'),
        cert: pem('service.pem'),
        text: '',
      });
      await setSetting('splice.service.baseUrl', server.url);
      await typeApiKey(apiKey);
    });
    afterEach(async () => {
      for (const name of ['proxy', 'proxyStrictSSL']) await setSetting(`http.${name}`, undefined);
      tls.setDefaultCACertificates(certificates);
      await server.close();
      await proxy.close();
    });

    it('shows the certificate through a proxy, and the proxy without its login', async () => {
      tls.setDefaultCACertificates([...certificates, pem('ca.pem')]);
      proxy.login = 'canary-user:canary-pass';
      await setSetting('http.proxy', proxy.url.replace('//', `//${proxy.login}@`));
      const report = await diagnose();
      assert.match(report, new RegExp(`\\*\\*OK\\*\\* Proxy \\(\\d+ ms\\): ${proxy.url}$`, 'm'));
      assert.match(report, /\*\*OK\*\* Name resolution .*the proxy resolves it/);
      assert.match(
        report,
        /\*\*OK\*\* Certificate .*TLSv1\.3 with h2; certificate of .*valid until/,
      );
      assert.match(report, /\*\*OK\*\* Answer/);
      assert.doesNotMatch(report, /canary-/);
    });

    it('names the reason when a certificate is not trusted', async () => {
      const { lookup } = dns;
      stub(dns, 'lookup', (name: string, ...rest: unknown[]) =>
        Reflect.apply(lookup, dns, [name === 'service.test' ? '127.0.0.1' : name, ...rest]),
      );
      await setSetting('http.proxySupport', 'off');
      try {
        const report = await diagnose();
        assert.match(report, /\*\*OK\*\* Proxy .*direct/);
        assert.match(report, /\*\*FAILED\*\* Certificate .*not trusted: \w*(CERT|SIGNATURE)\w*\./);
        assert.match(report, /\*\*NOT CHECKED\*\* Answer: Not checked, because "Certificate"/);
        await message(/^First cause: Certificate\./);
        assert.deepEqual(server.requests, []);
      } finally {
        await setSetting('http.proxySupport', undefined);
      }
    });
  });
});
