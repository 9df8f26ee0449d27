import assert from 'node:assert/strict';
import { print } from './print';
import {
  activePreview,
  closeAll,
  openFile,
  run,
  setClipboard,
  waitFor,
  writeFile,
} from './support';

describe('a review of 10,000 lines with 300 changes', () => {
  afterEach(closeAll);

  it('opens, accepts one and accepts all without losing a line', async () => {
    const before = Array.from({ length: 10_000 }, (_, i) => `call_${i}(${i * 7}, "value ${i}");`);
    const after = before.map((line, i) => (i % 33 === 0 && i < 9900 ? `changed_${i}();` : line));
    await writeFile('large.go', `${before.join('\n')}\n`);
    const { document } = await openFile('large.go');
    await setClipboard(`${after.join('\n')}\n`);

    const opened = await timed(async () => {
      await run('splice.apply.clipboard');
      await waitFor(activePreview, 'the review');
    });
    const one = await timed(() => run('splice.apply.acceptChange'));
    assert.match(document.getText(), /^changed_0\(\);/);
    const all = await timed(() => run('splice.apply.acceptAll'));
    assert.equal(document.getText(), `${after.join('\n')}\n`);
    print(`      open ${opened} ms, accept one ${one} ms, accept all ${all} ms\n`);
  });
});

async function timed(task: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await task();
  return Math.round(performance.now() - start);
}
