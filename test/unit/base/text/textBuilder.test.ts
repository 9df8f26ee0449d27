import assert from 'node:assert/strict';
import { JsonValues } from '../../../../src/base/text/jsonValues';
import { TextBuilder } from '../../../../src/base/text/textBuilder';

describe('TextBuilder', () => {
  it('joins any number of pieces in order, also when it is read in between', () => {
    const builder = new TextBuilder();
    assert.equal(builder.text, '');
    let text = '';
    for (let at = 0; at < 5000; at++) {
      builder.add(`${at} `);
      text += `${at} `;
      if (at % 777 === 0) assert.equal(builder.text, text);
    }
    assert.equal(builder.text, text);
    assert.equal(builder.text, text);
  });
});

describe('JsonValues', () => {
  it('reads what is valid and gives nothing else, before and after many errors', () => {
    const values = new JsonValues();
    for (let at = 0; at < 300; at++) {
      assert.equal(values.parse('{"a":'), undefined);
      assert.deepEqual(values.parse(`{"a":${at}}`), { a: at });
    }
  });

  it('stops making an error for each line of a damaged file', () => {
    const { parse } = JSON;
    let calls = 0;
    JSON.parse = (...args: Parameters<typeof parse>): unknown => {
      calls++;
      return parse(...args);
    };
    try {
      const values = new JsonValues();
      for (let at = 0; at < 1000; at++) values.parse('{');
    } finally {
      JSON.parse = parse;
    }
    assert.ok(calls > 0 && calls < 200, `${calls}`);
  });
});
