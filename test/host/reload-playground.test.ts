// Phase 1 leaves a run with answered, unanswered and unsent calls; phase 2 is the same window after a reload.
import assert from 'node:assert/strict';
import { startStandIn } from '../service/standIn';
import { openPlayground } from './playgroundPanel';
import { answer, fileUri, readFile, useService, waitFor, writeFile } from './support';

const apiKey = 'sk-reload-playground-0123456789';
const isFirst = process.env['SPLICE_TEST_PHASE'] === '1';
const chat = 'POST /v1/chat/completions';

(isFirst ? describe : describe.skip)('a run of the Playground before a reload', () => {
  it('has an answer, and calls that wait for one', async () => {
    const standIn = await startStandIn({ apiKey });
    await useService(standIn.url, apiKey);
    await writeFile('reload.txt', 'say "1"\nsay "2"\nsay "3"\nsay "4"\nsay "5"\n');
    await writeFile('reload.json', JSON.stringify({ url: standIn.url }));
    const panel = await openPlayground();
    standIn.inject(chat, { fault: () => undefined, calls: [2, 3, 4, 5] });
    answer(/^Send 5 calls\?$/, 'Send');
    panel.send('start', {
      file: fileUri('reload.txt').toString(),
      targets: [{ value: 'model:svc-glm53flash' }],
    });
    await panel.shows(/1 of 5 answered/);
    await waitFor(
      () => standIn.requests.filter(({ route }) => route === chat).length === 3,
      'two calls without an answer',
    );
  });
});

(isFirst ? describe.skip : describe)('a run of the Playground after a reload', () => {
  it('shows what is not known, and sends nothing twice', async () => {
    const { url } = JSON.parse(await readFile('reload.json'));
    const standIn = await startStandIn({ apiKey, port: Number(new URL(url).port) });
    const prompts = () =>
      standIn.requests.flatMap(({ route, body }) =>
        route === chat ? (/say \\"(\d)\\"/.exec(JSON.stringify(body))?.[1] ?? []) : [],
      );
    try {
      const panel = await openPlayground();
      await panel.shows(/1 of 5 answered.*2 calls were sent and have no answer/s);
      assert.match(panel.html(), /not known: it was sent before the window closed/);
      assert.deepEqual(prompts(), []);
      answer(/^Send 2 calls\?$/, 'Send');
      panel.send('resume');
      await panel.shows(/3 of 5 answered.*Save Results/s);
      assert.deepEqual(prompts().toSorted(), ['4', '5']);
      // Only now, and only because the user wants it.
      panel.send('again');
      await panel.shows(/5 of 5 answered.*Save Results/s);
      assert.deepEqual(prompts().toSorted(), ['2', '3', '4', '5']);
    } finally {
      await standIn.close();
    }
  });
});
