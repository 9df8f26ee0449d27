import assert from 'node:assert/strict';
import {
  isTrueIn,
  type JsonNode,
  JsonText,
  listIn,
  memberOf,
  nodeText,
  numberIn,
  parseJsonNode,
  stringIn,
} from '../../../../src/compact/sessions/json';
import { writeLiteral } from '../../../../src/compact/sessions/json/literal';
import { seededRandom } from '../../../support/unit/virtualTime';

/** The value of a node, as JSON.parse has it. */
function valueOf(node: JsonNode): unknown {
  if (node.type === 'list') return node.items.map(valueOf);
  if (node.type !== 'object') return node.value;
  return Object.fromEntries([...node.members].map(([key, member]) => [key, valueOf(member)]));
}
const parsed = (text: string): JsonNode => parseJsonNode(text) ?? assert.fail(text);

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

describe('parseJsonNode', () => {
  for (const text of [
    '0',
    '-1.5e+3',
    'true',
    ' false ',
    '\tnull\r\n',
    '""',
    String.raw`"a\"b\\"`,
    String.raw`"\u00e9\n\\\\"`,
    '[]',
    '[ ]',
    '{ }',
    '[1, [2], {"a": [3]}]',
    '{"a":{"b":"c"},"d":[true,null]}',
  ])
    it(`reads as JSON.parse does: ${text}`, () => {
      assert.deepEqual(valueOf(parsed(text)), JSON.parse(text));
    });

  for (const text of [
    '',
    ' ',
    '01',
    '+1',
    'nul',
    '"',
    String.raw`"a\"`,
    String.raw`"\x"`,
    '"a\nb"',
    '[',
    '[1',
    '[1,]',
    '[1 2]',
    '{',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{"a":1 "b":2}',
    '{a:1}',
    '1 2',
    '{}x',
    '[1}',
    '{"a":1]',
  ])
    it(`refuses as JSON.parse does: ${text}`, () => {
      assert.throws(() => JSON.parse(text));
      assert.equal(parseJsonNode(text), undefined);
    });

  it('takes and refuses damaged texts as JSON.parse does, and reads the same values', () => {
    const seeds = [
      String.raw`{"a":"x\"y\\","b":[1,-2.5e3,true,null],"c":{"__proto__":{"d":"\u00e9\ud800"}}}`,
      String.raw`[ "", "\\", {"k" : [ ] , "l":{ }},"ü😀\n\/\b", 0, false ]`,
      `{"long":"${'word '.repeat(40)}","list":[["a",["b",[]]],{}],"n":1.0E-2}`,
    ];
    const pieces = [
      '"',
      '\\',
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '0',
      'e',
      '\n',
      '\u0001',
      'u12',
      'é',
      '\ud83d',
    ];
    const random = seededRandom(7);
    const below = (limit: number) => Math.floor(random() * limit);
    const verdicts = { taken: 0, refused: 0 };
    for (let round = 0; round < 6000; round++) {
      let text = seeds[below(seeds.length)] ?? '';
      for (let changes = below(3) + 1; changes > 0; changes--) {
        const at = below(text.length + 1);
        const cut = below(3);
        text = text.slice(0, at) + (pieces[below(pieces.length * 2)] ?? '') + text.slice(at + cut);
      }
      let expected: { value: unknown } | undefined;
      try {
        expected = { value: JSON.parse(text) };
      } catch {
        expected = undefined;
      }
      const node = parseJsonNode(text);
      assert.deepEqual(node && { value: valueOf(node) }, expected, text);
      const bytes = Buffer.from(text);
      // Bytes cannot hold half of a pair of surrogates.
      if (bytes.toString() === text) {
        const raw = bytes.toString('latin1');
        const same = new JsonText(bytes).parse(0, raw.length);
        assert.deepEqual(same && { value: valueOf(same) }, expected, text);
      }
      verdicts[expected ? 'taken' : 'refused']++;
    }
    assert.ok(verdicts.taken > 500 && verdicts.refused > 500, JSON.stringify(verdicts));
  });

  it('reads values in any order, each from its own part of a text', () => {
    const lines = [String.raw`{"a":"1\n"}`, '{"a":"2', String.raw`{"a":"\x"}`, '{"a":"4"}'];
    const text = lines.join('\n');
    const source = new JsonText(text);
    const read = (at: number) => {
      const start = lines.slice(0, at).reduce((sum, line) => sum + line.length + 1, 0);
      return stringIn(source.parse(start, start + (lines[at]?.length ?? 0)), 'a');
    };
    assert.deepEqual([3, 0, 2, 1, 0, 3].map(read), ['4', '1\n', undefined, undefined, '1\n', '4']);
  });

  it('reads a text again after a part of it was refused', () => {
    const text = String.raw`"\"\"x"`;
    const source = new JsonText(text);
    assert.equal(source.parse(0, text.length - 1), undefined);
    const node = source.parse(0, text.length);
    assert.deepEqual(node && valueOf(node), '""x');
  });

  it('gives the same node for a member, however it is asked for', () => {
    const node = parsed('{"a":{"b":1},"c":2,"a":{"d":3}}');
    const a = memberOf(node, 'a');
    assert.ok(a && node.type === 'object');
    assert.equal(node.members.get('a'), a);
    assert.equal(memberOf(node, 'a'), a);
    node.members.delete('a');
    assert.equal(memberOf(node, 'a'), undefined);
  });

  it('lists members as the map of them has them', () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`k${at}`, at]));
    for (const text of ['{}', '{"a":1,"b":[2]}', '{"a":1,"b":2,"a":3}', JSON.stringify(many)]) {
      const [listed, mapped] = [parsed(text), parsed(text)];
      assert.ok(listed.type === 'object' && mapped.type === 'object');
      const keys = Array.from(listed.entries(), ([key, member]) => [key, valueOf(member)]);
      const own = Array.from(mapped.members, ([key, member]) => [key, valueOf(member)]);
      assert.deepEqual(keys, own, text);
    }
  });

  it('finds a key whose characters are escaped, and tells keys of one hash apart', () => {
    // `Aa` and `BB` have the same hash.
    const node = parsed(String.raw`{"Aa":"1","BB":"2","\u0061b":"3","é\n":"4"}`);
    assert.deepEqual(
      ['Aa', 'BB', 'ab', 'é\n', 'aB'].map(key => stringIn(node, key)),
      ['1', '2', '3', '4', undefined],
    );
  });

  it('reads a part of a text and no further', () => {
    const text = 'x["a", 12]y';
    const node = parseJsonNode(text, 1, 10);
    assert.deepEqual(node && valueOf(node), ['a', 12]);
    assert.deepEqual(node && [node.start, node.end], [1, 10]);
    assert.equal(parseJsonNode(text, 1, 9), undefined);
    const digit = parseJsonNode('12', 0, 1);
    assert.deepEqual(digit && [valueOf(digit), digit.end], [1, 1]);
    assert.equal(parseJsonNode('"ab"', 0, 3), undefined);
  });

  it('knows the places of values and keys, and takes the last of two equal keys', () => {
    const text = '{"a": 1, "b": "x", "a": [2]}';
    const node = parsed(text);
    assert.equal(node.keyStart, -1);
    const [b, a] = [memberOf(node, 'b'), memberOf(node, 'a')];
    assert.ok(a && b && node.type === 'object');
    assert.deepEqual([...node.members.keys()], ['b', 'a']);
    assert.equal(text.slice(b.keyStart, b.end), '"b": "x"');
    assert.equal(text.slice(a.keyStart, a.end), '"a": [2]');
    assert.equal(listIn(node, 'a')?.items[0]?.keyStart, -1);
  });

  it('takes 1000 levels and no more', () => {
    assert.ok(parseJsonNode(nested(1000)));
    assert.equal(parseJsonNode(nested(1001)), undefined);
    assert.ok(parseJsonNode(objects(1000)));
    assert.equal(parseJsonNode(objects(1001)), undefined);
  });

  it('gives members of the type that is asked for', () => {
    const node = parsed('{"s":"x","n":0,"t":true,"f":false,"z":null,"l":[]}');
    const keys = ['s', 'n', 't', 'f', 'z', 'l', 'none'];
    assert.deepEqual(
      keys.map(key => stringIn(node, key)),
      ['x', ...Array(6)],
    );
    assert.deepEqual(
      keys.map(key => numberIn(node, key)),
      [undefined, 0, ...Array(5)],
    );
    assert.deepEqual(
      keys.filter(key => isTrueIn(node, key)),
      ['t'],
    );
    assert.deepEqual(
      keys.filter(key => listIn(node, key)),
      ['l'],
    );
    assert.equal(memberOf(parsed('[1]'), '0'), undefined);
    assert.equal(memberOf(undefined, 'a'), undefined);
  });
});

describe('the text of a value', () => {
  it('is its own, and new only where it has changed', () => {
    const text = '{ "a" : [ 1 , 2 ], "é\\n": { "b" : "c" } }';
    const node = parsed(text);
    assert.equal(nodeText(node, text), text);
    node.isChanged = true;
    assert.equal(nodeText(node, text), '{"a":[ 1 , 2 ],"é\\n":{ "b" : "c" }}');
    const list = listIn(node, 'a');
    assert.ok(list);
    list.isChanged = true;
    list.items.pop();
    assert.equal(nodeText(node, text), '{"a":[1],"é\\n":{ "b" : "c" }}');
  });

  for (const { literal, left, written } of [
    { literal: String.raw`"a\nb\nc"`, left: 'a\nc', written: String.raw`"a\nc"` },
    { literal: String.raw`"\u0061\nb\u000Ac"`, left: 'a\nb', written: String.raw`"\u0061\nb"` },
    { literal: String.raw`"a\u000ab\/\n"`, left: 'b/\n', written: String.raw`"b\/\n"` },
    { literal: String.raw`"a\nb\n"`, left: 'b', written: '"b"' },
    { literal: String.raw`"\\n\nb"`, left: '\\n\n', written: String.raw`"\\n\n"` },
    { literal: String.raw`"\t\na"`, left: 'a', written: '"a"' },
    { literal: String.raw`"a\nb"`, left: 'other\n"', written: String.raw`"other\n\""` },
    { literal: String.raw`"a\nb"`, left: 'b\na', written: String.raw`"b\na"` },
    { literal: String.raw`"a\nb"`, left: '', written: '""' },
    // Letters that would end a line behind a backslash.
    { literal: String.raw`"nun\nu000an\nn"`, left: 'u000an\nn', written: String.raw`"u000an\nn"` },
    { literal: String.raw`"\\n\\u000a\n\u00e9n"`, left: 'én', written: String.raw`"\u00e9n"` },
    {
      literal: String.raw`"one\n\n\u000Atwo"`,
      left: 'one\n\ntwo',
      written: String.raw`"one\n\ntwo"`,
    },
    { literal: String.raw`"\/a\n\/a\n"`, left: '/a\n/a\n', written: String.raw`"\/a\n\/a\n"` },
    { literal: '""', left: '', written: '""' },
    { literal: String.raw`"\u0061\nb"`, left: 'a', written: String.raw`"\u0061"` },
    { literal: String.raw`"\/a\u000Ab"`, left: '/a', written: String.raw`"\/a"` },
    { literal: String.raw`"\n"`, left: '\n', written: String.raw`"\n"` },
  ])
    it(`keeps the escapes of lines that stay: ${literal} as ${JSON.stringify(left)}`, () => {
      assert.equal(writeLiteral(literal, JSON.parse(literal), left), written);
    });
});
