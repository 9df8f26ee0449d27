import assert from 'node:assert/strict';
import { type ArrayChange, diffArrays } from 'diff';
import * as fc from 'fast-check';
import {
  auditMerge,
  isMarkerLine,
  type MergeOptions,
  type MergeResult,
  mergeEdit,
} from '../../../src/merge';
import { asPython, editedCode } from '../../support/unit/editedCode';
import { linesOf } from '../../support/unit/lines';
import { type SnippetStyle, snippetOf } from '../../support/unit/snippetOf';
import { endForm, rawLines } from './rawText';

const inFile: MergeOptions = { path: 'a.ts' };
const lineEnd = fc.constantFrom('\n' as const, '\r\n' as const);
/** Snippets in these forms leave one reading only. */
const clearStyle: fc.Arbitrary<SnippetStyle> = fc.record({
  context: fc.integer({ min: 1, max: 3 }),
  uniqueEdges: fc.constant(true),
  lineEnd,
  wording: fc.constantFrom('... existing code ...', '...', 'rest of the code remains unchanged'),
});

const indentation = fc.constantFrom<Partial<SnippetStyle>>(
  {},
  { swapsIndentation: true },
  // A single line may not tell how deep a part stood.
  { dedent: true, context: 2 },
);
const outerMarkers: fc.Arbitrary<Partial<SnippetStyle>> = fc.record({
  withoutFirstMarker: fc.boolean(),
  withoutLastMarker: fc.boolean(),
});
const otherForm = fc.tuple(indentation, outerMarkers).map(([one, two]) => ({ ...one, ...two }));

describe('mergeEdit on snippets of edits', () => {
  it('makes the edit', () => {
    fc.assert(
      fc.property(editedCode, clearStyle, ({ before, after }, style) => {
        const result = mergeEdit(before, snippetOf(before, after, 'a.ts', style), inFile);
        assertMade(result, before, after);
      }),
      { numRuns: 300 },
    );
  });

  it('makes the edit when the snippet is indented in another way or lacks outer markers', () => {
    fc.assert(
      fc.property(
        editedCode,
        clearStyle,
        otherForm,
        fc.boolean(),
        (code, style, form, isPython) => {
          const path = isPython ? 'a.py' : 'a.ts';
          const before = isPython ? asPython(code.before) : code.before;
          const after = isPython ? asPython(code.after) : code.after;
          const update = snippetOf(before, after, path, { ...style, ...form });
          // Without any marker it may be a whole new file.
          fc.pre(linesOf(update).some(isMarkerLine));
          const result = mergeEdit(before, update, { path });
          assertMade(result, before, after);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('makes the edit in a selection of the changed lines, or is not certain', () => {
    fc.assert(
      fc.property(editedCode, clearStyle, fc.nat(4), ({ before, after }, style, more) => {
        const { first, last } = changedLines(diffArrays(linesOf(before), linesOf(after)));
        const range = {
          startLine: Math.max(1, first - more),
          endLine: Math.min(linesOf(before).length, last + more),
        };
        const update = snippetOf(before, after, 'a.ts', style);
        const result = mergeEdit(before, update, { ...inFile, range });
        if (result.kind === 'merged' && result.certain) {
          assert.equal(result.text, after);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('keeps the tabs and the line ends of the lines that stay', () => {
    fc.assert(
      fc.property(editedCode, endForm, clearStyle, ({ before, after }, form, style) => {
        const changes = diffArrays(linesOf(before), linesOf(after));
        // Which of two lines that change places is the one that stays?
        fc.pre(!movesLines(changes));
        const raw = rawLines(linesOf(before), form);
        const update = snippetOf(before, after, 'a.ts', style);
        fc.pre(linesOf(update).some(isMarkerLine));
        const result = mergeEdit(raw.join(''), update, inFile);
        assert.equal(result.kind, 'merged');
        const merged = result.text.split(/(?<=\n)/);
        assert.deepEqual(merged.map(trimmed), linesOf(after).map(trimmed));
        const lines = linesOf(before);
        const newLines = linesOf(after);
        for (const row of keptRows(changes)) {
          const line = newLines[row] ?? '';
          // Which of the old lines a repeated one was cannot be told.
          if (isOnce(lines, line) && isOnce(newLines, line)) {
            assert.equal(merged[row], raw[lines.indexOf(line)]);
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it('leaves the audit nothing to find', () => {
    fc.assert(
      fc.property(editedCode, clearStyle, ({ before, after }, style) => {
        // Dozens of lines that go without a word deserve the warning that they get.
        fc.pre(longestLoss(before, after) < 30);
        const update = snippetOf(before, after, 'a.ts', style);
        assert.deepEqual(auditMerge(before, update, after, inFile), []);
      }),
      // A false alarm in some ten thousand snippets would fail the test now and then.
      { numRuns: 300, seed: 1 },
    );
  });
});

function assertMade(result: MergeResult, before: string, after: string): void {
  assert.equal(result.kind, 'merged');
  assert.equal(result.text, after);
  if (keepsFunctions(before, after)) assert.ok(result.certain);
}

/** False when a function is gone or has another name. */
const keepsFunctions = (before: string, after: string): boolean =>
  [...before.matchAll(/\b(?:function|def) (\w+)/g)].every(([, name = '']) =>
    new RegExp(`\\b${name}\\b`).test(after),
  );

const trimmed = (line: string): string => line.replace(/^\uFEFF/, '').trim();

const isOnce = (lines: string[], line: string): boolean =>
  lines.indexOf(line) === lines.lastIndexOf(line);

/** Rows of the new lines that stand in the old ones as well. */
function keptRows(changes: ArrayChange<string>[]): number[] {
  let row = 0;
  return changes.flatMap(({ value, added, removed }) => {
    const rows = removed ? [] : value.map(() => row++);
    return added ? [] : rows;
  });
}

/** 1-based old lines from the first to the last change; an insertion counts for the line below. */
function changedLines(changes: ArrayChange<string>[]): { first: number; last: number } {
  let line = 1;
  const changed: number[] = [];
  for (const { value, added, removed } of changes) {
    const end = added ? line : line + value.length;
    if (added || removed) {
      changed.push(line, Math.max(line, end - 1));
    }
    line = end;
  }
  return { first: Math.min(...changed), last: Math.max(...changed) };
}

function movesLines(changes: ArrayChange<string>[]): boolean {
  const gone = new Set(changes.flatMap(({ value, removed }) => (removed ? value : [])));
  return changes.some(({ value, added }) => added && value.some(line => gone.has(line)));
}

function longestLoss(before: string, after: string): number {
  const losses = diffArrays(linesOf(before), linesOf(after)).filter(({ removed }) => removed);
  return Math.max(0, ...losses.map(({ value }) => value.length));
}
