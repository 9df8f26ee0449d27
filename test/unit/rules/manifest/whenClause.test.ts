import assert from 'node:assert/strict';
import { isTrue, keysOf } from '../../../support/whenClause';

describe('when clauses in tests', () => {
  const context = { isMac: true, scheme: 'file', count: 2, name: 'a.md', empty: '' };
  const cases: [when: string, expected: boolean][] = [
    ['isMac', true],
    ['!isMac || (count == 2 && scheme != git)', true],
    ['!(isMac && other)', true],
    ['other', false],
    ['other || isMac && other', false],
    ["empty == ''", true],
    ["other == ''", false],
    ['other != x', true],
    ['name =~ /^a\\.(md|txt)$/', true],
    ['name =~ /^A/', false],
    ['name =~ /^A/i', true],
    ['false || true', true],
  ];
  for (const [when, expected] of cases)
    it(`${when} is ${expected}`, () => assert.equal(isTrue(when, context), expected));

  it('name every key that they ask for', () => {
    assert.deepEqual(keysOf('!a || (b == c && d =~ /e f/)'), ['a', 'b', 'd']);
  });

  it('are refused where they cannot be read', () => {
    for (const when of ['(a', 'a b', 'a = b', '']) assert.throws(() => isTrue(when, {}), when);
  });
});
