import assert from 'node:assert/strict';
import { mergeEdit } from '../../../../../src/merge';

const test = (title: string, path: string): string => `  test "${title}" do
    request = conn(:get, "${path}")
    result = call(request)
    assert result.status == 200
    assert result.path == "${path}"
  end
`;
const tail = '  defp call(request) do\n    request\n  end\nend\n';
const file = ['one', 'two', 'three'].map(name => test(`serves ${name}`, `/${name}`)).join('\n');
const original = `defmodule ServeTest do\n${file}\n${tail}`;
const inserted = test('serves four', '/four');
const wanted = original.replace('  defp', `${inserted}\n  defp`);

const clause = (name: string): string =>
  `${name}(Socket) ->\n\tok = send(Socket, "${name}"),\n\tclosed = receive_from(Socket),\n\tok.\n\n`;

describe('a new entry between two neighbors that the snippet shows', () => {
  it('takes no entry away that is like it', () => {
    const update = `# ... existing code ...\n    assert result.path == "/three"\n  end\n\n${inserted}\n  defp call(request) do\n    request\n  # ... existing code ...\n`;
    const result = mergeEdit(original, update, { path: 'serve_test.exs' });
    assert.equal(result.kind === 'merged' && result.text, wanted);
  });

  it('may end as its neighbor does', () => {
    const update = `# ... existing code ...\n  end\n\n${inserted}\n  defp call(request) do\n    request\n  end\nend\n`;
    const result = mergeEdit(original, update, { path: 'serve_test.exs' });
    assert.equal(result.kind === 'merged' && result.text, wanted);
  });

  it('may have a comment above it, of whatever language', () => {
    const clauses = `${clause('one')}${clause('two')}${clause('three')}`;
    const end = 'last(Socket) ->\n\tclose(Socket).\n';
    const added = `%% As above.\n${clause('four')}`;
    const update = `%% ... existing code ...\n\tclosed = receive_from(Socket),\n\tok.\n\n${added}${end}`;
    const result = mergeEdit(`${clauses}${end}`, update, { path: 'a_SUITE.erl' });
    assert.equal(result.kind === 'merged' && result.text, `${clauses}${added}${end}`);
  });

  it('replaces an entry that it names', () => {
    const changed = test('serves three', '/3');
    const update = `# ... existing code ...\n  end\n\n${changed}\n  defp call(request) do\n    request\n  # ... existing code ...\n`;
    const result = mergeEdit(original, update, { path: 'serve_test.exs' });
    assert.equal(
      result.kind === 'merged' && result.text,
      original.replace(test('serves three', '/three'), changed),
    );
  });
});
