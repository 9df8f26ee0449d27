import assert from 'node:assert/strict';
import { lineMark, type Scan, scan } from '../../../../../src/compact/core/scan/scan';
import { queryMatch, tokenKind } from '../../../../../src/compact/core/scan/tokenTable';
import { findSegments } from '../../../../../src/compact/core/segments/findSegments';
import { speakerBit } from '../../../../../src/compact/core/segments/segment';

const kindNames = new Map(Object.entries(tokenKind).map(([name, kind]) => [kind as number, name]));
const read = (text: string, query = ''): Scan => scan(text, findSegments(text), query);

/** The kinds of the tokens of a line, in their order. */
function kindsIn(line: string): string[] {
  const { tokens, tokenTotal, kinds } = read(line);
  return [...tokens.subarray(0, tokenTotal)].map(token => kindNames.get(kinds[token] ?? 0) ?? '');
}

const marksOf = (text: string, mark: number): number[] =>
  [...read(text).marks.subarray(0, read(text).count)].flatMap((bits, at) =>
    (bits & mark) === 0 ? [] : [at],
  );

describe('the tokens of a line', () => {
  const cases: [line: string, kinds: string[]][] = [
    ['plain words only here', []],
    ['readHeader', ['name']],
    ['read_header', ['name']],
    ['Reader2', ['name']],
    ['MAX_SIZE', ['name']],
    ['Header', []],
    ['x1', []],
    ['42', []],
    ['420', ['number']],
    ['fa9c0d3', ['hex']],
    ['fa9c0g3', ['name']],
    ['some-words', ['compound']],
    ['1.20.3', ['compound']],
    ['a.b', []],
    ['socket.close', ['compound']],
    ['src/wire/header.ts', ['compound', 'path']],
    ['/etc', []],
    ['./todo', ['path']],
    ['--flag', ['path']],
    ['-flag', []],
    ['C:\\dir\\file', ['path']],
  ];
  for (const [line, kinds] of cases)
    it(`of ${line}`, () => assert.deepEqual(kindsIn(line).toSorted(), kinds.toSorted()));

  it('are the same for the same name', () => {
    const { tokens } = read('readHeader\nopenSocket readHeader\n');
    assert.equal(tokens[0], tokens[2]);
    assert.notEqual(tokens[0], tokens[1]);
  });

  it('are counted, however many there are', () => {
    const names = Array.from({ length: 5000 }, (_, at) => `name_${at}`);
    const { tokenCount, tokenTotal, tokenStarts, count } = read(
      `${names.join('\n')}\n${names.join(' ')}\n`,
    );
    assert.deepEqual([tokenCount, count], [5000, 5001]);
    assert.equal(tokenStarts[5000], 5000);
    assert.ok(tokenTotal > 5000 && tokenTotal <= 10_000);
  });
});

describe('the query', () => {
  it('names tokens and plain words', () => {
    const { tokens, queryMatches, kinds } = read(
      'readHeader\nboiler\nopenSocket\n',
      'the boiler of readHeader',
    );
    assert.equal(queryMatches[tokens[0] ?? -1], queryMatch.token);
    assert.equal(queryMatches[tokens[1] ?? -1], queryMatch.word);
    assert.equal(kinds[tokens[1] ?? -1], tokenKind.word);
    assert.equal(queryMatches[tokens[2] ?? -1], queryMatch.none);
  });

  it('has words from three letters on', () => {
    assert.equal(read('it is so\n', 'it is so').tokenTotal, 0);
    assert.equal(read('the end\n', 'the end').tokenTotal, 2);
  });
});

const long = (end: string): string => `${'x'.repeat(20_000)}${end.repeat(500)}\n`;

describe('the marks of lines', () => {
  it('tell lines that may say where an output was saved', () => {
    const text = 'Full output saved to: /tmp/a\nplain\nthe complete log: ~/b\nunsaved fully\n';
    assert.deepEqual(marksOf(text, lineMark.output), [0, 2]);
  });

  it('find errors in any common spelling', () => {
    const text = 'Error: x\nERROR\nit failed\nerrand\nTypeError: y\nfine\n';
    assert.deepEqual(marksOf(text, lineMark.error), [0, 1, 2]);
    assert.deepEqual(marksOf('typeerror\nTYPEERROR\n', lineMark.error), [0, 1]);
  });

  it('find blank lines and fences with what is between', () => {
    const text = 'a\n\n \t\n```ts\ncode\n```\nb\n';
    assert.deepEqual(marksOf(text, lineMark.blank), [1, 2]);
    assert.deepEqual(marksOf(text, lineMark.fence), [3, 5]);
    assert.deepEqual(marksOf(text, lineMark.fenced), [3, 4]);
  });

  it('close a block that a message left open', () => {
    const text = '## User\n```\ncode\n## Assistant\nwords\n## User\nx\n## Assistant\ny\n';
    assert.ok(!marksOf(text, lineMark.fenced).includes(4), marksOf(text, lineMark.fenced).join());
  });

  it('find headers, turns and who speaks', () => {
    const text = '## User\none\n\n## Assistant\ntwo\n## Tool result\nthree\n';
    assert.deepEqual(marksOf(text, lineMark.header), [0, 3, 5]);
    assert.deepEqual(marksOf(text, lineMark.turn), [0, 3]);
    const { user, assistant, tool } = speakerBit;
    assert.deepEqual(
      [...read(text).speakers.subarray(0, 7)],
      [user, user, user, assistant, assistant, tool, tool],
    );
  });

  it('tell the same and alike lines by their hashes', () => {
    const { lineHashes, shapeHashes, count } = read(
      'run 1 of 20\n  run 1 of 20\nrun 12 of 20\nrun x\n\n',
    );
    assert.equal(count, 5);
    assert.equal(lineHashes[0], lineHashes[1]);
    assert.notEqual(lineHashes[0], lineHashes[2]);
    assert.equal(shapeHashes[0], shapeHashes[2]);
    assert.notEqual(shapeHashes[0], shapeHashes[3]);
    assert.deepEqual([lineHashes[4], shapeHashes[4]], [0, 0]);
    const ends = read(long('a') + long('b') + long('a'));
    assert.equal(ends.lineHashes[0], ends.lineHashes[2]);
    assert.notEqual(ends.lineHashes[0], ends.lineHashes[1]);
  });
});

describe('the tags around what is kept in any case', () => {
  const filling = 'word '.repeat(10_000);
  for (const { text, mayHaveTags } of [
    { text: 'plain\n', mayHaveTags: false },
    { text: `keep context\n${filling}\n`, mayHaveTags: false },
    { text: 'a <keepContext> b\n', mayHaveTags: true },
    { text: `x\n${filling}<keepContext>\n`, mayHaveTags: true },
  ])
    it(`${mayHaveTags ? 'are' : 'are not'} in ${text.slice(0, 18).trim()}`, () => {
      assert.equal(read(text).mayHaveTags, mayHaveTags);
    });
});

describe('a text that is longer than what is read at a time', () => {
  it('has the same lines as each of them alone', () => {
    const lines = Array.from(
      { length: 9000 },
      (_, at) => `line ${at} of src/a${at % 90}.ts, é ${at}`,
    );
    const { count, lineHashes, shapeHashes } = read(`${lines.join('\n')}\n`);
    assert.equal(count, lines.length);
    for (const [at, line] of lines.entries()) {
      const alone = read(`${line}\n`);
      assert.equal(lineHashes[at], alone.lineHashes[0], line);
      assert.equal(shapeHashes[at], alone.shapeHashes[0], line);
    }
  });
});
