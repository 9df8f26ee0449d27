import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { splitLines } from '../../../../src/base/text/textLines';
import { columnsOf, isFiller, toLine } from '../../../../src/merge/lines';
import { LineTables } from '../../../../src/merge/lineTables';
import { FileIndex } from '../../../../src/merge/place/fileIndex';
import { Source } from '../../../../src/merge/source';
import { codesOf, hashOf } from '../../../../src/merge/textCodes';

const words = [
  '}',
  'else {',
  'return null;',
  'a',
  'b = 1',
  'é',
  '漢字',
  '\u00a0',
  '...',
  'END',
  '',
];
const line = fc
  .tuple(
    fc.constantFrom('', ' ', '  ', '\t', ' \t', '\u00a0', '\f'),
    fc.constantFrom(...words),
    fc.constantFrom('', ' ', '\u00a0'),
  )
  .map(parts => parts.join(''));
const lines = fc.array(line, { maxLength: 30 });
const eol = fc.constantFrom('\n', '\r\n');

/** Each index uses the tables of the one before, as those of merges do. */
const tables = new LineTables();
const indexOf = (text: string): FileIndex => new FileIndex(new Source(text, tables.file), tables);

const marginOf = (text: string) => new FileIndex(new Source(text)).margin;

describe('the index of a file', () => {
  it('numbers its lines by their trimmed text', () =>
    fc.assert(
      fc.property(lines, eol, fc.constantFrom('', '\uFEFF'), (texts, end, bom) => {
        const file = indexOf(bom + texts.join(end));
        const rows = texts.map((_, at) => at).filter(at => texts[at]?.trim() !== '');
        const trimmed = rows.map(at => texts[at]?.trim() ?? '');
        assert.equal(file.count, rows.length);
        assert.deepEqual(
          file.ids.map(id => file.textOf(id)),
          trimmed,
        );
        assert.deepEqual(
          file.indents,
          rows.map(at => columnsOf(texts[at] ?? '')),
        );
        assert.deepEqual(
          file.ids.map((_, at) => file.rawOf(at)),
          rows,
        );
        assert.deepEqual([...file.known], [...new Set(trimmed)]);
        for (const [at, text] of trimmed.entries()) {
          const id = file.numberOf(text);
          assert.equal(id, file.ids[at]);
          assert.ok(file.known.has(text));
          assert.equal(file.isFiller(id), isFiller(text));
          for (const columns of [0, 1, 4]) {
            assert.equal(
              file.hasIndent(id, columns),
              file.placesOf(id).some(place => file.indents[place] === columns),
            );
          }
          assert.deepEqual(
            file.placesOf(id),
            trimmed.flatMap((other, place) => (other === text ? [place] : [])),
          );
        }
      }),
    ));

  it('reads the lines of a text as one by one, with their numbers', () =>
    fc.assert(
      fc.property(lines, lines, eol, (texts, others, end) => {
        const file = indexOf(texts.join('\n'));
        const shown = [...others, ...texts.slice(0, 5)].join(end);
        const read = file.known.readLines?.(shown) ?? [];
        const alone = splitLines(shown).map(toLine);
        assert.deepEqual(
          read.map(({ text, trimmed, indent }) => [text, trimmed, indent]),
          alone.map(({ text, trimmed, indent }) => [text, trimmed, indent]),
        );
        for (const { trimmed, id } of read) {
          const known = file.numberOf(trimmed);
          if (id === -1) assert.ok(!file.hasLine(known));
          else if (id !== undefined) assert.equal(id, known);
          assert.equal(file.idOf(toLine(trimmed)), known);
        }
      }),
    ));

  it('numbers other texts above its own', () => {
    const file = new FileIndex(new Source('a\nb\na\n'));
    const [one, two] = [file.numberOf('c'), file.numberOf('é')];
    assert.deepEqual([one, two, file.numberOf('c')], [2, 3, 2]);
    assert.deepEqual([file.textOf(one), file.textOf(two), file.idCount], ['c', 'é', 4]);
    assert.deepEqual(
      [file.hasLine(one), file.placesOf(one), file.known.has('c')],
      [false, [], false],
    );
  });

  it('tells lines apart whose characters have equal codes', () => {
    const [one, two] = ['x = \u0101;', 'x = \u0181;'];
    const file = new FileIndex(new Source(`${one}\n${two}\n`));
    assert.deepEqual(file.ids, [0, 1]);
    assert.deepEqual([file.numberOf(two), file.numberOf('x = \u0201;')], [1, 2]);
  });

  it('reads lines whose characters have equal codes as other ones', () => {
    const file = new FileIndex(new Source('x = \u0101;\ny\n'));
    assert.deepEqual(
      file.readLines('x = \u0181;\nx = \u0101;\ny').map(({ id }) => id),
      [-1, 0, 1],
    );
  });

  it('knows with what its lines are indented, if none has other white space', () => {
    for (const text of ['a\n  b\n', 'a\n', 'a\n\nb', '  a\r\nb\r\n'])
      assert.equal(marginOf(text), ' ', JSON.stringify(text));
    assert.equal(marginOf('a\n\tb\n'), '\t');
    const others = ['\ta\n  b\n', '\t a\n', 'a \n', 'a\n \nb\n', '\fa\n', ' \fa\n', '\u00a0a\n'];
    for (const text of [...others, 'a\u00a0\n', 'a\r\nb\n'])
      assert.equal(marginOf(text), undefined, JSON.stringify(text));
  });

  it('has positions up to its end', () => {
    const file = new FileIndex(new Source('\na\n\n\nb\n\n'));
    assert.deepEqual(
      [0, 1, 2, 3].map(at => [file.rawOf(at), file.rawEndOf(at)]),
      [
        [1, 0],
        [4, 2],
        [6, 5],
        [6, 5],
      ],
    );
  });

  it('finds each of many lines with one hash', () => {
    const texts: string[] = [];
    for (let n = 0; texts.length < 120; n++) {
      const text = `v${n.toString(36)}`;
      if ((hashOf(codesOf(text).view, 0, text.length) & 0xff) === 0) texts.push(text);
    }
    const [gone = '', ...most] = texts;
    const file = new FileIndex(new Source([...most, ...most.slice(0, 5)].join('\n')));
    assert.deepEqual(
      most.map(text => file.numberOf(text)),
      most.map((_, at) => at),
    );
    assert.deepEqual(file.placesOf(0), [0, most.length]);
    assert.deepEqual([file.has(gone), file.has(most[60] ?? ''), file.size], [false, true, 119]);
    assert.equal(file.numberOf(gone), most.length);
    assert.deepEqual(
      file.readLines(`  ${most[3]}\n\n${gone}`).map(({ indent, trimmed }) => [indent, trimmed]),
      [
        [2, most[3]],
        [-1, ''],
        [0, gone],
      ],
    );
  });

  it('takes no longer for lines that are made to have one hash', () => {
    const byHash = new Map<number, string[]>();
    let most: string[] = [];
    for (let n = 0; most.length < 3000; n++) {
      const text = `v${n.toString(36)}`;
      const key = hashOf(codesOf(text).view, 0, text.length) & 0x7f;
      const alike = byHash.get(key) ?? [];
      byHash.set(key, alike);
      alike.push(text);
      if (alike.length > most.length) most = alike;
    }
    const file = new FileIndex(new Source([...most, ...most].join('\n')));
    assert.equal(file.idCount, most.length);
    assert.deepEqual(
      most.map(text => file.placesOf(file.numberOf(text))),
      most.map((_, at) => [at, at + most.length]),
    );
    assert.equal(file.placesOf(file.numberOf('other')).length, 0);
  });
});
