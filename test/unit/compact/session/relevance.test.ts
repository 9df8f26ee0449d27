import assert from 'node:assert/strict';
import * as fc from 'fast-check';
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

const run = (length: number): string => `needle_${'x'.repeat(length - 7)}`;

/** What BM25 says of lines of plain words, with the shares of their neighbours. */
function expectedOf(lines: readonly string[], terms: readonly string[]): number[] {
  const words = lines.map(line => line.split(' ').filter(word => word !== ''));
  const mean = Math.max(1, words.flat().length / lines.length);
  const own = words.map(line =>
    terms
      .filter(term => line.includes(term))
      .map(term => {
        const having = words.filter(each => each.includes(term)).length;
        const times = line.filter(word => word === term).length;
        const rarity = Math.log(1 + (lines.length - having + 0.5) / (having + 0.5));
        const length = 0.4 + (0.6 * line.length) / mean;
        return (rarity * times * 2.2) / (times + 1.2 * length);
      })
      .reduce((sum, each) => sum + each, 0),
  );
  const at = (line: number): number => own[line] ?? 0;
  return lines.map(
    (_, line) =>
      at(line) + 0.35 * (at(line - 1) + at(line + 1)) + 0.15 * (at(line - 2) + at(line + 2)),
  );
}

const shown = (values: Iterable<number>): string[] => Array.from(values, value => value.toFixed(4));

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

  it('is that of BM25, with shares for two lines on either side', () => {
    const lines = [
      'alpha beta',
      'none',
      'beta',
      'beta beta gamma and some more words of no meaning',
      'none',
      'none',
      'none',
      'alpha',
      'alpha delta',
    ];
    const text = `${lines.join('\n')}\n`;
    const expected = expectedOf(lines, ['alpha', 'beta', 'gamma']);
    assert.deepEqual(
      shown(relevanceOf(text, lineStartsOf(text), 'gamma or alpha, the beta') ?? []),
      shown(expected),
    );
  });

  it('is the same for the same words in any order, in few lines and in many', () => {
    const word = fc.constantFrom('alpha', 'beta', 'gamma', 'none', 'x');
    const line = fc.array(word, { maxLength: 7 }).map(words => words.join(' '));
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 12 }), lines => {
        const text = `${lines.join('\n')}\n`;
        assert.deepEqual(
          shown(relevanceOf(text, lineStartsOf(text), 'gamma, alpha, beta') ?? []),
          shown(expectedOf(lines, ['alpha', 'beta', 'gamma'])),
        );
      }),
      { numRuns: 60 },
    );
  });

  it('does not depend on capitals, in the text or in the query', () => {
    for (const line of ['worktree', 'Worktree', 'WORKTREE', 'wOrktree'])
      for (const query of ['worktree', 'Worktree', 'WORKTREE'])
        assert.equal(ranked([...other, line], query)[0], line, `${line}, ${query}`);
  });

  it('counts words apart that signs separate', () => {
    for (const line of [
      'a:needle;b',
      'a[needle]b',
      '{needle}',
      '`needle`',
      'a/needle.b',
      '0@needle',
    ])
      assert.equal(ranked([...other, line], 'needle')[0], line, line);
    assert.deepEqual(ranked(['xneedle', '9needle', 'zneedle', 'Zneedle', '0needle'], 'needle'), []);
  });

  it('counts a word once that is written in capitals or in one hump', () => {
    for (const line of ['ABÉ x', 'Worktree x', 'WORKTREE x', '_worktree x'])
      assert.deepEqual(
        shown(relevanceOf(line, lineStartsOf(line), 'abé worktree') ?? []),
        shown(expectedOf(['worktree x'], ['worktree'])),
        line,
      );
  });

  it('is that of the first 20,000 characters of a query', () => {
    const late = `${'x '.repeat(9999)}  needle`;
    assert.equal(relevanceOf('needle\n', lineStartsOf('needle\n'), late), undefined);
    assert.equal(ranked(['needle', 'none'], `${'x '.repeat(9997)}needle`)[0], 'needle');
  });

  it('is found for a word that is itself the base of another', () => {
    assert.equal(ranked([...other, 'full speed'], 'speeding')[0], 'full speed');
  });

  it('counts a word of an identifier where it begins', () => {
    for (const [line, query] of [
      ['openWorktree()', 'worktree'],
      ['open_worktree()', 'worktree'],
      ['_worktree', 'worktree'],
      ['HTTPServer', 'server'],
      ['AServer', 'server'],
      ['ZServer', 'server'],
      ['XMLArray', 'array'],
      ['dataSource', 'source'],
      ['bufferZone', 'zone'],
      ['x2', 'x2'],
      ['über_größe', 'größe'],
    ] as const) {
      assert.equal(ranked([...other, line], query)[0], line, line);
    }
    assert.deepEqual(ranked(['subworktree', 'worktrees'], 'worktree')[0], 'worktrees');
    assert.deepEqual(ranked(['subworktree', 'none'], 'worktree'), []);
  });

  it('is not looked for in what is too long for a word', () => {
    assert.deepEqual(ranked([run(81), 'none'], 'needle'), []);
    assert.deepEqual(ranked([run(80), 'none'], 'needle')[0], run(80));
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
      ['tree', 'trees'],
      ['cache', 'caches', 'cached'],
    ]) {
      assert.equal(new Set(forms.map(wordBaseOf)).size, 1, forms.map(wordBaseOf).join(' '));
    }
    assert.equal(wordBaseOf('actions'), wordBaseOf('action'));
    assert.equal(wordBaseOf('quickly'), 'quick');
    assert.equal(wordBaseOf('trees'), 'tree');
    assert.equal(wordBaseOf('runs'), 'run');
    assert.equal(wordBaseOf('agrees'), 'agree');
    assert.equal(wordBaseOf('vetoed'), 'veto');
    for (const word of ['as', 'bed', 'red', 'used', '238']) assert.equal(wordBaseOf(word), word);
  });
});
