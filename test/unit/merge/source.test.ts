import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { Source } from '../../../src/merge/source';

const part = fc.constantFrom('\n', '\r\n', '\r', 'a', ' ', '\t', '\u00a0', 'word', ' x ');
const text = fc.array(part, { maxLength: 20 }).map(parts => parts.join(''));

describe('the source of a merge', () => {
  it('has the lines of the text, whatever ends them, and keeps every byte', () =>
    fc.assert(
      fc.property(text, fc.constantFrom('', '\uFEFF'), (body, bom) => {
        const source = new Source(bom + body);
        const parts = body.split(/\r\n|\n|\r/);
        const lines = parts.at(-1) === '' ? parts.slice(0, -1) : parts;
        const rows = lines.map((_, at) => at);
        assert.deepEqual(
          rows.map(at => source.line(at)),
          lines,
        );
        assert.equal(source.count, lines.length);
        assert.deepEqual(
          rows.map(at => source.trimmed(at)),
          lines.map(line => line.trim()),
        );
        assert.equal(source.bom, bom);
        assert.equal(rows.map(at => source.slice(at, at + 1)).join(''), body);
        assert.equal(source.slice(0, lines.length), body);
        assert.equal(source.endsInNewline, /[\r\n]$/.test(body));
        for (const [at, line] of lines.entries()) {
          assert.equal(source.startsWithTab(at), line.startsWith('\t'));
          assert.ok(source.isLine(at, line));
          assert.ok(!source.isLine(at, `${line}!`));
          if (line !== '') assert.ok(!source.isLine(at, line.slice(0, -1)));
        }
      }),
      { numRuns: 500 },
    ));

  it('has the most frequent line end', () => {
    for (const [body, eol, uniform] of [
      ['', '\n', true],
      ['a', '\n', true],
      ['a\nb\n', '\n', true],
      ['a\r\nb', '\r\n', true],
      ['a\rb\rc', '\r', true],
      ['a\r\nb\r\nc\n', '\r\n', false],
      ['a\nb\nc\r\n', '\n', false],
    ] as const) {
      const source = new Source(body);
      assert.deepEqual([source.eol, source.uniform], [eol, uniform], JSON.stringify(body));
    }
  });
});
