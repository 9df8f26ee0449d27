import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { auditMerge, isMarkerLine, mergeEdit } from '../../../src/merge/index';

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

describe('mergeEdit on arbitrary texts', () => {
  it('never throws', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.string({ unit: 'binary' }),
        (original, update) => {
          const result = mergeEdit(original, update);
          if (result.kind === 'merged') {
            auditMerge(original, update, result.text);
          }
        },
      ),
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

  it('changes nothing outside of the selection', () => {
    fc.assert(
      fc.property(file, snippet, fc.nat(30), fc.nat(30), (lines, shown, from, length) => {
        fc.pre(lines.length > 0);
        const startLine = Math.min(lines.length, from + 1);
        const endLine = Math.min(lines.length, startLine + length);
        const result = mergeEdit(lines.join('\n'), shown.join('\n'), {
          range: { startLine, endLine },
        });
        if (result.kind === 'merged') {
          const before = lines.slice(0, startLine - 1);
          assert.deepEqual(result.text.split('\n').slice(0, before.length), before);
          const after = lines.slice(endLine);
          assert.deepEqual(
            after.length === 0 ? [] : result.text.split('\n').slice(-after.length),
            after,
          );
        }
      }),
      { numRuns: 300 },
    );
  });
});
