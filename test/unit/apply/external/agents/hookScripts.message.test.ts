import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { messageName } from '../../../../../src/apply/external/agents/core/handover';
import { hookPrograms } from '../../../../support/hooks';

const text =
  '{"hookSpecificOutput":{"additionalContext":"I undid\\n\\"this\\" — größer % $HOME"}}\n';
const prompt = { hook_event_name: 'UserPromptSubmit', session_id: 's-1', prompt: 'text' };

for (const { name, command, script, start } of hookPrograms) {
  describe(`a message that media/hooks/${name} hands over`, () => {
    let folder: string;
    beforeEach(() => {
      folder = mkdtempSync(path.join(tmpdir(), "splice it's hooks-"));
      mkdirSync(path.join(folder, 'messages'));
    });
    afterEach(() => rmSync(folder, { recursive: true, force: true }));

    const messageFile = (of = 'claude-s-1'): string => path.join(folder, 'messages', of);
    const happens = async (event: object, agent = 'claude', as?: string): Promise<string> => {
      const args = [path.join(folder, 'events.jsonl'), agent, ...(as === undefined ? [] : [as])];
      const { code, output } = await start(args, JSON.stringify(event));
      assert.equal(code, 0);
      return output;
    };

    it('is printed as it is with the next prompt, and is gone then', async () => {
      writeFileSync(messageFile(), text);
      assert.equal(await happens(prompt), text);
      assert.deepEqual(readdirSync(path.join(folder, 'messages')), []);
      assert.equal(await happens(prompt), '');
      const spooled = readFileSync(path.join(folder, 'events.jsonl'), 'utf8');
      assert.equal(spooled.trimEnd().split('\n').length, 2);
    });

    it("is printed with Gemini CLI's name of that event", async () => {
      writeFileSync(messageFile('gemini-s-1'), text);
      const event = { hook_event_name: 'BeforeAgent', session_id: 's-1' };
      assert.equal(await happens(event, 'gemini'), text);
    });

    it('waits while anything else happens', async () => {
      writeFileSync(messageFile(), text);
      const others: readonly (readonly [event: object, agent?: string, as?: string])[] = [
        [{ ...prompt, hook_event_name: 'Stop' }],
        [{ ...prompt, hook_event_name: 'PreToolUse' }],
        [{ ...prompt, hook_event_name: 'xUserPromptSubmit' }],
        [{ ...prompt, session_id: 's-2' }],
        [{ ...prompt, session_id: 's-1x' }],
        [{ ...prompt, session_id: 'S-1 ' }],
        [{ ...prompt, session_id: '' }],
        [{ ...prompt, session_id: 1 }],
        [{ ...prompt, agent_id: 'subagent' }],
        [prompt, 'codex'],
        [prompt, 'claude', 'agentStop'],
        [{ prompt: 'UserPromptSubmit s-1', tool_input: prompt }],
      ];
      for (const other of others) assert.equal(await happens(...other), '', JSON.stringify(other));
      assert.equal(readFileSync(messageFile(), 'utf8'), text);
    });

    it('is none for a session whose id is no plain name', async () => {
      const outside = path.join(folder, 'x');
      writeFileSync(outside, 'secret');
      mkdirSync(messageFile('claude-'));
      const ids = [
        '../x',
        '../../x',
        '/../x',
        './../x',
        '$(touch pwned)',
        '`touch pwned`',
        "'; touch pwned; '",
        'a b',
        'a"b',
        'a\nb',
        '*',
        '?',
        '-x',
        '.',
        's-1.new',
        'ü',
        'x'.repeat(190),
      ];
      for (const id of ids) {
        const file = messageFile(`claude-${id}`);
        if (!id.includes('/') && id !== '-x' && process.platform !== 'win32')
          writeFileSync(file, 'secret');
        assert.equal(await happens({ ...prompt, session_id: id }), '', id);
        if (id !== '-x') assert.equal(messageName({ agent: 'claude', session: id }), undefined, id);
      }
      assert.equal(readFileSync(outside, 'utf8'), 'secret');
      assert.equal(existsSync('pwned'), false);
    });

    it('is printed by one of several programs that run at once', async () => {
      writeFileSync(messageFile(), text);
      const outputs = await Promise.all(Array.from({ length: 6 }, async () => happens(prompt)));
      const printed = outputs.filter(output => output !== '');
      // On a busy machine, all may have given up.
      const left = readdirSync(path.join(folder, 'messages'));
      assert.deepEqual([...printed, ...left], left.length > 0 ? ['claude-s-1'] : [text]);
    });

    it('waits on when the agent cannot take it', function () {
      if (process.platform !== 'linux') this.skip();
      writeFileSync(messageFile(), text);
      const words = [command, script, path.join(folder, 'events.jsonl'), 'claude'];
      const to = 'exec "$0" "$@" >/dev/full';
      execFileSync('sh', ['-c', to, ...words], { input: JSON.stringify(prompt) });
      assert.deepEqual(readdirSync(path.join(folder, 'messages')), ['claude-s-1']);
      assert.equal(readFileSync(messageFile(), 'utf8'), text);
    });

    it('is not printed after a day', async () => {
      writeFileSync(messageFile(), text);
      const at = Date.now() / 1000 - 24 * 60 * 60 - 60;
      utimesSync(messageFile(), at, at);
      assert.equal(await happens(prompt), '');
      assert.equal(readFileSync(messageFile(), 'utf8'), text);
    });

    it('waits while prompts cannot be noted, by which it is known that it was handed over', async () => {
      writeFileSync(messageFile(), text);
      mkdirSync(path.join(folder, 'events.jsonl'));
      assert.equal(await happens(prompt), '');
      assert.equal(readFileSync(messageFile(), 'utf8'), text);
    });

    it('is of any length that a message can have', async () => {
      const long = `${'\\u2028'.repeat(10_000)}\n`;
      writeFileSync(messageFile(), long);
      assert.equal(await happens(prompt), long);
    });
  });
}
