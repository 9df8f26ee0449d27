import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isJson } from '../../../src/base/jsonSyntax';

function isParsed(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const signs = [
  ...Array.from('{}[]:,"\\ \n\t/.+-eE01ubx'),
  'true',
  'null',
  'false',
  '"a"',
  '"a":',
  '\\u00e4',
  '\\u12',
  '\u0001',
  '\u2028',
  '1.5e-3',
  '{"a":1}',
];

describe('the syntax of JSON', () => {
  it('is what JSON.parse accepts, for texts of its signs', () =>
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...signs), { maxLength: 8 }).map(parts => parts.join('')),
        text => assert.equal(isJson(text), isParsed(text)),
      ),
      { numRuns: 20_000 },
    ));

  it('is that of each JSON text, and of one with a character changed only where it still is one', () =>
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.constantFrom(...signs), (text, at, sign) => {
        assert.equal(isJson(text), true);
        const place = at % text.length;
        const changed = text.slice(0, place) + sign + text.slice(place + 1);
        assert.equal(isJson(changed), isParsed(changed));
      }),
      { numRuns: 2000 },
    ));

  it('needs no stack for texts that nest, which it refuses', () => {
    assert.equal(isJson('['.repeat(1_000_000)), false);
    assert.equal(isJson(`${'['.repeat(500)}${']'.repeat(500)}`), true);
  });
});
