import assert from 'node:assert/strict';
import type { FileText } from '../../../../../src/search/local/text/fileText';
import type { NamedPlace } from '../../../../../src/search/local/text/namedPlaces';
import { withNamed } from '../../../../../src/search/local/text/namedSpans';

const empty = new Float32Array(1);
const nothing = { counts: empty, declared: empty, declaring: empty, hits: [], pairs: new Map() };

/** The lines that are shown for a place at a line. */
function linesOf(rows: readonly string[], line: number, kind: NamedPlace['kind']): number[][] {
  const text = rows.join('\n');
  const named: NamedPlace[] = [{ kind, text: 'x', line, worth: 5 }];
  const facts: FileText = { ...nothing, named, length: text.length };
  return withNamed([{ startLine: 1, endLine: rows.length }], text, facts, [1]).map(
    ({ startLine, endLine }) => [startLine, endLine],
  );
}

describe('the lines of what answers a request', () => {
  it('are one statement', () => {
    const rows = ["a.get('/x', x);", "a.get('/y', () => {", '  y();', '', '  z();', '});', 'b();'];
    assert.deepEqual(linesOf(rows, 1, 'route'), [[1, 1]]);
    assert.deepEqual(linesOf(rows, 2, 'route'), [[2, 6]]);
  });

  it('are a call whose first argument is in a line of its own', () => {
    assert.deepEqual(
      linesOf(['[', '  path(', '    "x/",', '    x,', '  ),', '  path('], 3, 'route'),
      [[2, 5]],
    );
  });

  it('are an annotation and the function below it', () => {
    const rows = ['@get("/x")', '@admin', 'def x():', '    pass', '', '    pass', '', 'def y():'];
    assert.deepEqual(linesOf(rows, 1, 'route'), [[1, 6]]);
    const java = [
      'class A {',
      '  @Get("/x")',
      '  X x()',
      '  {',
      '    x();',
      '  }',
      '  Y y() {}',
      '}',
    ];
    assert.deepEqual(linesOf(java, 2, 'route'), [[2, 6]]);
  });

  it('are a function that handles it', () => {
    const rows = ['class A', '  def x', '    x', '  end', '  def y', '  end', 'end'];
    assert.deepEqual(linesOf(rows, 2, 'handler'), [[2, 4]]);
  });

  it('are not all that is shown of a call', () => {
    assert.deepEqual(linesOf(['fetch("/x")', 'b'], 1, 'call'), [[1, 2]]);
  });
});
