import assert from 'node:assert/strict';
import {
  changedChars,
  exclusionOf,
  paragraphAt,
  type WatchedFile,
  watchLimits,
} from '../../../../src/reflex/indicator/watchedText';

/** The paragraph at a place; no line beyond the ends is asked for. */
const take = (lines: readonly string[], line: number, character = 0) =>
  paragraphAt(n => lines[n] ?? assert.fail(`no line ${n}`), lines.length, { line, character });

describe('what is watched', () => {
  const notes: WatchedFile = {
    scheme: 'file',
    path: 'docs/notes.md',
    languageId: 'markdown',
    isPrivate: false,
    isIgnored: false,
    isWanted: true,
  };
  for (const [name, change, wanted] of [
    ['a file of prose', {}, undefined],
    ['source code, whatever the settings name', { languageId: 'typescript' }, 'kind'],
    ['a dotenv file', { languageId: 'dotenv', isPrivate: true }, 'private'],
    ['a private name in a wanted language', { isPrivate: true }, 'private'],
    ['a file that no glob names', { isWanted: false }, 'kind'],
    ['an ignored file', { isIgnored: true }, 'ignored'],
    ['an untitled file', { scheme: 'untitled' }, 'place'],
    ['a file of another computer', { scheme: 'vscode-vfs' }, 'place'],
    ['a file outside of the workspace', { path: undefined }, 'place'],
  ] as const)
    it(`${name}: ${wanted ?? 'watched'}`, () =>
      assert.equal(exclusionOf({ ...notes, ...change }), wanted));

  it('takes the paragraph at the cursor, and no more than the limit', () => {
    const lines = ['# Title', '', 'one', 'two', 'three', ' ', 'four'];
    const at = (line: number) =>
      paragraphAt(n => lines[n] ?? '', lines.length, { line, character: 0 });
    assert.equal(at(3), 'one\ntwo\nthree');
    assert.equal(at(2), 'one\ntwo\nthree');
    assert.equal(at(1), '');
    assert.equal(at(6), 'four');
    const wide = paragraphAt(() => 'x'.repeat(900), 100, { line: 50, character: 0 });
    assert.equal(wide.length, 8 * 901 - 1);
    const one = paragraphAt(() => 'y'.repeat(20_000), 1, { line: 0, character: 19_000 });
    assert.equal(one.length, watchLimits.maxChars);
  });

  it('watches every language of prose, and no other', () => {
    const prose = 'markdown plaintext prompt instructions chatagent chatmode skill mdx';
    for (const languageId of [...prose.split(' '), 'restructuredtext', 'asciidoc', 'latex'])
      assert.equal(exclusionOf({ ...notes, languageId }), undefined, languageId);
    for (const languageId of ['', 'json', 'Markdown'])
      assert.equal(exclusionOf({ ...notes, languageId }), 'kind', languageId);
  });

  it('takes lines up to the limit exactly, those above first', () => {
    const most = watchLimits.maxChars;
    const half = 'x'.repeat(most / 2);
    assert.equal(take([half, half.slice(1)], 0).length, most);
    assert.equal(take([half, half], 0), half);
    assert.equal(take(['above', half, half.slice(6), 'below'], 1), `above\n${half}`);
    assert.equal(take(['above', half, half.slice(7), 'below'], 1).length, most);
    const whole = 'y'.repeat(most);
    assert.equal(take([whole, 'z'], 0), whole);
    const long = Array.from({ length: 3 * most }, (_, n) => String(n % 10)).join('');
    for (const [character, from] of [
      [0, 0],
      [most, most / 2],
      [3 * most, 2 * most],
    ] as const)
      assert.equal(take([long], 0, character), long.slice(from, from + most), `at ${character}`);
  });

  for (const [before, after, wanted] of [
    ['', 'abc', 3],
    ['ab', 'xb', 1],
    ['ab', 'ax', 1],
    ['xaax', 'xaaax', 1],
    ['abc', 'abc', 0],
    ['a whole line', 'a small whole line', 6],
    ['aaaa', 'aa', 2],
    ['start mid end', 'start other end', 5],
  ] as const)
    it(`counts ${wanted} changed characters from "${before}" to "${after}"`, () =>
      assert.equal(changedChars(before, after), wanted));
});
