import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import * as vscode from 'vscode';
import { endpointsView } from '../../src/endpoints/ids';
import { notifyWait } from '../../src/platform/client/waitListener';
import { withProgress } from '../../src/platform/progress';
import { ServiceError } from '../../src/service/errors';
import { type StandIn, startStandIn } from '../service/standIn';
import { asRead } from './asRead';
import { rowTree } from './rowTree';
import { forgetService, messages, run, stub, useService, waitFor } from './support';

const apiKey = 'sk-waiting-test-0123456789';
const tree = rowTree(endpointsView);
const nextTry = /The service limits the rate of requests\. Next try at \d\d:\d\d:\d\d\./;

describe('waits for the network service', () => {
  let standIn: StandIn;
  beforeEach(async () => {
    standIn = await startStandIn({ apiKey });
    await useService(standIn.url, apiKey);
  });
  afterEach(async () => {
    await forgetService();
    await standIn.close();
  });
  after(() => tree.hide());

  it('are said in the view that reads, until the answer has come', async () => {
    await run(`${endpointsView}.focus`);
    await tree.children();
    await run('splice.endpoints.refresh');
    standIn.inject('GET /api/v1/dedicated/endpoints', {
      times: 1,
      fault: (response: ServerResponse) => {
        response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '2' });
        response.end('{"error":"slow down"}');
      },
    });
    const reading = run('splice.endpoints.refresh');
    await waitFor(() => nextTry.test(tree.message()), 'the wait in the view');
    await reading;
    assert.equal(tree.message(), '');
    assert.deepEqual(messages(), []);
  });

  it('are said in the notification of a task, also one that appears later', async () => {
    const shown: (string | undefined)[] = [];
    stub(
      vscode.window,
      'withProgress',
      async (
        _: vscode.ProgressOptions,
        task: (
          progress: vscode.Progress<{ message?: string }>,
          token: vscode.CancellationToken,
        ) => Promise<unknown>,
      ) =>
        task(
          { report: ({ message }) => void shown.push(asRead(message)) },
          new vscode.CancellationTokenSource().token,
        ),
    );
    let finish: (() => void) | undefined;
    const task = withProgress('Testing', async () => {
      notifyWait({
        retryAt: Date.now() + 1500,
        error: new ServiceError('rateLimited', 'slow down'),
      });
      await new Promise<void>(resolve => (finish = resolve));
    });
    await waitFor(() => shown.length > 0, 'the notification');
    assert.match(shown[0] ?? '', nextTry);
    await waitFor(() => shown.includes('Trying again'), 'the end of the wait');
    finish?.();
    await task;
  });
});
