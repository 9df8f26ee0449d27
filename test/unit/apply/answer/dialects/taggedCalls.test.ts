import assert from 'node:assert/strict';
import {
  ownLines,
  startsTaggedCall,
  taggedCallAt,
  valueOf,
} from '../../../../../src/apply/answer/dialects/taggedCalls';
import { part } from '../../../../../src/apply/answer/operations';

function read(
  text: string,
  { named = undefined as string | undefined, at = 0, unclosed = new Set<string>() } = {},
) {
  const found = taggedCallAt(
    text.split('\n'),
    at,
    patch => [part(patch, { kind: 'diff', diff: patch })],
    {
      named,
      unclosed,
    },
  );
  return {
    end: found?.end,
    operations: found?.parts.map(({ operation }) =>
      operation.kind === 'none' ? operation.reason.text : operation,
    ),
    sources: found?.parts.map(({ source }) => source),
    unclosed: [...unclosed],
  };
}
const write = (text: string) => [{ kind: 'write', path: 'a.ts', text }];

const invoke = (prefix = ''): string =>
  `<${prefix}invoke name="write">\n<${prefix}parameter name="path">a.ts</${prefix}parameter>\n<${prefix}parameter name="content">\nx\ny\n</${prefix}parameter>\n</${prefix}invoke>`;

describe('a call between tags', () => {
  it('has its name and its parameters in attributes, with or without a prefix', () => {
    for (const prefix of ['', 'ns:']) {
      assert.deepEqual(read(invoke(prefix)).operations, write('x\ny'), prefix);
      assert.deepEqual(read(`words\n${invoke(prefix)}\nmore`, { at: 1 }).end, 8);
    }
    assert.deepEqual(read(`${invoke()}\nmore`).sources, [invoke()]);
  });

  it('has them in the tags', () => {
    const text =
      '<function=write>\n<parameter=path>a.ts</parameter>\n<parameter=content>x</parameter>\n</function>';
    assert.deepEqual(read(text).operations, write('x'));
    assert.equal(read(`${text}\nmore`).end, 4);
  });

  it('may hold the tags of a parameter in a text', () => {
    const text =
      '<invoke name="write"><parameter name="path">a.ts</parameter><parameter name="content">a </parameter> b</parameter></invoke>';
    assert.deepEqual(read(text).operations, write('a </parameter> b'));
  });

  it('is JSON between other tags', () => {
    const json = '{"name": "write", "arguments": {"path": "a.ts", "content": "x"}}';
    for (const tag of ['tool_call', 'tool_use', 'function_call']) {
      assert.deepEqual(read(`<${tag}>\n${json}\n</${tag}>`).operations, write('x'), tag);
      assert.deepEqual(
        read(`<${tag}>${json}</${tag}>
more`).operations,
        write('x'),
      );
      assert.equal(
        read(`<${tag}>${json}</${tag}>
more`).end,
        1,
      );
      assert.deepEqual(read(`<${tag}>\n${json.slice(0, -1)}\n</${tag}>`), {
        end: 3,
        operations: ['The call of a tool cannot be read. The answer may be cut off.'],
        sources: [`<${tag}>\n${json.slice(0, -1)}\n</${tag}>`],
        unclosed: [],
      });
    }
    assert.equal(read(`<tool_call>\n${invoke()}\n</tool_call>`).end, undefined);
  });

  it('is a pair of texts for the file that is known', () => {
    const blocks = [{ search: 'o', replace: 'n\nm' }];
    const text = '<old_text line=3>\no\n</old_text>\n<new_text>\nn\nm\n</new_text>';
    assert.deepEqual(read(`${text}\nmore`, { named: 'a.ts' }), {
      end: 7,
      operations: [{ kind: 'blocks', path: 'a.ts', blocks }],
      sources: [text],
      unclosed: [],
    });
    assert.deepEqual(read(text).operations, [{ kind: 'blocks', path: undefined, blocks }]);
    assert.equal(read('<old_text>o\n</new_text>').end, undefined);
  });

  it('is none where nothing closes it, which is remembered', () => {
    for (const [line, close] of [
      ['<invoke name="write">', '</invoke>'],
      ['<ns:invoke name="write">', '</ns:invoke>'],
      ['<function=write>', '</function>'],
      ['<tool_call>', '</tool_call>'],
      ['<old_text>', '</new_text>'],
    ] as const) {
      const open = read(`${line}\nx`);
      assert.deepEqual([open.end, open.unclosed], [undefined, [close]], line);
      assert.equal(read(`${line}\n${close}`, { unclosed: new Set([close]) }).end, undefined);
      const other = read(`${line}\n${invoke()}\n<old_text>\n${close}`);
      assert.deepEqual([other.end, other.unclosed], [undefined, []], line);
    }
    assert.deepEqual(read('words\n</undefined>'), {
      end: undefined,
      operations: undefined,
      sources: undefined,
      unclosed: [],
    });
  });

  it('begins with one of its tags', () => {
    for (const line of [
      '  <invoke name="x">',
      '<function=x>',
      '<tool_use>',
      '<old_text>',
      '<old_text a="b">',
    ])
      assert.ok(startsTaggedCall(line), line);
    for (const line of [
      '<invoke>',
      '<function>',
      '<tool>',
      '<new_text>',
      'x <tool_use>',
      '<old_texts>',
    ])
      assert.ok(!startsTaggedCall(line), line);
  });
});

describe('an argument that is written as text', () => {
  it('is a value where it is none of the texts', () => {
    assert.equal(valueOf('insert_line', '3'), 3);
    assert.equal(valueOf('replace_all', 'true'), true);
    assert.deepEqual(valueOf('edits', '[{"a": 1}]'), [{ a: 1 }]);
    assert.equal(valueOf('content', '3'), '3');
    assert.equal(valueOf('title', '"x"'), '"x"');
    assert.equal(valueOf('title', 'x'), 'x');
  });

  it('loses the line ends next to its tags, and only those', () => {
    assert.equal(ownLines('  \n  x\n\n  '), '  x\n');
    assert.equal(ownLines('\n\nx'), '\nx');
    assert.equal(ownLines('  x  '), '  x  ');
  });
});
