import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Files of `src` whose code matches. */
function filesWith(pattern: RegExp): string[] {
  return readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts'))
    .filter(name => pattern.test(readFileSync(path.join('src', name), 'utf8')))
    .map(name => name.replaceAll('\\', '/'))
    .toSorted();
}

describe('dialogs that must be answered', () => {
  it('are opened by `confirm` only, whose default button sends, spends, writes and deletes nothing', () => {
    assert.deepEqual(filesWith(/\bmodal:\s*true\b/), ['platform/confirm.ts']);
    const source = readFileSync('src/platform/confirm.ts', 'utf8');
    assert.match(source, /choose\(question, detail, no, yes\)\) === yes/);
    assert.match(source, /showWarningMessage\(question, \{ modal: true, detail \}, safe, /);
  });

  it('stand before no answer of the chat', () => {
    const inChat = filesWith(/\bconfirm\(|\baskAboutFinding\b|consent\.ask\(/);
    for (const name of [
      'chat/applyCommand.ts',
      'chat/compactCommand.ts',
      'chat/participant.ts',
      'chat/routeCommand.ts',
      'chat/searchCommand.ts',
      'reflex/guard/forwardPrompt.ts',
      'platform/tools/chatTurns.ts',
    ])
      assert.ok(!inChat.includes(name), name);
  });
});
