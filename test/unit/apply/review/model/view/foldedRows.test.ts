import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { rowOfLine } from '../../../../../../src/apply/review/editor/rowMap';
import {
  changeAt,
  fileLineAt,
  proposedLineAt,
} from '../../../../../../src/apply/review/model/reviewCursor';
import { ReviewModel } from '../../../../../../src/apply/review/model/reviewModel';
import { buildReviewView } from '../../../../../../src/apply/review/model/reviewView';

const count = 2_000;
const plain = Array.from({ length: count }, (_, line) => `line ${line}`);
const changed = (lines: readonly string[], ...at: number[]): string[] =>
  lines.map((line, index) => (at.includes(index) ? `new ${index}` : line));
const viewOf = (lines: readonly string[], ...at: number[]) =>
  buildReviewView(new ReviewModel(lines, changed(lines, ...at)));
const textsOf = ({ text }: { readonly text: string }): string[] => text.split('\n');

describe('the rows of a long review', () => {
  it('are those around its changes, and one for all between them', () => {
    const view = viewOf(plain, 1000);
    assert.deepEqual(textsOf(view), [
      '⋯ 997',
      'line 997',
      'line 998',
      'line 999',
      'line 1000',
      'new 1000',
      'line 1001',
      'line 1002',
      'line 1003',
      '⋯ 996',
    ]);
    assert.deepEqual(view.gaps, [
      { row: 1, fileLine: 0, lineCount: 997, above: 1 },
      { row: 10, fileLine: 1004, lineCount: 996, above: 0 },
    ]);
    assert.deepEqual(view.lineCounts, { unified: 11, proposed: count, file: count });
  });

  it('are all of them in a short one, and where nothing is pending', () => {
    assert.equal(viewOf(plain.slice(0, 1000), 500).rows.length, 1002);
    assert.equal(viewOf(plain).rows.length, count + 1);
  });

  it('leave out no few lines, and those that are opened stay', () => {
    assert.deepEqual(viewOf(plain, 10, 18).gaps.slice(1), [
      { row: 19, fileLine: 22, lineCount: 1978, above: 0 },
    ]);
    const model = new ReviewModel(plain, changed(plain, 1000));
    const view = buildReviewView(model, { opened: new Set([1]) });
    assert.deepEqual(
      view.gaps.map(({ above }) => above),
      [0],
    );
    assert.equal(textsOf(view)[0], 'line 0');
  });

  it('have what opens or closes a comment or a string whose other end is in sight', () => {
    const lines = [...plain];
    lines[0] = '/*';
    lines[900] = 'end */ here';
    lines[910] = 'const whole = `a`; /* b */';
    lines[1500] = '"""';
    assert.deepEqual(textsOf(viewOf(lines, 950)).slice(0, 2), ['⋯ 947', 'line 947']);
    assert.deepEqual(textsOf(viewOf(lines.with(0, ''), 950)).slice(0, 4), [
      '⋯ 900',
      'end */ here',
      '⋯ 46',
      'line 947',
    ]);
    assert.deepEqual(textsOf(viewOf(lines, 950)).slice(-3), ['⋯ 546', '"""', '⋯ 499']);
  });

  it('find every line of both texts again, also one that is not shown', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat(count - 1), { minLength: 1, maxLength: 12 }),
        fc.uniqueArray(fc.nat(count - 1), { maxLength: 6 }),
        (edited, removed) => {
          const proposed = changed(plain, ...edited).flatMap((line, at) =>
            removed.includes(at)
              ? []
              : at % 7 === 0 && edited.includes(at)
                ? [line, 'more']
                : [line],
          );
          const model = new ReviewModel(plain, proposed);
          const view = buildReviewView(model);
          const texts = ['header', ...textsOf(view)];
          assert.equal(view.lineCounts.file, count);
          assert.equal(view.lineCounts.proposed, proposed.length);
          for (const [line, text] of plain.entries()) {
            const row = rowOfLine(view, line);
            const shown = view.rows[row];
            if (shown?.kind === 'gap') {
              const gap = view.gaps.find(each => each.row === row);
              assert.ok(gap && gap.fileLine <= line && line < gap.fileLine + gap.lineCount);
            } else assert.equal(texts[row], text);
            const there = proposedLineAt(view, 'file', line);
            if (proposed[there] === text) assert.equal(fileLineAt(view, 'proposed', there), line);
            else assert.ok(changeAt(view, 'file', line), `line ${line}`);
          }
          for (const [row, { kind, oldLine }] of view.rows.entries()) {
            if (kind === ' ') assert.equal(texts[row], plain[fileLineAt(view, 'unified', row)]);
            if (kind === 'gap') assert.equal(fileLineAt(view, 'unified', row), (oldLine ?? 0) - 1);
          }
        },
      ),
      { numRuns: 30 },
    );
  });
});
