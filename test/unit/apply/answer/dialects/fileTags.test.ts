import assert from 'node:assert/strict';
import {
  fileTagAt,
  isUnknownFileTag,
  openFileTag,
} from '../../../../../src/apply/answer/dialects/fileTags';
import { part } from '../../../../../src/apply/answer/operations';

/** What the tag at the first line does, where the content of a file is `write` or `sketch`. */
function read(text: string, { named = undefined as string | undefined, at = 0 } = {}) {
  const unclosed = new Set<string>();
  const unnamed = new Set<string>();
  const found = fileTagAt(
    text.split('\n'),
    at,
    (content, { path, source, isWhole }) => [
      part(
        source,
        isWhole ? { kind: 'write', path, text: content } : { kind: 'snippet', path, text: content },
      ),
    ],
    { named, unclosed, unnamed, readPatch: () => [] },
  );
  const operations = found?.parts.map(({ operation }) =>
    operation.kind === 'none' ? operation.reason.text : operation,
  );
  return {
    end: found?.end,
    operations,
    sources: found?.parts.map(({ source }) => source),
    unclosed,
    unnamed,
  };
}
const operationsOf = (text: string, named?: string) => read(text, { named }).operations;

const sketch = (text: string) => [{ kind: 'snippet', path: 'a.ts', text }];
const write = (text: string) => [{ kind: 'write', path: 'a.ts', text }];

describe('a tag that names its file', () => {
  it('does so in an attribute of one of several names', () => {
    for (const name of [
      'path',
      'filePath',
      'file_path',
      'filename',
      'file_name',
      'file',
      'name',
      'title',
    ])
      for (const sign of ['"', "'"])
        assert.deepEqual(
          operationsOf(`<file ${name}=${sign}a.ts${sign}>\nx\n</file>`),
          sketch('x'),
          name,
        );
    assert.equal(operationsOf('<file id="a.ts">\nx\n</file>'), undefined);
    assert.equal(operationsOf('<file name="not a path">\nx\n</file>'), undefined);
  });

  it('is one of files and of tools that edit them', () => {
    for (const tag of [
      'file',
      'edit_file',
      'applyEdit',
      'artifact',
      'ns:codeBlock',
      'my.document',
      'diff-block',
    ])
      assert.deepEqual(operationsOf(`<${tag} path="a.ts">\nx\n</${tag}>`), sketch('x'), tag);
    for (const tag of ['write_to_file', 'createFile', 'file_write'])
      assert.deepEqual(operationsOf(`<${tag} path="a.ts">\nx\n</${tag}>`), write('x'), tag);
    for (const tag of ['div', 'profile', 'files', 'edits', 'answer', 'function_calls'])
      assert.equal(operationsOf(`<${tag} path="a.ts">\nx\n</${tag}>`), undefined, tag);
  });

  it('may hold its text on one line, or beside its tags', () => {
    assert.deepEqual(operationsOf('<file path="a.ts">x</file> y'), sketch('x'));
    assert.deepEqual(operationsOf('<file path="a.ts">x\ny</file>'), sketch('x\ny'));
    assert.deepEqual(operationsOf('<file path="a.ts">\n\nx\n\n</file>'), sketch('\nx\n'));
    assert.deepEqual(operationsOf('  <file path="a.ts">  \nx\n  </file>'), sketch('x'));
  });

  it('ends where its closing tag begins or ends a line', () => {
    const text = '<file path="a.ts">\na </file> b\nc\n</file>\nd';
    assert.deepEqual(read(text).end, 4);
    assert.deepEqual(operationsOf(text), sketch('a </file> b\nc'));
    assert.deepEqual(read(text).sources, ['<file path="a.ts">\na </file> b\nc\n</file>']);
    assert.deepEqual(read(`words\n${text}`, { at: 1 }).end, 5);
  });

  it('is remembered where nothing closes it, or where it names no file', () => {
    const open = read('<file path="a.ts">\nx');
    assert.deepEqual([open.end, [...open.unclosed], [...open.unnamed]], [undefined, ['file'], []]);
    const none = read('<file>\n<name>not a path</name>\n</file>');
    assert.deepEqual([none.end, [...none.unclosed], [...none.unnamed]], [undefined, [], ['file']]);
    const known = { named: undefined, readPatch: () => [] };
    for (const [unclosed, unnamed] of [
      [new Set(['file']), new Set<string>()],
      [new Set<string>(), new Set(['file'])],
    ])
      assert.equal(
        fileTagAt(['<file path="a.ts">', '</file>'], 0, () => [], {
          ...known,
          unclosed: unclosed ?? new Set(),
          unnamed: unnamed ?? new Set(),
        }),
        undefined,
      );
  });

  it('may close itself, and then holds nothing', () => {
    assert.deepEqual(operationsOf('<file path="a.ts" />'), ['The tag of this file is empty.']);
    assert.deepEqual(operationsOf('<delete_file path="a.ts"/>'), [
      { kind: 'delete', path: 'a.ts' },
    ]);
    assert.equal(read('<delete_file path="a.ts"/>\nx').end, 1);
  });
});

describe('a tag with tags in it', () => {
  it('names its file in one of its first lines', () => {
    for (const name of ['path', 'file_path', 'filePath', 'filename', 'file', 'name', 'source'])
      assert.deepEqual(
        operationsOf(
          `<write_file>\n<${name}>a.ts</${name}>\n<content>\nx\ny\n</content>\n</write_file>`,
        ),
        write('x\ny'),
        name,
      );
    assert.deepEqual(operationsOf('<write_file><path>a.ts</path>\nx\n</write_file>'), write('x'));
    assert.deepEqual(
      operationsOf('<write_file>\n\n\n<path>a.ts</path>\nx\n</write_file>'),
      write('x'),
    );
    assert.equal(
      operationsOf('<write_file>\n\n\n\n<path>a.ts</path>\nx\n</write_file>'),
      undefined,
    );
  });

  it('holds its text in one of them, or behind the name', () => {
    for (const name of ['content', 'contents', 'diff', 'code', 'text', 'new_content'])
      assert.deepEqual(
        operationsOf(`<file>\n<path>a.ts</path>\n<${name}>x</${name}>\n</file>`),
        sketch('x'),
        name,
      );
    assert.deepEqual(
      operationsOf('<file>\n<path>a.ts</path>\nx\n<b>y</b>\n</file>'),
      sketch('x\n<b>y</b>'),
    );
    assert.deepEqual(
      operationsOf('<file path="a.ts">\nx\n<path>b.ts</path>\ny\n</file>'),
      sketch('x\n<path>b.ts</path>\ny'),
    );
    assert.deepEqual(
      operationsOf('<file>\n<path>a.ts</path>\n<content>\na</content>b\n  </content>\n</file>'),
      sketch('a</content>b'),
    );
  });

  it('may be the arguments of a tool', () => {
    assert.deepEqual(
      operationsOf(
        '<edit_file>\n<target_file>a.ts</target_file>\n<instructions>do</instructions>\n<code_edit>\nx\n</code_edit>\n</edit_file>',
      ),
      sketch('x'),
    );
    assert.deepEqual(
      operationsOf(
        '<insert_content>\n<path>a.ts</path>\n<line>3</line>\n<content>x</content>\n</insert_content>',
      ),
      [{ kind: 'insert', path: 'a.ts', line: 2, text: 'x' }],
    );
    assert.deepEqual(
      operationsOf(
        '<edit>\n<path>a.ts</path>\n<search>o</search>\n<replace>\nn\nm\n</replace>\n</edit>',
      ),
      [{ kind: 'blocks', path: 'a.ts', blocks: [{ search: 'o', replace: 'n\nm' }] }],
    );
    // The same name twice, or other text between them.
    assert.deepEqual(
      operationsOf('<edit>\n<path>a.ts</path>\n<search>o</search>\n<search>p</search>\n</edit>'),
      sketch('<search>o</search>\n<search>p</search>'),
    );
    assert.deepEqual(
      operationsOf(
        '<edit>\n<path>a.ts</path>\n<search>o</search>\nand\n<replace>n</replace>\n</edit>',
      ),
      sketch('<search>o</search>\nand\n<replace>n</replace>'),
    );
  });
});

describe('a tag that deletes or moves its file', () => {
  const moved = [{ kind: 'rename', path: 'a.ts', newPath: 'b.ts' }];

  it('says so by its name or by an attribute', () => {
    const deleted = [{ kind: 'delete', path: 'a.ts' }];
    for (const tag of [
      'delete_file',
      'removeFile',
      'file action="delete"',
      "file type='remove'",
      'file operation="delete"',
    ])
      assert.deepEqual(operationsOf(`<${tag} path="a.ts"/>`), deleted, tag);
    assert.deepEqual(operationsOf('<delete_file>\n<path>a.ts</path>\n</delete_file>'), deleted);
  });

  it('has both paths in attributes or in tags', () => {
    for (const [from, to] of [
      ['from', 'to'],
      ['path', 'newPath'],
      ['old_path', 'new_path'],
      ['original_file_path', 'new_file_path'],
      ['source', 'destination'],
    ])
      assert.deepEqual(operationsOf(`<rename_file ${from}="a.ts" ${to}='b.ts' />`), moved, from);
    for (const to of ['new_path', 'newPath', 'destination', 'to'])
      assert.deepEqual(
        operationsOf(`<move_file>\n<path>a.ts</path>\n<${to}>b.ts</${to}>\n</move_file>`),
        moved,
        to,
      );
    assert.deepEqual(operationsOf('<file change="move" path="a.ts" to="b.ts" />'), moved);
    assert.deepEqual(operationsOf('<file path="a.ts" to="b.ts">\nx\n</file>'), sketch('x'));
  });
});

describe('a tag with nothing but content', () => {
  it('is for the file that the line above names', () => {
    for (const tag of ['content', 'file_content', 'newContents', 'code', 'text'])
      assert.deepEqual(operationsOf(`<${tag}>\nx\n</${tag}>`, 'a.ts'), sketch('x'), tag);
    assert.equal(operationsOf('<content>\nx\n</content>'), undefined);
    assert.equal(operationsOf('<edit>\nx\n</edit>', 'a.ts'), undefined);
  });
});

const open = (text: string, ...unclosed: string[]) =>
  openFileTag(text.split('\n'), 0, new Set(unclosed))?.path;

describe('a tag that nothing closes', () => {
  it('names its file all the same', () => {
    assert.equal(open('<file path="a.ts">\nx', 'file'), 'a.ts');
    assert.equal(open('<file>\n<path> a.ts </path>\nx', 'file'), 'a.ts');
    assert.equal(open('<file>\n\n\n<target_file>a.ts</target_file>', 'file'), 'a.ts');
    assert.equal(open('<file>\n\n\n\n<path>a.ts</path>', 'file'), undefined);
    assert.equal(open('<file>\nx', 'file'), undefined);
    assert.equal(open('<file path="a.ts">\nx', 'other'), undefined);
    assert.equal(open('words', 'words', ''), undefined);
  });
});

describe('a tag that names a file in another way', () => {
  it('has an attribute with a path and nothing behind it', () => {
    assert.ok(isUnknownFileTag('<file_edit target="src/a.ts">'));
    assert.ok(isUnknownFileTag('<patch lang="ts" where="src/a.ts">  '));
    for (const line of [
      '<file_edit target="src/a.ts">x',
      '<div target="src/a.ts">',
      '<file_edit target="value">',
      '<file_edit>',
      'file target="src/a.ts"',
    ])
      assert.ok(!isUnknownFileTag(line), line);
  });
});
