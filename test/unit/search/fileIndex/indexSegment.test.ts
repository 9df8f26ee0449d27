import assert from 'node:assert/strict';
import { array, assert as check, property, stringMatching } from 'fast-check';
import type { IndexSegment } from '../../../../src/search/fileIndex/indexSegment';
import { segmentOf } from './segmentOf';

/** How often the files of a segment have parts that begin with a prefix, by path. */
function filesWith(segment: IndexSegment, prefix: string): Record<string, number> {
  const found: Record<string, number> = {};
  const [from, to] = segment.beginningWith(Buffer.from(prefix));
  for (let part = from; part < to; part++) {
    segment.filesWith(part, (file, times) => {
      const { path } = segment.files[file] ?? assert.fail();
      found[path] = (found[path] ?? 0) + times;
    });
  }
  return found;
}

describe('a segment of an index', () => {
  const segment = segmentOf({
    'a.ts': 'open openFile opened',
    'b.ts': 'file files close',
    'empty.ts': '',
    'c.ts': `${'file '.repeat(300)}ope`,
  });

  it('has the files with words that begin with a text, and how often', () => {
    assert.deepEqual(filesWith(segment, 'open'), { 'a.ts': 3 });
    assert.deepEqual(filesWith(segment, 'op'), { 'a.ts': 3, 'c.ts': 1 });
    assert.deepEqual(filesWith(segment, 'file'), { 'a.ts': 1, 'b.ts': 2, 'c.ts': 300 });
    assert.deepEqual(filesWith(segment, 'close'), { 'b.ts': 1 });
  });

  for (const [text, parts] of [
    ['open', 1],
    ['ope', 1],
    ['opened', 1],
    ['files', 1],
    ['op', 0],
    ['opene', 0],
    ['zz', 0],
    ['', 0],
  ] as const) {
    it(`has ${parts} parts that are ${JSON.stringify(text)}`, () => {
      const [from, to] = segment.equalTo(Buffer.from(text));
      assert.equal(to - from, parts);
    });
  }

  it('has nothing for other texts, at both ends of the list too', () => {
    for (const prefix of ['closes', 'aa', 'zz', 'pen']) {
      assert.deepEqual(filesWith(segment, prefix), {}, prefix);
    }
  });

  it('knows the stamps of its files, those without words among them', () => {
    assert.deepEqual(
      segment.files.map(({ path, stamp }) => `${path}: ${stamp}`),
      ['a.ts', 'b.ts', 'empty.ts', 'c.ts'].map(path => `${path}: stamp of ${path}`),
    );
  });

  it('counts as a search through the texts does', () => {
    const word = stringMatching(/^[ab]{2,4}$/);
    const text = array(word, { maxLength: 30 });
    check(
      property(array(text, { maxLength: 8 }), stringMatching(/^[ab]{1,3}$/), (all, prefix) => {
        const made = segmentOf(
          Object.fromEntries(all.map((words, at) => [`${at}.ts`, words.join(' ')])),
        );
        const counts = all.map(words => words.filter(one => one.startsWith(prefix)).length);
        const expected = counts.flatMap((count, at) => (count > 0 ? [[`${at}.ts`, count]] : []));
        assert.deepEqual(filesWith(made, prefix), Object.fromEntries(expected));
      }),
    );
  });

  it('has room for any number of words', () => {
    const words = Array.from({ length: 20_000 }, (_, at) => `w${at.toString(36)}`);
    const many = segmentOf({ 'a.ts': words.join(' '), 'b.ts': words.slice(9000).join(' ') });
    const counts = filesWith(many, 'w');
    assert.equal(
      counts['b.ts'],
      filesWith(segmentOf({ 'b.ts': words.slice(9000).join(' ') }), 'w')['b.ts'],
    );
    assert.ok((counts['a.ts'] ?? 0) > (counts['b.ts'] ?? 0));
  });

  it('counts up to 1,023 times', () => {
    assert.deepEqual(filesWith(segmentOf({ 'a.ts': 'word '.repeat(5000) }), 'word'), {
      'a.ts': 1023,
    });
  });
});
