import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Mocha from 'mocha';
import { readResults, runFile, writeDone } from '../../support/runner/report/results.mjs';

const named = (tests: readonly { title: string }[]): string[] => tests.map(({ title }) => title);

/** The run around this one has its own. */
class Silent extends Mocha.reporters.Base {
  override epilogue(): void {}
}

describe('the record of a run of tests', () => {
  let folder: string;
  let record: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'results-'));
    record = path.join(folder, 'a.jsonl');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Runs a suite that `define` fills. */
  async function run(define: (suite: Mocha.Suite) => void, grep?: string): Promise<number> {
    const mocha = new Mocha({ reporter: Silent, ...(grep === undefined ? {} : { grep }) });
    define(Mocha.Suite.create(mocha.suite, 'suite'));
    return runFile({ mocha, name: 'a.test.js', record });
  }

  it('has every test with its state and the error of those that failed', async () => {
    const failures = await run(suite => {
      suite.addTest(new Mocha.Test('passes', () => undefined));
      suite.addTest(new Mocha.Test('fails', () => assert.fail('as it should')));
      suite.addTest(new Mocha.Test('is skipped'));
    });
    writeDone(record);
    const { done, passed, failed, missing, tests, files } = readResults(record);
    assert.deepEqual([failures, done, passed, named(missing)], [1, true, 1, []]);
    assert.deepEqual(
      failed.map(({ title, error }) => [title, error]),
      [['suite fails', 'as it should']],
    );
    assert.deepEqual(
      tests.map(({ state }) => state),
      ['passed', 'failed', 'skipped'],
    );
    assert.deepEqual(
      files.map(({ file }) => file),
      ['a.test.js'],
    );
  });

  it('names the tests that a failed hook keeps from running', async () => {
    await run(suite => {
      suite.beforeEach(() => assert.fail('no service'));
      suite.addTest(new Mocha.Test('first', () => undefined));
      suite.addTest(new Mocha.Test('second', () => undefined));
    });
    const { failed, missing } = readResults(record);
    assert.equal(failed.length, 1);
    assert.match(failed[0]?.title ?? '', /"before each" hook/);
    assert.deepEqual(named(missing), ['suite first', 'suite second']);
  });

  it('keeps what a process had that was killed, and names the rest', () => {
    const lines = [
      { file: 'a.test.js', planned: ['one', 'two', 'three'] },
      { begin: 0, limitMs: 1000 },
      { end: 0, state: 'passed', ms: 3 },
      { begin: 1, limitMs: 1000 },
    ].map(line => JSON.stringify(line));
    writeFileSync(record, `${lines.join('\n')}\n{"end":1,"sta`);
    const { done, passed, missing } = readResults(record);
    assert.deepEqual([done, passed, named(missing)], [false, 1, ['two', 'three']]);
  });

  it('plans only the tests that were asked for', async () => {
    await run(suite => {
      for (const title of ['a cat', 'a dog']) suite.addTest(new Mocha.Test(title, () => undefined));
    }, 'cat');
    assert.deepEqual(named(readResults(record).tests), ['suite a cat']);
  });

  it('is empty where nothing was written', () => {
    const { done, passed, tests } = readResults(record);
    assert.deepEqual([done, passed, tests], [false, 0, []]);
  });
});
