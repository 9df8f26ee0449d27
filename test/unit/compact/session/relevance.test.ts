import assert from 'node:assert/strict';
import { lineStartsOf } from '../../../../src/compact/core/ranges';
import { relevanceOf, wordBaseOf } from '../../../../src/compact/session/relevance';

/** The lines, the most relevant one first. */
function ranked(lines: readonly string[], query: string): string[] {
  const text = `${lines.join('\n')}\n`;
  const relevance = relevanceOf(text, lineStartsOf(text), query);
  assert.ok(relevance);
  return lines
    .map((line, at) => ({ line, worth: relevance[at] ?? 0 }))
    .filter(({ worth }) => worth > 0)
    .toSorted((a, b) => b.worth - a.worth)
    .map(({ line }) => line);
}

describe('the relevance of lines', () => {
  const other = Array.from({ length: 20 }, (_, at) => `some other line with number ${at}`);

  it('is that of rare words, whatever their ending and case', () => {
    const lines = [...other, 'The upload FAILED because of a timeout.', ...other];
    assert.equal(ranked(lines, 'Why do uploads fail?')[0], lines[20]);
  });

  it('finds the words within identifiers, and identifiers by their words', () => {
    const named = 'func findSessionsForWorktree(path string)';
    assert.equal(ranked([...other, named, ...other], 'find the sessions of a worktree')[0], named);
    const said = 'it looks for a worktree';
    assert.equal(ranked([...other, said, ...other], 'what calls open_worktree()')[0], said);
  });

  it('reaches the lines around a match', () => {
    const lines = [...other, 'before', 'needle', 'after', ...other];
    assert.deepEqual(ranked(lines, 'needle').slice(0, 3).toSorted(), ['after', 'before', 'needle']);
  });

  it('is unknown for a query of common words', () => {
    assert.equal(relevanceOf('a\nb\n', Int32Array.of(0, 2, 4), 'what is it?'), undefined);
    assert.equal(relevanceOf('', Int32Array.of(0), '…'), undefined);
  });

  it('takes any query and any text', () => {
    const long = `${'word '.repeat(30_000)}needle`;
    assert.deepEqual([...(relevanceOf(long, lineStartsOf(long), 'needle') ?? [])], [0]);
    assert.deepEqual(ranked(['größe', 'x'], 'Größe')[0], 'größe');
    assert.deepEqual(ranked(['日本', 'x'], '日本')[0], '日本');
  });
});

describe('the base of a word', () => {
  it('is the same for its common forms', () => {
    for (const forms of [
      ['fail', 'fails', 'failed', 'failing'],
      ['stop', 'stops', 'stopped', 'stopping'],
      ['entry', 'entries'],
      ['cache', 'caches', 'cached'],
    ]) {
      assert.equal(new Set(forms.map(wordBaseOf)).size, 1, forms.map(wordBaseOf).join(' '));
    }
    for (const word of ['as', 'bed', 'red', '238']) assert.equal(wordBaseOf(word), word);
  });
});
