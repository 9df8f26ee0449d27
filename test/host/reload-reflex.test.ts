// Phase 1 leaves a batch whose upload has no answer; phase 2 is the same window after a reload.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { startStandIn } from '../service/standIn';
import {
  answer,
  fileUri,
  message,
  readFile,
  run,
  stub,
  useService,
  waitFor,
  writeFile,
} from './support';

const apiKey = 'sk-reload-reflex-0123456789';
const isFirst = process.env['SPLICE_TEST_PHASE'] === '1';
const upload = 'POST /v1/reflex/asynchronous_batches/upload';

(isFirst ? describe : describe.skip)('a batch before a reload', () => {
  it('is sent, and gets no answer', async () => {
    const standIn = await startStandIn({ apiKey });
    await useService(standIn.url, apiKey);
    await writeFile('reload.txt', 'Hello there\nThank you!\n');
    standIn.inject(upload, { fault: () => undefined });
    stub(vscode.window, 'showQuickPick', async (rows: unknown[]) => rows[0]);
    stub(vscode.window, 'createQuickPick', () => {
      const accepted = new vscode.EventEmitter<void>();
      const never = new vscode.EventEmitter<void>().event;
      return {
        items: [],
        selectedItems: [{ label: 'jailbreak', reflex: 'jailbreak' }],
        onDidAccept: accepted.event,
        onDidHide: never,
        onDidTriggerItemButton: never,
        hide: () => undefined,
        show() {
          setTimeout(() => {
            this.selectedItems = [{ label: 'jailbreak', reflex: 'jailbreak' }];
            accepted.fire();
          });
        },
      };
    });
    answer(/^Classify 2 rows/, 'Send');
    await run('splice.reflex.batch', fileUri('reload.txt'));
    const request = await waitFor(
      () => standIn.requests.find(({ route }) => route === upload),
      'the upload',
    );
    const key = request.headers['idempotency-key'];
    await writeFile('reload.json', JSON.stringify({ url: standIn.url, key }));
  });
});

(isFirst ? describe.skip : describe)('a batch after a reload', () => {
  it('goes on with the same key, and writes its results', async () => {
    const { url, key } = JSON.parse(await readFile('reload.json'));
    const standIn = await startStandIn({ apiKey, speed: 300, port: Number(new URL(url).port) });
    try {
      // It goes on by itself, as soon as the service can be reached.
      await message(/^2 rows of reload\.txt done\.$/);
      const uploads = standIn.requests.filter(({ route }) => route === upload);
      assert.deepEqual(
        uploads.map(({ headers }) => headers['idempotency-key']),
        [key],
      );
      const lines = (await readFile('reload.reflex.csv')).split('\n');
      assert.match(lines[1] ?? '', /^Hello there,benign,0\.\d+,$/);
    } finally {
      await standIn.close();
    }
  });
});
