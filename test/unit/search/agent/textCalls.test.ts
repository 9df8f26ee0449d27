import assert from 'node:assert/strict';
import { callsInText, objectOf } from '../../../../src/search/agent/textCalls';

describe('the arguments of a call that the model wrote', () => {
  it('are an object, the JSON of one, or nothing', () => {
    const own = { a: 1 };
    assert.equal(objectOf(own), own);
    for (const [value, args] of [
      ['{"a":1}', own],
      [JSON.stringify(JSON.stringify(own)), own],
      [undefined, {}],
      [null, {}],
      ['', {}],
      [' \n', {}],
      ['""', {}],
      ['words', undefined],
      ['5', undefined],
      ['[1]', undefined],
      [[own], undefined],
      [true, undefined],
    ] as const)
      assert.deepEqual(objectOf(value), args, JSON.stringify(value));
  });
});

const wrapped = (json: string): string => `<tool_call>\n${json}\n</tool_call>`;

describe('calls in the text of an answer', () => {
  it('are all that have a name, in their order, under either name of the arguments', () => {
    const text = [
      'First I look.',
      wrapped('{"name":"grep_search","arguments":{"pattern":"a"}}'),
      wrapped('{"name":"read","args":"{\\"path\\":\\"a.ts\\"}"}'),
      wrapped('{"name":"glob"}'),
      wrapped('{"name":5,"arguments":{}}'),
      wrapped('{"arguments":{}}'),
      wrapped('{"name":"read",}'),
      wrapped('{"name":"read","arguments":[1]}'),
    ].join('\n');
    assert.deepEqual(callsInText(text), [
      { name: 'grep_search', args: { pattern: 'a' } },
      { name: 'read', args: { path: 'a.ts' } },
      { name: 'glob', args: {} },
      { name: 'read', args: undefined },
    ]);
  });

  it('may be functions with parameters, the last one without its end', () => {
    const text =
      '<tool_call>\n<function=grep_search>\n<parameter=pattern>\na\n\nb\n</parameter>\n</function>\n</tool_call>' +
      '<function=list_directory>\n<parameter=path>src</parameter>';
    assert.deepEqual(callsInText(text), [
      { name: 'grep_search', args: { pattern: 'a\n\nb' } },
      { name: 'list_directory', args: { path: 'src' } },
    ]);
    assert.deepEqual(callsInText('<function=finish></function>'), [{ name: 'finish', args: {} }]);
  });
});
