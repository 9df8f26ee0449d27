import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isJson } from '../../../../src/base/text/jsonSyntax';

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
    assert.equal(isJson(`${'['.repeat(501)}${']'.repeat(501)}`), false);
    assert.equal(isJson(`${'{"a":'.repeat(500)}1${'}'.repeat(500)}`), true);
    assert.equal(isJson(`${'{"a":'.repeat(501)}1${'}'.repeat(501)}`), false);
  });
});

describe('the syntax of JSON, one case each', () => {
  const right = [
    '0',
    '-0',
    '10',
    '-1.5',
    '1e5',
    '1E+5',
    '1.25e-10',
    'true',
    ' null ',
    '""',
    '"\\u00Af"',
    '"\\"\\\\\\/\\b\\f\\n\\r\\t"',
    '[]',
    '[ ]',
    '[1]',
    '[1, 2 ,3]',
    '[[], {}]',
    '{}',
    '{ }',
    '{"a":1}',
    '{ "a" : 1 , "b" : [ ] }',
    '\r\n\t 1',
  ];
  const wrong = [
    '',
    ' ',
    '1 2',
    '01',
    '-',
    '-01',
    '.5',
    '1.',
    '1.e5',
    '1e',
    '1e+',
    '+1',
    'tru',
    'nulll',
    '"',
    '"a',
    '"a\nb"',
    '"\\',
    '"\\x"',
    '"\\u12"',
    '"\\u12g4"',
    '"\\u"',
    '[',
    '[1',
    '[1,',
    '[1,]',
    '[,1]',
    '[1 2]',
    '[1}',
    '{',
    '{"a"',
    '{"a":',
    '{"a":1',
    '{"a":1,',
    '{"a":1,}',
    '{"a" 1}',
    '{"a":1 "b":2}',
    '{a:1}',
    '{1:1}',
    '{"a":1]',
    '{,}',
    '\u00a01',
    '\f1',
  ];
  it('accepts', () => assert.deepEqual(right.filter(isJson), right));
  it('refuses', () => assert.deepEqual(wrong.filter(isJson), []));
  it('knows the cases as JSON.parse does', () => {
    assert.ok(right.every(isParsed));
    assert.ok(!wrong.some(isParsed));
  });
});
