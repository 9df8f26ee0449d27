import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  entryKind,
  isJson,
  JsonPlaces,
  keyHash,
  scanJson,
  unhashed,
} from '../../../../src/base/text/jsonSyntax';

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

/** ASCII without escapes. */
const plainText = /^"[ !#-[\]-\x7f]*"$/;

/** The value whose entries begin at `index`, as its places say, and the index of the next entry. */
function placedValue(
  text: string,
  entries: Int32Array,
  index: number,
): { value: unknown; next: number } {
  const [start = -1, coded = -1, contents = -1] = entries.subarray(index);
  const [kind, own] = [coded & 3, text.slice(start, coded >> 2)];
  if (kind !== entryKind.container) {
    const stringKind = plainText.test(own) ? entryKind.string : entryKind.encodedString;
    assert.equal(kind, own.startsWith('"') ? stringKind : entryKind.plain, own);
    return { value: JSON.parse(own), next: index + 2 };
  }
  const isObject = contents % 2 === 1;
  assert.match(own, isObject ? /^\{[^]*\}$/ : /^\[[^]*\]$/);
  const members: [string, unknown][] = [];
  const behind = contents >> 1;
  for (let at = index + 3; at < behind; ) {
    const [keyStart = -1, hash, valueStart] = entries.subarray(at);
    const { value, next } = placedValue(text, entries, isObject ? at + 2 : at);
    const keyText = isObject ? text.slice(keyStart, valueStart).replace(/\s*:\s*$/, '') : '""';
    const key: string = JSON.parse(keyText);
    if (isObject) assert.equal(hash, plainText.test(keyText) ? keyHash(key) : unhashed);
    members.push([key, value]);
    at = next;
  }
  const value = isObject ? Object.fromEntries(members) : members.map(([, item]) => item);
  return { value, next: behind };
}

const keys = fc.oneof(fc.string(), fc.constantFrom('name', 'type', 'ä', 'a\\b', 'a"b', '\u007f'));
const { value: jsonValues } = fc.letrec(tie => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(0, -1.5, 1e30, true, false, null, '', 'plain', 'ä', 'a\nb'),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(keys, tie('value'), { maxKeys: 4 }),
  ),
}));

describe('the places of the values of a JSON text', () => {
  it('give the values that JSON.parse gives, whatever is around the text', () =>
    fc.assert(
      fc.property(
        jsonValues,
        fc.constantFrom('', '  ', '\r\n'),
        fc.nat(20),
        fc.nat(20),
        fc.nat(1000),
        (value, indent, before, after, base) => {
          const text = ` ${JSON.stringify(value, null, indent)}\n`;
          const codes = Uint16Array.from('x'.repeat(before) + text + '1'.repeat(after), sign =>
            sign.charCodeAt(0),
          );
          const places = new JsonPlaces(0);
          for (const at of [0, base]) {
            const first = places.length;
            assert.ok(scanJson(codes, before, before + text.length, places, at));
            // The entries from `first` on, as if they were the only ones, and the text began at their base.
            const read = placedValue('x'.repeat(before + at) + text, places.entries, first);
            assert.deepEqual(read, { value: JSON.parse(text), next: places.length });
          }
        },
      ),
      { numRuns: 1000 },
    ));
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
