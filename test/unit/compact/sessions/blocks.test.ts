import assert from 'node:assert/strict';
import { argumentsText, contentParts, createCall } from '../../../../src/compact/sessions/blocks';
import { UnsupportedHistory } from '../../../../src/compact/sessions/history';
import { parseJsonNode } from '../../../../src/compact/sessions/json';

const partsOf = (json: string) => {
  const node = parseJsonNode(json) ?? assert.fail(json);
  return contentParts(node, { tool: 'Tool' }).map(
    ({ kind, type, text, isEditable, name, callId }) =>
      [kind, type, text, ...(isEditable ? ['editable'] : []), name ?? '', callId ?? '']
        .join(' ')
        .trim(),
  );
};

describe('the content of a message', () => {
  for (const [block, part] of [
    ['"words"', 'text text words editable'],
    ['{"type":"text","text":"words"}', 'text text words editable'],
    ['{"type":"input_text","text":"words"}', 'text text words editable'],
    ['{"type":"output_text","text":"words"}', 'text text words editable'],
    ['{"type":"text","text":5}', 'text text'],
    ['{"type":"text"}', 'other other'],
    ['{"type":"thinking","thinking":"hm"}', 'thinking thinking hm'],
    ['{"type":"reasoning","text":"hm"}', 'thinking thinking hm'],
    ['{"type":"reasoning"}', 'thinking thinking'],
    ['{"type":"redacted_thinking"}', 'other encrypted'],
    ['{"type":"encrypted_content"}', 'other encrypted'],
    ['{"type":"thoughtSignature"}', 'other encrypted'],
    ['{"type":"image"}', 'other image'],
    ['{"type":"image_url"}', 'other image'],
    ['{"type":"input_image"}', 'other image'],
    ['{"type":"imageUrl"}', 'other image'],
    ['{"type":"document"}', 'other other'],
    ['{"type":"file"}', 'other other'],
    ['{"type":"input_file"}', 'other other'],
    ['{"type":"input_audio"}', 'other other'],
    ['{"type":"audio"}', 'other other'],
    ['{"type":"refusal"}', 'other other'],
    ['{"type":"tool_reference"}', 'other other'],
    [
      '{"type":"tool_use","name":"run","id":"c","input":{"a":[1,"b"]}}',
      'other tool_call a: 1\na: b run c',
    ],
    ['{"type":"server_tool_use","name":"run","id":"c"}', 'other tool_call  run c'],
    ['{"type":"mcp_tool_use"}', 'other tool_call'],
    [
      '{"type":"tool_result","tool_use_id":"c","content":"out"}',
      'tool_result tool_result out editable  c',
    ],
    ['{"type":"tool_result","tool_use_id":"c","content":[]}', 'other other   c'],
    ['{"type":"web_search_tool_result","tool_use_id":"c","content":"x"}', 'other other   c'],
  ] as const)
    it(`has a part for ${block}`, () => {
      assert.deepEqual(partsOf(`[${block}]`), [part]);
    });

  it('may be nothing or a text, and is refused when its type is not known', () => {
    assert.deepEqual(contentParts(undefined, { tool: 'Tool' }), []);
    assert.deepEqual(partsOf('null'), []);
    assert.deepEqual(partsOf('"words"'), ['text text words editable']);
    for (const json of [
      '5',
      'true',
      '{}',
      '[5]',
      '[{}]',
      '[{"type":"new"}]',
      '[{"type":"xtool_result"}]',
    ])
      assert.throws(() => partsOf(json), UnsupportedHistory, json);
  });

  it('may be emptied only where the tool accepts that', () => {
    const text = parseJsonNode('"words"');
    const emptied = (more: { mayBeEmpty?: boolean }) =>
      contentParts(text, { tool: 'Tool', ...more })[0]?.location.mayBeEmpty;
    assert.deepEqual([emptied({}), emptied({ mayBeEmpty: true })], [false, true]);
  });

  it('has the lines of a call with the place and the length of each value', () => {
    const input = parseJsonNode('{"path":"a.ts","edits":[{"old":"x\\ny","all":true}]}');
    const { text, location } = createCall(input, {});
    assert.equal(text, 'path: a.ts\nold: x\ny\nall: true');
    assert.deepEqual(
      location.call?.fields.map(({ lineCount, nameLength }) => [lineCount, nameLength]),
      [
        [1, 6],
        [2, 5],
        [1, 5],
      ],
    );
    assert.equal(location.call?.quoted, undefined);
    const quoted = parseJsonNode(String.raw`"{\"path\":\"a.ts\"}"`);
    assert.equal(createCall(quoted, {}).location.call?.quoted, quoted);
    const plain = createCall(parseJsonNode('"npm test"'), {}, { name: 'run', callId: 'c' });
    assert.deepEqual(
      [plain.text, plain.name, plain.callId, plain.location.call?.fields[0]?.nameLength],
      ['npm test', 'run', 'c', 0],
    );
    assert.equal(createCall(undefined, {}).location.call, undefined);
  });

  it('has arguments as lines, also those that are JSON in a text', () => {
    for (const [json, text] of [
      ['{"a":{"b":1,"c":[true,"x"]},"d":null}', 'b: 1\nc: true\nc: x\nd: null'],
      [String.raw`"{\"a\":1}"`, 'a: 1'],
      ['"plain words"', 'plain words'],
      ['[1,2]', '1\n2'],
      ['{}', ''],
    ] as const)
      assert.equal(argumentsText(parseJsonNode(json)), text);
    assert.equal(argumentsText(undefined), '');
  });
});
