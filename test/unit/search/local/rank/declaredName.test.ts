import assert from 'node:assert/strict';
import { noHistory } from '../../../../../src/search/local/history';
import type { FileKind } from '../../../../../src/search/local/paths';
import { TermFinder } from '../../../../../src/search/local/query/termFinder';
import { termsOf } from '../../../../../src/search/local/query/terms';
import { declaredNameShare } from '../../../../../src/search/local/rank/declaredName';
import { TextReader } from '../../../../../src/search/local/text/fileText';

describe('the share of a query in one declared name', () => {
  const terms = termsOf('retry budget of uploads');
  const shares = terms.map(() => 1 / terms.length);

  function shareOf(text: string, kind: FileKind = 'source'): number {
    const facts = new TextReader(terms, new TermFinder(terms)).read(text, 'a.ts');
    const candidate = {
      root: 0,
      path: 'a.ts',
      kind,
      counts: new Float32Array(terms.length),
      inName: [],
      nameCoverage: 0,
      inFolder: [],
      typed: 0,
      tests: 0,
      score: 0,
    };
    return declaredNameShare({ candidate, text: facts, history: noHistory }, shares);
  }

  const cases: [text: string, share: number][] = [
    ['function uploadRetryBudget() {}', 1],
    ['function retryBudget() {}', 2 / 3],
    ['function retry() {}', 1 / 3],
    // Half of the name is something else.
    ['function retryLater() {}', 1 / 12],
    // A call and a mention declare nothing, nor do parameters.
    ['retryBudget(uploads);', 0],
    ['function open(retryBudget: Uploads) {}', 0],
    // Names are not added up.
    ['function retry() {}\nfunction budget() {}\nfunction uploads() {}', 1 / 3],
    ['', 0],
  ];
  for (const [text, share] of cases)
    it(`is ${share.toFixed(2)} in ${text.slice(0, 40)}`, () => {
      assert.ok(Math.abs(shareOf(text) - share) < 1e-6, `${shareOf(text)}`);
    });

  it('is nothing in an example of a document', () => {
    assert.equal(shareOf('function uploadRetryBudget() {}', 'docs'), 0);
  });
});
