import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isRecord } from '../../../../src/base/typeGuards';
import { JsonItems } from '../../../../src/service/stream/jsonItems';

const options = {
  listNames: ['results', 'data'],
  isItem: (value: unknown) => isRecord(value) && 'id' in value,
  maxChars: 200,
};

/** The items of a text that comes in pieces, and whether it ended within a value. */
function itemsOf(...chunks: readonly string[]) {
  const reader = new JsonItems(options);
  const items = chunks.flatMap(chunk => reader.feed(chunk));
  return { items, isWhole: reader.isWhole, isFound: reader.isFound };
}

const item = (length: number): string => `{"id":"${'x'.repeat(length - 9)}"}`;
const one = { id: 1, text: 'a "quoted" } ] text \\', data: [{ x: 1 }, { x: 2 }] };
const two = { id: 2, data: [] };
const list = JSON.stringify([one, two]);
const forms: Readonly<Record<string, string>> = {
  'a list': list,
  'an envelope': `{"object":"list","count":2,"data":${list},"more":{"id":3}}`,
  'an envelope with the other name': ` {"results" : ${list} } `,
  'JSON lines': `${JSON.stringify(one)}\n${JSON.stringify(two)}\n`,
  'an indented list': JSON.stringify([one, two], null, 2),
};

describe('the items of a JSON text', () => {
  for (const [name, text] of Object.entries(forms)) {
    it(`are those of ${name}, wherever it is cut into pieces`, () => {
      const expected = { items: [one, two], isWhole: true, isFound: true };
      assert.deepEqual(itemsOf(text), expected);
      assert.deepEqual(itemsOf(...text.split('')), expected);
      fc.assert(
        fc.property(fc.array(fc.nat(text.length), { maxLength: 4 }), cuts => {
          const sorted = [0, ...cuts.toSorted((a, b) => a - b), text.length];
          const chunks = sorted.slice(1).map((end, at) => text.slice(sorted[at], end));
          assert.deepEqual(itemsOf(...chunks), expected);
        }),
        { numRuns: 50 },
      );
    });
  }

  it('come as soon as they are complete', () => {
    const reader = new JsonItems(options);
    assert.deepEqual(reader.feed('{"data":[{"id":1'), []);
    assert.deepEqual([reader.isWhole, reader.isFound], [false, true]);
    assert.deepEqual(reader.feed('},{"id":2}'), [{ id: 1 }, { id: 2 }]);
    assert.equal(reader.isWhole, false);
    assert.deepEqual(reader.feed(']}'), []);
    assert.equal(reader.isWhole, true);
  });

  it('are the lines where these hold a list with the same name', () => {
    const line = { status: 'done', data: [{ x: 1 }] };
    assert.deepEqual(itemsOf(`${JSON.stringify(line)}\n{"id":2}`).items, [line, { id: 2 }]);
  });

  it('are none of an envelope with an empty list, unless more lines follow', () => {
    assert.deepEqual(itemsOf('{"data":[]}'), { items: [], isWhole: true, isFound: true });
    assert.deepEqual(itemsOf('[]'), { items: [], isWhole: true, isFound: true });
    assert.deepEqual(itemsOf('{"id":1,"data":[]}\n{"id":2}').items, [
      { id: 1, data: [] },
      { id: 2 },
    ]);
  });

  it('are not found in a list of another name or further in', () => {
    assert.deepEqual(itemsOf('{"others":[{"id":1}]}').items, [{ others: [{ id: 1 }] }]);
    assert.deepEqual(itemsOf('{"a":{"data":[{"id":1}]}}').items, [{ a: { data: [{ id: 1 }] } }]);
  });

  it('are undefined where they are no JSON', () => {
    assert.deepEqual(itemsOf('[{"id":1},{id:2},{"id":3}]').items, [
      { id: 1 },
      undefined,
      { id: 3 },
    ]);
  });

  it('are not found in other text', () => {
    assert.deepEqual(itemsOf('words ] } and "more'), { items: [], isWhole: false, isFound: false });
  });

  it('may have as many characters as is said, in a list of any length', () => {
    const reader = new JsonItems(options);
    for (let at = 0; at < 20; at++) reader.feed(`${at === 0 ? '[' : ','}${item(150)}`);
    assert.equal(new JsonItems(options).feed(`[${item(201).slice(0, -1)}`).length, 0);
    assert.throws(() => new JsonItems(options).feed(`[${item(202).slice(0, -1)}`), {
      kind: 'tooLarge',
      message: /item above 200 characters/,
    });
  });
});
