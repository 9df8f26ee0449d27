import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MarkedProcess } from '../support/unit/markedProcess';

describe('a run of the window tests', () => {
  for (const signal of ['SIGINT', 'SIGKILL'] as const)
    it(`leaves no process after ${signal}`, async () => {
      // Not among the results of the run of tests that this one is part of.
      const results = mkdtempSync(path.join(tmpdir(), 'results-'));
      const script = new MarkedProcess(
        process.execPath,
        ['test/support/host/runHost.mjs', 'default'],
        { TEST_RESULTS: results, TEST_SLOTS: '1' },
      );
      const runs = (text: string) => script.running().some(line => line.includes(text));
      await script.until(() => (runs('extensionHost') && runs('chromium')) || script.hasEnded);
      assert.ok(script.running().length > 5, script.output);
      script.kill(signal);
      await script.until(() => script.running().length === 0);
    });
});
