import assert from 'node:assert/strict';
import {
  findPhrases,
  indexedText,
  parseHistoryQuery,
} from '../../../../src/compact/historySearch/query';

const queryOf = (typed: string) => parseHistoryQuery(typed) ?? assert.fail(`no query: ${typed}`);
const lineOf = (text: string, typed: string) => findPhrases(text, queryOf(typed));

describe('a query of chat histories', () => {
  for (const [typed, match] of [
    ['retry budget', '"retry"* AND "budget"*'],
    ['"retry budget"', '"retry" AND "budget"*'],
    ['retry_budget.ts', '"retry" AND "budget" AND "ts"'],
    ['an if', '"an" AND "if"'],
    ['Über naïve', '"über"* AND "naïve"*'],
    ['"not closed', '"not" AND "closed"*'],
    ['検索 OR NEAR(', '"検" AND "索" AND "or" AND "near"'],
    ['a AND "b" NOT c*', '"a" AND "and"* AND "b" AND "not"* AND "c"'],
  ] as const) {
    it(`asks the index for the words of ${typed}`, () => {
      assert.equal(queryOf(typed).match, match);
    });
  }

  it('needs a word', () => {
    for (const typed of ['', '  ', '=> {}', '""', '"', '😀']) {
      assert.equal(parseHistoryQuery(typed), undefined, typed);
    }
  });

  it('is read from the first 500 characters', () => {
    const typed = `${'x'.repeat(498)} yes`;
    assert.deepEqual(queryOf(typed).phrases, ['x'.repeat(498), 'y']);
  });

  it('has no empty phrases, but may have blanks in one', () => {
    assert.deepEqual(queryOf('a "  " "b  c" ""').phrases, ['a', 'b  c']);
  });

  it('takes a long text in time, and no more than the index can', () => {
    const typed = 'word '.repeat(100_000);
    assert.deepEqual([...new Set(queryOf(typed).phrases)], ['word']);
    assert.ok(queryOf(Array.from({ length: 500 }, (_, n) => n).join(' ')).phrases.length <= 20);
  });

  it('separates characters of scripts without spaces, for the index', () => {
    assert.equal(indexedText('abc検索 x'), 'abc 検  索  x');
  });
});

describe('the line that is shown of a message', () => {
  const text = 'The queue is slow.\n  const budget = 3;\nWe retry with a budget.\r\nEnd';

  it('is the one with most of the words', () => {
    assert.deepEqual(lineOf(text, 'retry budget'), {
      line: 2,
      text: 'We retry with a budget.',
      whole: 'We retry with a budget.',
    });
    assert.equal(lineOf(text, 'queue retry')?.line, 0);
    assert.equal(lineOf(text, 'we')?.line, 2);
    // The first line with one of the words is not the one with both.
    assert.equal(lineOf(text, 'budget retry')?.line, 2);
  });

  it('has to be in a message with all words, and with phrases as they are typed', () => {
    assert.equal(lineOf(text, 'budget missing'), undefined);
    assert.equal(lineOf(text, '"const budget"')?.line, 1);
    assert.equal(lineOf(text, '"budget const"'), undefined);
    assert.equal(lineOf(text, 'BUDGET = END')?.line, 1);
  });

  it('is the first one of a phrase with several', () => {
    assert.deepEqual(lineOf(text, '"budget = 3;\nWe"'), {
      line: 1,
      text: 'const budget = 3;',
      whole: 'const budget = 3;',
    });
  });

  it('is cut around the words where it is long', () => {
    const long = `${'a '.repeat(500)}needle${' b'.repeat(500)}`;
    const found = lineOf(`first\n${long}`, 'needle') ?? assert.fail('not found');
    assert.equal(found.line, 1);
    assert.match(found.text, /^…[^]*needle[^]*…$/);
    assert.ok(found.text.length < 170 && found.whole.length === 999);
  });

  it('is whole where it has 160 characters, and shows a third of them before the words', () => {
    const shown = (before: number, after: number): string | undefined =>
      lineOf(`${'a'.repeat(before)} needle${'b'.repeat(after)}`, 'needle')?.text;
    assert.equal(shown(20, 133), `${'a'.repeat(20)} needle${'b'.repeat(133)}`);
    assert.equal(shown(20, 134), `${'a'.repeat(20)} needle${'b'.repeat(133)}…`);
    assert.match(shown(100, 10) ?? '', /^…a{53} needleb{10}$/);
    assert.equal(lineOf('   needle   ', 'needle')?.text, 'needle');
  });

  it('is the first of several that are as good', () => {
    const lines = 'one needle\ntwo needle';
    assert.deepEqual(lineOf(lines, 'needle'), { line: 0, text: 'one needle', whole: 'one needle' });
    assert.equal(lineOf('needle at once', 'needle')?.line, 0);
  });

  it('is found in text whose lower case is longer', () => {
    assert.equal(lineOf('İİİ\nneedle', 'needle')?.line, 0);
  });
});
