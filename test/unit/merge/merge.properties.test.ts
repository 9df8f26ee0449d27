import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { written } from '../../../src/base/sentence';
import { auditMerge, isMarkerLine, type MergeOptions, mergeEdit } from '../../../src/merge';
import { editedCode } from '../../support/unit/editedCode';
import { linesOf } from '../../support/unit/lines';
import { snippetOf } from '../../support/unit/snippetOf';
import { endForm, rawForm, rawLines } from './rawText';

const codeLine = fc.constantFrom(
  'const a = 1;',
  'const b = 2;',
  '  return a + b;',
  'function f() {',
  'function g(x) {',
  '}',
  '',
  '\tif (x) {',
  '\t}',
  '// note',
);
const markerLine = fc.constantFrom('// ... existing code ...', '# ...', '/* rest of the code */');
const file = fc.array(codeLine, { maxLength: 30 });
const snippet = fc.array(fc.oneof({ weight: 4, arbitrary: codeLine }, markerLine), {
  maxLength: 20,
});
const lineEnd = fc.constantFrom('\n', '\r\n');
const marker = '// ... existing code ...';
const inFile: MergeOptions = { path: 'a.ts' };

describe('mergeEdit on arbitrary texts', () => {
  it('never throws', () => {
    const text = fc.string({ unit: 'binary' });
    const line = fc.integer({ min: -1, max: 12 });
    const range = fc.record({ startLine: line, endLine: line });
    const update = fc.array(fc.oneof(text, markerLine, codeLine)).map(lines => lines.join('\n'));
    fc.assert(
      fc.property(
        fc.oneof(text, update),
        fc.oneof(text, update),
        fc.option(range),
        (original, shown, selected) => {
          const options = selected ? { range: selected } : {};
          const result = mergeEdit(original, shown, options);
          if (result.kind === 'merged') {
            auditMerge(original, shown, result.text, options);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('leaves no marker behind, is deterministic and keeps line ends', () => {
    fc.assert(
      fc.property(file, snippet, lineEnd, (lines, shown, end) => {
        const original = lines.join(end);
        const first = mergeEdit(original, shown.join('\n'));
        assert.deepEqual(mergeEdit(original, shown.join('\n')), first);
        if (first.kind === 'merged' && lines.length > 0) {
          assert.equal(first.text.split(/\r?\n/).some(isMarkerLine), false);
          if (lines.length > 1 && end === '\r\n') {
            assert.equal(/(?:^|[^\r])\n/.test(first.text), false);
          }
          if (end === '\n') {
            assert.equal(first.text.includes('\r'), false);
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  it('takes an unchanged file for no change', () => {
    fc.assert(
      fc.property(file, lineEnd, (lines, end) => {
        const original = lines.join(end);
        fc.pre(original.trim() !== '');
        const result = mergeEdit(original, original);
        assert.equal(result.kind === 'merged' && result.text, original);
        assert.deepEqual(auditMerge(original, original, original), []);
      }),
    );
  });

  it('changes no byte outside of the selection', () => {
    fc.assert(
      fc.property(
        fc.array(codeLine, { minLength: 1, maxLength: 30 }),
        rawForm,
        snippet,
        fc.nat(30),
        fc.nat(30),
        (lines, form, shown, from, length) => {
          const raw = rawLines(lines, form);
          const startLine = Math.min(lines.length, from + 1);
          const endLine = Math.min(lines.length, startLine + length);
          const result = mergeEdit(raw.join(''), shown.join('\n'), {
            range: { startLine, endLine },
          });
          if (result.kind === 'merged') {
            const above = raw.slice(0, startLine - 1).join('');
            const below = raw.slice(endLine).join('');
            assert.equal(result.text.slice(0, above.length), above);
            assert.equal(result.text.slice(result.text.length - below.length), below);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('takes a marker alone for no change', () => {
    fc.assert(
      fc.property(file, rawForm, markerLine, (lines, form, line) => {
        const original = rawLines(lines, form).join('');
        const result = mergeEdit(original, line);
        assert.deepEqual(result, { kind: 'merged', text: original, certain: true });
      }),
    );
  });

  it('takes unchanged lines between markers for no change', () => {
    fc.assert(
      fc.property(editedCode, endForm, fc.array(fc.boolean()), ({ before }, form, isShown) => {
        const lines = linesOf(before);
        const original = rawLines(lines, form).join('');
        const shown = lines.map((line, row) => (isShown[row >> 2] ? line : marker));
        fc.pre(shown.includes(marker));
        const update = shown.filter((line, row) => line !== marker || shown[row - 1] !== marker);
        const result = mergeEdit(original, update.join('\n'), inFile);
        assert.equal(result.kind === 'merged' ? result.text : written(result.reason), original);
      }),
    );
  });

  it('is the same when done twice', () => {
    fc.assert(
      fc.property(
        editedCode,
        fc.integer({ min: 1, max: 3 }),
        fc.boolean(),
        ({ before, after }, context, uniqueEdges) => {
          const update = snippetOf(before, after, 'a.ts', { context, uniqueEdges });
          const once = mergeEdit(before, update, inFile);
          fc.pre(once.kind === 'merged' && once.certain);
          const twice = mergeEdit(once.text, update, inFile);
          if (twice.kind === 'merged' && twice.certain) {
            assert.equal(twice.text, once.text);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
