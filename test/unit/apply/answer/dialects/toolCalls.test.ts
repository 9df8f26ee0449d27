import assert from 'node:assert/strict';
import {
  damagedCall,
  isTextArgument,
  partsOfCall,
  readToolCalls,
} from '../../../../../src/apply/answer/dialects/toolCalls';
import { type EditPart, part } from '../../../../../src/apply/answer/operations';

const readPatch = (text: string): EditPart[] => [part(text, { kind: 'diff', diff: text })];
const shown = (parts: readonly EditPart[] | undefined) =>
  parts?.map(({ operation }) =>
    operation.kind === 'none' ? { ...operation, reason: operation.reason.text } : operation,
  );
const read = (value: unknown) => shown(readToolCalls(JSON.stringify(value), readPatch));
const call = (name: string, args: Readonly<Record<string, unknown>>) =>
  shown(partsOfCall(name, args, readPatch))?.[0];

const write = { kind: 'write', path: 'a.ts', text: 'x' } as const;
const given = { path: 'a.ts', content: 'x' };
const patch = '*** Begin Patch\n*** Delete File: a.ts\n*** End Patch';

describe('the arguments of a call', () => {
  it('may have other names', () => {
    for (const path of [
      'path',
      'file_path',
      'filePath',
      'target_file',
      'absolute_path',
      'TargetFile',
    ])
      for (const content of ['content', 'file_text', 'new_content', 'CodeContent'])
        assert.deepEqual(
          call('write', { [path]: 'a.ts', [content]: 'x' }),
          write,
          `${path}, ${content}`,
        );
    const blocks = [{ search: 'o', replace: 'n' }];
    for (const old of ['old_str', 'oldString', 'old_text', 'search', 'find', 'TargetContent'])
      for (const fresh of ['new_str', 'newString', 'new_text', 'replace', 'replacement'])
        assert.deepEqual(
          call('edit', { path: 'a.ts', [old]: 'o', [fresh]: 'n' }),
          { kind: 'blocks', path: 'a.ts', blocks },
          `${old}, ${fresh}`,
        );
  });

  it('are texts or not by their names', () => {
    for (const name of ['path', 'old_str', 'newText', 'diff', 'destination', 'from', 'content'])
      assert.ok(isTextArgument(name), name);
    for (const name of ['insert_line', 'edits', 'replace_all', ''])
      assert.ok(!isTextArgument(name), name);
  });
});

const at = (line: number | string) => ({ kind: 'insert', path: 'a.ts', line, text: 'x' });

describe('what a call does', () => {
  it('renames with two paths, of which the first may have any name', () => {
    const moved = { kind: 'rename', path: 'a.ts', newPath: 'b.ts' };
    assert.deepEqual(call('move_file', { from: 'a.ts', to: 'b.ts' }), moved);
    assert.deepEqual(call('rename', { path: 'a.ts', new_path: 'b.ts' }), moved);
    assert.deepEqual(call('move', { path: 'x.ts', source: 'a.ts', destination: 'b.ts' }), moved);
    assert.equal(call('move_file', { from: 'a.ts' })?.kind, 'none');
    assert.equal(call('edit', { from: 'a.ts', to: 'b.ts' })?.kind, 'none');
  });

  it('deletes, whatever else it has', () => {
    for (const name of ['delete_file', 'remove', 'unlink'])
      assert.deepEqual(call(name, given), { kind: 'delete', path: 'a.ts' }, name);
    assert.deepEqual(call('editor', { ...given, command: 'delete' }), {
      kind: 'delete',
      path: 'a.ts',
    });
  });

  it('inserts in front of a line that counts from 1, or behind one that counts from 0', () => {
    assert.deepEqual(call('insert_content', { ...given, line: 3 }), at(2));
    assert.deepEqual(call('insert_content', { ...given, line: 1 }), at(0));
    assert.deepEqual(call('insert_content', { ...given, line: 0 }), at('end'));
    assert.deepEqual(call('write', { ...given, line: 3 }), write);
    assert.deepEqual(call('insert_content', { ...given, line: '3' }), write);
    assert.deepEqual(call('edit', { path: 'a.ts', insert_line: 3, new_str: 'x' }), at(3));
    assert.deepEqual(call('edit', { path: 'a.ts', insertLine: 0, insert_text: 'x' }), at(0));
    assert.equal(call('edit', { path: 'a.ts', insert_line: 3, insert_text: 4 })?.kind, 'none');
    assert.equal(call('edit', { path: 'a.ts', insert_line: '3', new_str: 'x' })?.kind, 'none');
  });

  it('replaces one text or several, in one place or everywhere', () => {
    const blocks = [{ search: 'o', replace: 'n' }];
    const one = { path: 'a.ts', old_str: 'o', new_str: 'n' };
    assert.deepEqual(
      call('edit', { path: 'a.ts', edits: [{ old: 1, old_str: 'o', new_str: 'n' }] }),
      {
        kind: 'blocks',
        path: 'a.ts',
        blocks,
      },
    );
    for (const name of ['replace_all', 'replaceAll', 'allow_multiple']) {
      const everywhere = { kind: 'blocks', path: 'a.ts', blocks, isEverywhere: true };
      assert.deepEqual(call('edit', { ...one, [name]: true }), everywhere, name);
      for (const value of [false, 'true', 1])
        assert.deepEqual(call('edit', { ...one, [name]: value }), {
          kind: 'blocks',
          path: 'a.ts',
          blocks,
        });
    }
    const half = { path: 'a.ts', edits: [{ old_str: 'o', new_str: 'n' }, { old_str: 'p' }] };
    assert.equal(call('edit', half)?.kind, 'none');
    assert.equal(call('edit', { path: 'a.ts', old_str: 'o' })?.kind, 'none');
  });

  it('writes a file, or sketches a change of it', () => {
    assert.deepEqual(call('write', given), write);
    assert.deepEqual(call('edit_file', { target_file: 'a.ts', code_edit: 'x' }), {
      kind: 'snippet',
      path: 'a.ts',
      text: 'x',
    });
    assert.deepEqual(call('create', { path: 'a.ts', diff: '+one\n\n+two' }), {
      ...write,
      text: 'one\n\ntwo',
    });
    assert.deepEqual(call('create', { path: 'a.ts', diff: '+one\ntwo' }), {
      ...write,
      text: '+one\ntwo',
    });
    assert.equal(call('edit', { path: 'a.ts', diff: '+one' })?.kind, 'none');
  });

  it('is what its patch does, with the path of the call where the patch has none', () => {
    for (const text of [patch, 'diff --git a/a b/a', '--- a\n+++ b', 'x\n@@ -1 +1 @@'])
      assert.deepEqual(call('edit', { path: 'a.ts', patch: text }), {
        kind: 'diff',
        path: 'a.ts',
        diff: text,
      });
    assert.deepEqual(call('apply', { input: patch }), { kind: 'diff', diff: patch });
    assert.deepEqual(call('shell', { command: `cd x && apply_patch <<'EOF'\n${patch}\nEOF` }), {
      kind: 'diff',
      diff: patch,
    });
    assert.deepEqual(call('shell', { cmd: ['apply_patch', patch] }), { kind: 'diff', diff: patch });
    assert.deepEqual(call('shell', { cmd: ['apply_patch', '*** Begin Patch\n+x'] }), {
      kind: 'diff',
      diff: '*** Begin Patch\n+x',
    });
    const named = partsOfCall('edit', { path: 'b.ts', patch }, text => [
      part(text, { kind: 'delete', path: 'a.ts' }),
    ]);
    assert.deepEqual(named[0]?.operation, { kind: 'delete', path: 'a.ts' });
  });

  it('is nothing for one that only looks or runs, and else is named', () => {
    for (const name of ['read_file', 'grep', 'list_dir', 'bash', 'WebSearch'])
      assert.deepEqual(partsOfCall(name, { path: 'a.ts' }, readPatch), [], name);
    assert.deepEqual(call('frobnicate', { path: 'a.ts' }), {
      kind: 'none',
      path: 'a.ts',
      reason: 'The call of "{0}" is not an edit that can be read.',
    });
    assert.deepEqual(partsOfCall('editor', { ...given, command: 'view' }, readPatch).length, 1);
    assert.deepEqual(partsOfCall('editor', { path: 'a.ts', command: 'view' }, readPatch), []);
  });

  it('has its own text for the source, or the call as JSON', () => {
    assert.equal(partsOfCall('write', given, readPatch, '<write>')[0]?.source, '<write>');
    assert.equal(
      partsOfCall('write', { path: 'a', content: 'x' }, readPatch)[0]?.source,
      '{\n "name": "write",\n "arguments": {\n  "path": "a",\n  "content": "x"\n }\n}',
    );
  });
});

describe('calls in JSON', () => {
  it('have their names and arguments in different places', () => {
    for (const name of ['name', 'tool', 'tool_name', 'toolName', 'recipient_name'])
      for (const args of ['arguments', 'input', 'parameters', 'args', 'params'])
        assert.deepEqual(read({ [name]: 'delete', [args]: { path: 'a.ts' } }), [
          { kind: 'delete', path: 'a.ts' },
        ]);
    assert.deepEqual(read({ name: 'delete', arguments: '{"path":"a.ts"}' }), [
      { kind: 'delete', path: 'a.ts' },
    ]);
    assert.deepEqual(read({ operation: { type: 'delete_file', path: 'a.ts' } }), [
      { kind: 'delete', path: 'a.ts' },
    ]);
    assert.deepEqual(read({ name: 'apply_patch', input: patch }), [{ kind: 'diff', diff: patch }]);
    assert.equal(read({ name: 'apply_patch', input: 'words' }), undefined);
  });

  it('may be arguments alone, if they say what to do', () => {
    assert.deepEqual(read(given), [write]);
    assert.deepEqual(read({ path: 'a.ts', old_str: 'o', new_str: 'n' })?.[0]?.kind, 'blocks');
    assert.deepEqual(
      read({ path: 'a.ts', edits: [{ old_str: 'o', new_str: 'n' }] })?.[0]?.kind,
      'blocks',
    );
    assert.deepEqual(read({ name: 'remove', ...given }), [{ kind: 'delete', path: 'a.ts' }]);
    assert.equal(read({ path: 'a.ts', line: 3 }), undefined);
    assert.equal(read({ content: 'x', line: 3 }), undefined);
  });

  it('may be in lists and messages, up to a depth', () => {
    const nested = (depth: number): unknown => (depth === 0 ? given : [nested(depth - 1)]);
    assert.deepEqual(read(nested(6)), [write]);
    assert.equal(read(nested(7)), undefined);
    assert.deepEqual(
      read({ role: 'assistant', tool_calls: [{ function: { name: 'w', arguments: given } }] }),
      [write],
    );
    assert.deepEqual(read([{ command: ['apply_patch', patch] }, given]), [
      { kind: 'diff', diff: patch },
      write,
    ]);
  });

  it('are one for each file where a list of edits has the paths', () => {
    assert.deepEqual(
      read({ name: 'edit', arguments: { edits: [given, 'x', { ...given, path: 'b.ts' }] } }),
      [write, { ...write, path: 'b.ts' }],
    );
  });

  it('may be one on each line, and are nothing else', () => {
    const line = JSON.stringify(given);
    assert.deepEqual(shown(readToolCalls(`${line}\n\n${line}\n`, readPatch)), [write, write]);
    for (const text of [
      `${line}\nwords`,
      line.slice(1),
      '{',
      `words\n${line}`,
      '[1, 2]',
      '"x"',
      '',
    ])
      assert.equal(readToolCalls(text, readPatch), undefined, text);
  });

  it('are named where they are damaged, if they look like calls', () => {
    const reason = 'The call of a tool cannot be read. The answer may be cut off.';
    for (const line of [
      '{"path": "a.ts", "content": "x',
      '"arguments" : {"x": 1',
      '{"new_str":"x"',
    ])
      assert.deepEqual(shown(damagedCall(line)), [{ kind: 'none', reason }], line);
    for (const line of ['{"path": "a.ts"}', '{"size": 3, "x": ', 'path: a.ts', "{'path': 'a.ts'"])
      assert.equal(damagedCall(line), undefined, line);
  });
});
