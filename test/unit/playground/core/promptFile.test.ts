import assert from 'node:assert/strict';
import { english } from '../../../../src/base/sentence';
import { UserError } from '../../../../src/base/userError';
import { readPrompts, readSchemaFile } from '../../../../src/playground/core/promptFile';

const read = (name: string, text: string) => readPrompts(name, text, english);
const refuses = (run: () => unknown, message: RegExp) =>
  assert.throws(run, error => error instanceof UserError && message.test(error.message));

describe('a file of prompts', () => {
  it('has one prompt in each line of text, or prompts between lines of dashes', () => {
    assert.deepEqual(read('a.txt', '\ufeffone\r\n\r\n two \nthree'), [
      { text: 'one', line: 1 },
      { text: ' two ', line: 3 },
      { text: 'three', line: 4 },
    ]);
    assert.deepEqual(read('a.md', 'one\nmore\n---\n\n---\ntwo\n'), [
      { text: 'one\nmore', line: 1 },
      { text: 'two', line: 6 },
    ]);
    assert.deepEqual(read('a.md', '---\none\n---\n'), [{ text: 'one', line: 2 }]);
  });

  it('has texts and objects in JSON lines', () => {
    const schema = { type: 'object' };
    const rows = read(
      'a.jsonl',
      `"say hi"\n\n${JSON.stringify({ prompt: 'p', system: 's', expected: { a: 1 }, schema, more: 1 })}\n{"prompt":"q","expected":null}`,
    );
    assert.deepEqual(rows, [
      { text: 'say hi', line: 1 },
      { text: 'p', line: 3, system: 's', expected: { a: 1 }, schema },
      { text: 'q', line: 4, system: undefined, expected: undefined, schema: undefined },
    ]);
  });

  it('says which line is wrong, and what to do', () => {
    for (const [text, message] of [
      ['', /^a\.jsonl is empty\. Write a prompt into each line/],
      [' \n\n', /^a\.jsonl is empty/],
      ['"a"\n{"prompt": "b"', /^Line 2 is not valid JSON\. Write one JSON value into each line\.$/],
      ['"a"\n\n{"text": "b"}', /^Line 3 has no prompt\. Write a text, or an object such as/],
      ['"  "', /^Line 1 has no prompt/],
      ['[1]', /^Line 1 has no prompt/],
      ['{"prompt": 5}', /^Line 1 has no prompt/],
      ['{"prompt": "a", "system": 5}', /^Line 1: "system" must be a text\.$/],
      ['{"prompt": "a", "schema": "x"}', /^Line 1: "schema" must be a JSON object\.$/],
      [
        '{"prompt": "a", "schema": {"$ref": "https://example.com/a.json"}}',
        /^Line 1: this schema cannot be checked: \$ref https:\/\/example\.com\/a\.json$/,
      ],
      ['\0\u0001', /^a\.jsonl is not a text file/],
    ] as const)
      refuses(() => read('a.jsonl', text), message);
    refuses(
      () => read('a.txt', 'x\n'.repeat(1002)),
      /^a\.txt has more than 1000 prompts\. Split the file before line 1001\.$/,
    );
    assert.equal(read('a.txt', 'x\n'.repeat(1000)).length, 1000);
  });

  it('belongs to a schema that can be checked', () => {
    assert.deepEqual(readSchemaFile('s.json', '{"type":"object"}', english), { type: 'object' });
    for (const text of ['', '[]', '{'])
      refuses(
        () => readSchemaFile('s.json', text, english),
        /^s\.json is not a JSON schema: it must be a JSON object\.$/,
      );
    refuses(
      () => readSchemaFile('s.json', '{"pattern": "("}', english),
      /^The schema in s\.json cannot be checked: /,
    );
  });
});
