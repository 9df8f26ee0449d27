import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  hookCommand,
  isOurCommand,
  type WindowsShell,
} from '../../../../../../src/apply/external/agents/core/hookCommand';

const commandFor = (isWindows: boolean, folder: string, shell: WindowsShell): string => {
  const made = hookCommand({ isWindows, folder }, shell, ['claude']);
  return 'command' in made ? made.command : 'problem';
};

describe('the command of a hook', () => {
  it('is one that the settings are searched for later', () => {
    for (const isWindows of [true, false])
      assert.ok(isOurCommand(commandFor(isWindows, 'x', 'cmd')));
    assert.equal(isOurCommand('say done'), false);
  });

  it('quotes for the shell that runs it on Windows', () => {
    const folder = 'C:\\Users\\A B\\splice';
    assert.equal(
      commandFor(true, folder, 'bash or PowerShell'),
      String.raw`node 'C:\Users\A B\splice\splice-spool.cjs' 'C:\Users\A B\splice\events.jsonl' claude`,
    );
    assert.equal(
      commandFor(true, folder, 'cmd'),
      String.raw`cd /d C:\Users\A B\splice&& node splice-spool.cjs events.jsonl claude`,
    );
  });

  it('is refused for a folder that the shell would read as something else', () => {
    assert.equal(commandFor(true, "C:\\O'Brien", 'bash or PowerShell'), 'problem');
    for (const character of '%^&"|!')
      assert.equal(commandFor(true, `C:\\a${character}b`, 'cmd'), 'problem', character);
    assert.equal(commandFor(false, '/a\nb', 'cmd'), 'problem');
  });

  if (process.platform !== 'win32') {
    it('runs the program in any folder, and nothing when the folder is gone', () => {
      const folder = mkdtempSync(path.join(tmpdir(), 'splice-hooks-'));
      const odd = path.join(folder, `it's $HOME "a" \`b\` \\ *;&`);
      try {
        const command = commandFor(false, odd, 'cmd');
        const run = (): string => execFileSync('sh', ['-c', command], { encoding: 'utf8' });
        assert.equal(run(), '');
        mkdirSync(odd);
        writeFileSync(path.join(odd, 'splice-spool.sh'), `printf '%s|' "$@"`);
        assert.equal(run(), `${odd}/events.jsonl|claude|`);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
  }
});
