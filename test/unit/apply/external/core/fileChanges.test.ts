import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  changesAfterKeep,
  type ExternalChange,
  fileChanges,
  keepChanges,
  undoChanges,
} from '../../../../../src/apply/external/core/fileChanges';
import { linesWithEnds } from '../../../../../src/apply/external/core/fileText';
import { hunksBetween } from '../../../../../src/apply/review/model/rebase';
import { anyLines, edited, someEdits } from './randomTexts';

const list = (letters: string, end = '\n') => Array.from(letters, letter => letter + end);
const change = (before: string, now: string) =>
  fileChanges('p', linesWithEnds(before), linesWithEnds(now));
const ended = (lines: readonly string[], end: string) => lines.map(line => line.replace('\n', end));
const idsOf = (changes: readonly ExternalChange[]) => changes.map(({ id }) => id);
const draw = (changes: readonly ExternalChange[]) =>
  changes.map(
    ({ baseStart, baseLines, start, lines: now }) =>
      `${baseStart}-${baseLines.join('')} ${start}+${now.join('')}`,
  );
/** Pairs that often have several changes. */
const pairs = fc.oneof(
  fc.tuple(anyLines, anyLines),
  fc.tuple(anyLines, someEdits).map(([before, edits]) => [before, edited(before, edits)] as const),
);

describe('fileChanges', () => {
  it('lists what was replaced, added and removed', () =>
    assert.deepEqual(draw(fileChanges('p', list('abcdefgh'), list('aBcdXefh'))), [
      '1-b\n 1+B\n',
      '4- 4+X\n',
      '6-g\n 7+',
    ]));

  it('finds nothing in equal texts, and one change between a text and none', () => {
    assert.deepEqual(fileChanges('p', list('ab'), list('ab')), []);
    assert.deepEqual(draw(fileChanges('p', [], list('ab'))), ['0- 0+a\nb\n']);
    assert.deepEqual(draw(fileChanges('p', list('ab'), [])), ['0-a\nb\n 0+']);
  });

  it('sees a missing end of the last line, a byte order mark and other line ends', () => {
    assert.deepEqual(draw(fileChanges('p', ['a\n', 'b'], ['a\n', 'b\n'])), ['1-b 1+b\n']);
    assert.equal(fileChanges('p', ['a\n'], ['\uFEFFa\n']).length, 1);
    assert.equal(fileChanges('p', ['a\r\n'], ['a\n']).length, 1);
    assert.equal(fileChanges('p', ['a\r'], ['a\r\n']).length, 1);
  });

  it('makes one change of line ends, however many lines lie between them', () => {
    const mixed = ['a\n', 'b\r\n', 'c\n', 'd\n', 'e\r\n'];
    assert.deepEqual(draw(fileChanges('p', mixed, list('abcde'))), [
      '1-b\r\nc\nd\ne\r\n 1+b\nc\nd\ne\n',
    ]);
    const all = fileChanges('p', list('abcde', '\r\n'), list('abcde'));
    assert.deepEqual(draw(all).length, 1);
    assert.ok(all[0]?.isWhitespace);
  });

  it('says whether only white space differs', () => {
    assert.equal(change('if (a) b();\n', 'if (a)\n\tb();\n')[0]?.isWhitespace, true);
    assert.equal(change('a\n', 'a\n\n')[0]?.isWhitespace, true);
    assert.equal(change('ab\n', 'a c\n')[0]?.isWhitespace, false);
  });

  it('has the borders of a review in Apply', () => {
    const before = linesWithEnds(
      'f() {\n  if (a) {\n    b();\n  }\n}\n\ng() {\n  h();\n}\n\nend\n',
    );
    const now = linesWithEnds(
      'f() {\n  b();\n}\n\ni() {\n  j();\n}\n\ng() {\n  if (k) {\n    h();\n  }\n}\n\nend\n',
    );
    for (const end of ['\n', '\r\n']) {
      assert.deepEqual(
        fileChanges('p', ended(before, end), ended(now, end)).map(
          ({ baseStart, baseLines, lines }) => [
            baseStart,
            baseLines.map(line => line.replace(end, '')),
            lines.map(line => line.replace(end, '')),
          ],
        ),
        hunksBetween(ended(before, ''), ended(now, '')).map(hunk => [
          hunk.at,
          hunk.removed,
          hunk.inserted,
        ]),
      );
    }
  });

  it('gives each change an id of its own', () => {
    const before = list('aaaaaaaaxaaaaaaaaxaaaaaaaa');
    const now = list('aaaaaaaayaaaaaaaayaaaaaaaa');
    assert.equal(new Set(idsOf(fileChanges('p', before, now))).size, 2);
    assert.notEqual(
      fileChanges('p', list('a'), list('b'))[0]?.id,
      fileChanges('q', list('a'), list('b'))[0]?.id,
    );
  });

  it('gives another id when the lines around a change differ, but not for lines far away', () => {
    const [id] = idsOf(fileChanges('p', list('abcdefghi'), list('abcdeXghi')));
    const far = idsOf(fileChanges('p', list('abcdefghi'), list('aBcdeXghi')));
    assert.equal(far[1], id);
    const near = idsOf(fileChanges('p', list('abcdefghi'), list('abcDeXghi')));
    assert.ok(!near.includes(id ?? ''));
  });

  it('is the file once all is kept, and the baseline once all is undone', () => {
    fc.assert(
      fc.property(pairs, ([before, now]) => {
        const changes = fileChanges('p', before, now);
        assert.deepEqual(keepChanges(before, changes), now);
        assert.deepEqual(undoChanges(now, changes), before);
        assert.equal(new Set(idsOf(changes)).size, changes.length);
      }),
    );
  });

  it('comes to the same text when some are kept and the rest is undone', () => {
    fc.assert(
      fc.property(pairs, fc.nat(), ([before, now], chosen) => {
        const changes = fileChanges('p', before, now);
        const kept = changes.filter((_, at) => (chosen >> (at % 20)) & 1);
        const rest = changes.filter(one => !kept.includes(one));
        const baseline = keepChanges(before, kept);
        assert.deepEqual(undoChanges(now, rest), baseline);
        const ids = new Set(idsOf(kept));
        const pending = changesAfterKeep(changes, ids);
        assert.deepEqual(idsOf(pending), idsOf(rest));
        assert.deepEqual(undoChanges(now, pending), baseline);
        assert.deepEqual(keepChanges(baseline, pending), now);
      }),
    );
  });
});
