import assert from 'node:assert/strict';
import { callFor } from '../../../../../src/compact/sessions/convert/tools';

const call = (name: string, input: Record<string, unknown>) => ({ name, input, result: '' });

describe('a call in the terms of another tool', () => {
  it('runs the same command', () => {
    for (const input of [
      { command: 'ls' },
      { cmd: 'ls' },
      { command: ['bash', '-lc', 'ls'] },
      { command: ['ls'] },
    ])
      assert.deepEqual(callFor('codex', call('shell', input)), {
        name: 'exec_command',
        input: { cmd: 'ls' },
      });
    for (const name of ['Bash', 'terminal', 'developer__shell', 'Execute', 'run_terminal_command'])
      assert.equal(callFor('gemini', call(name, { command: 'ls' }))?.name, 'run_shell_command');
    assert.equal(callFor('codex', call('shell', { timeout: 1 })), undefined);
  });

  it('reads and writes the same file', () => {
    assert.deepEqual(callFor('opencode', call('Read', { file_path: 'a' })), {
      name: 'read',
      input: { filePath: 'a' },
    });
    assert.deepEqual(callFor('claudeCode', call('create', { path: 'a', file_text: 'b' })), {
      name: 'Write',
      input: { file_path: 'a', content: 'b' },
    });
    assert.equal(callFor('gemini', call('read_file', {})), undefined);
    assert.equal(callFor('gemini', call('write', { path: 'a' })), undefined);
  });

  it('is none where the tool has nothing like it', () => {
    assert.equal(callFor('codex', call('Read', { file_path: 'a' })), undefined);
    assert.equal(callFor('claudeCode', call('WebSearch', { query: 'a' })), undefined);
  });
});
