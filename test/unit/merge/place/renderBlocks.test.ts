import assert from 'node:assert/strict';
import { toLine } from '../../../../src/merge/lines';
import type { BlockPlace } from '../../../../src/merge/place/aligner';
import { blockOf } from '../../../../src/merge/place/block';
import type { EdgeFit } from '../../../../src/merge/place/edges/edges';
import { FileIndex } from '../../../../src/merge/place/fileIndex';
import { renderBlocks, replaceLines } from '../../../../src/merge/place/renderBlocks';
import type { Section } from '../../../../src/merge/snippet/sections';
import { Source } from '../../../../src/merge/source';

interface Given {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly head?: EdgeFit;
  readonly blanksAbove?: number;
  readonly blanksBelow?: number;
}

const sectionOf = ({ text, blanksAbove = 0, blanksBelow = 0 }: Partial<Given>): Section => ({
  lines: (text ?? '').split('\n').map(toLine),
  markerAbove: 0,
  markerBelow: 0,
  blanksAbove,
  blanksBelow,
});

/** The file with sections at half-open positions, which count lines that are not blank. */
function rendered(original: string, ...given: Given[]): string {
  const file = new FileIndex(new Source(original));
  const places = given.map(
    ({ start, end, head = 'exact' }): BlockPlace => ({ start, end, score: 0, head, tail: 'exact' }),
  );
  return renderBlocks(
    file,
    given.map(one => blockOf(sectionOf(one), file)),
    places,
  );
}

describe('sections written at their places', () => {
  it('replace the lines there, and nothing else', () => {
    assert.equal(rendered('a\n\nb\nc\n', { text: 'x\ny', start: 1, end: 2 }), 'a\n\nx\ny\nc\n');
    assert.equal(rendered('a\n\nb\n\nc\n', { text: 'x', start: 0, end: 3 }), 'x\n');
    assert.equal(
      rendered('a\nb\nc\n', { text: 'x', start: 0, end: 1 }, { text: 'y', start: 2, end: 3 }),
      'x\nb\ny\n',
    );
  });

  it('stand below the line above, where they replace none', () => {
    assert.equal(rendered('a\n\nb\n', { text: 'x', start: 1, end: 1 }), 'a\nx\n\nb\n');
    assert.equal(rendered('a\nb\n', { text: 'x', start: 0, end: 0 }), 'x\na\nb\n');
    assert.equal(rendered('a\nb\n', { text: 'x', start: 2, end: 2 }), 'a\nb\nx\n');
    assert.equal(rendered('', { text: 'x', start: 0, end: 0 }), 'x');
  });

  it('have the blank lines above them that the snippet shows, or that are usual there', () => {
    const added = { start: 1, end: 1, head: 'new' } as const;
    assert.equal(rendered('a\nb\n', { ...added, text: 'x', blanksAbove: 2 }), 'a\n\n\nx\nb\n');
    const text = 'function x() {}';
    assert.equal(rendered('a\n\n\nb\n', { ...added, text }), `a\n\n\n${text}\n\n\nb\n`);
    assert.equal(rendered('a\n\nb\n', { ...added, text: 'x' }), 'a\nx\n\nb\n', 'no declaration');
    assert.equal(rendered('a\n\nb\n', { ...added, text, head: 'exact' }), `a\n${text}\n\nb\n`);
    const last = { ...added, text, start: 2, end: 2 };
    assert.equal(rendered('a\n\nb\n', last), `a\n\nb\n${text}\n`, 'at the end of the file');
    assert.equal(rendered('a\n\nb\n', { ...last, blanksAbove: 1 }), `a\n\nb\n\n${text}\n`);
  });

  it('have the blank lines below them at the top of the file', () => {
    const top = { text: 'x', start: 0, end: 0, blanksBelow: 1 };
    assert.equal(rendered('a\n', top), 'x\n\na\n');
    assert.equal(rendered('a\nb\n', { ...top, start: 1, end: 1 }), 'a\nx\nb\n');
    assert.equal(rendered('', top), 'x');
  });

  it('part a new declaration from the closing line above, as the snippet does', () => {
    const given = { start: 1, end: 2, head: 'new', blanksAbove: 1 } as const;
    const text = 'function x() {}';
    assert.equal(rendered('}\nb\nc\n', { ...given, text }), `}\n\n${text}\nc\n`);
    assert.equal(rendered('a\nb\nc\n', { ...given, text }), `a\n${text}\nc\n`);
    assert.equal(rendered('}\nb\nc\n', { ...given, text: 'x' }), '}\nx\nc\n');
    assert.equal(rendered('}\nb\nc\n', { ...given, text, head: 'exact' }), `}\n${text}\nc\n`);
    assert.equal(rendered('b\nc\n', { ...given, text, start: 0, end: 1 }), `${text}\nc\n`);
  });

  it('stand right above what they decorate', () => {
    const text = '@cached';
    assert.equal(rendered('a\n\nb\n', { text, start: 1, end: 1 }), 'a\n@cached\nb\n');
    assert.equal(rendered('a\nold\n\nb\n', { text, start: 1, end: 2 }), 'a\n@cached\nb\n');
    assert.equal(rendered('a\n\n', { text, start: 1, end: 1 }), 'a\n@cached\n\n');
  });

  it('keep the end of the file as it is', () => {
    assert.equal(rendered('a\nb', { text: 'x', start: 1, end: 2 }), 'a\nx');
    assert.equal(rendered('a\nb', { text: 'x', start: 2, end: 2 }), 'a\nb\nx');
    assert.equal(rendered('a\nb', { text: 'x', start: 0, end: 1 }), 'x\nb');
    assert.equal(rendered('a\r\nb', { text: 'x', start: 2, end: 2 }), 'a\r\nb\r\nx');
    assert.equal(rendered('a\nb\n', { text: 'x', start: 1, end: 2 }), 'a\nx\n');
  });

  it('keep the byte order mark and the line ends', () => {
    assert.equal(rendered('\uFEFFa\r\nb\r\n', { text: 'x', start: 1, end: 2 }), '\uFEFFa\r\nx\r\n');
    assert.equal(rendered('\uFEFFa\n', { text: 'x', start: 0, end: 0 }), '\uFEFFx\na\n');
    // Nothing is written in front of a line that becomes the first one.
    const gone: Section = { lines: [], markerAbove: 0, markerBelow: 0 };
    const file = new FileIndex(new Source('\uFEFFa\nb\n'));
    const place: BlockPlace = { start: 0, end: 1, score: 0, head: 'exact', tail: 'exact' };
    assert.equal(renderBlocks(file, [blockOf(gone, file)], [place]), '\uFEFFb\n');
    const mixed = 'a\r\nb\nc\r\nd\r\n';
    assert.equal(rendered(mixed, { text: 'b\nx\nd', start: 1, end: 4 }), 'a\r\nb\nx\r\nd\r\n');
  });

  it('keep white space of lines that they only show', () => {
    assert.equal(rendered('a \nb\n', { text: 'a\nx', start: 0, end: 2 }), 'a \nx\n');
    assert.equal(rendered('\ta\nb\n', { text: '    a\nx', start: 0, end: 2 }), '\ta\nx\n');
    assert.equal(rendered('  a\nb\n', { text: 'a\nx', start: 0, end: 2 }), 'a\nx\n', 'indented');
    assert.equal(
      rendered('a\n \t\nb\n', { text: 'a\n\nb\nx', start: 0, end: 2 }),
      'a\n \t\nb\nx\n',
    );
    assert.equal(rendered('a\nb\n', { text: 'a \nb', start: 0, end: 2 }), 'a\nb\n');
    assert.equal(rendered('a\nb\n', { text: 'a\n  \nb', start: 0, end: 2 }), 'a\n  \nb\n');
    assert.equal(rendered('a \nb\na\n', { text: 'a\nx\na', start: 0, end: 3 }), 'a \nx\na\n');
  });
});

const replaced = (original: string, text: string, from: number, to: number): string =>
  replaceLines(new Source(original), sectionOf({ text }), from, to);

describe('lines that are replaced by a section', () => {
  it('keep the indentation of lines that they only show, however it looks alike', () => {
    // In columns, three blanks and a tab, or one tab, are as wide as four blanks.
    for (const [inFile, shown] of [
      ['    a', '   \ta'],
      ['    a', '\ta'],
      ['    a', '\ta   '],
      ['\ta', '    a'],
      ['\ta', '\ta '],
      ['   \ta', '    a'],
      ['    a ', '    a'],
      ['\va', 'a'],
    ] as const) {
      const given = { text: `${shown}\nnew`, start: 0, end: 1 };
      assert.equal(rendered(`${inFile}\nb\n`, given), `${inFile}\nnew\nb\n`, shown);
    }
  });

  it('count blank lines too', () => {
    assert.equal(replaced('a\n\nb\nc\n', 'x', 1, 3), 'a\nx\nc\n');
    assert.equal(replaced('a\nb', 'x', 1, 2), 'a\nx');
    assert.equal(replaced('', 'x', 0, 0), 'x\n');
    assert.equal(replaced('a\nb \nc\n', 'b\nx', 1, 2), 'a\nb \nx\nc\n');
    assert.equal(replaced('\uFEFFa\r\nb\r\n', 'x\ny', 0, 1), '\uFEFFx\r\ny\r\nb\r\n');
  });
});
