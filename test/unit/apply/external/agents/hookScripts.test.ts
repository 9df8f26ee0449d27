import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import { readHookEvents } from '../../../../../src/apply/external/agents/core/hookEvents';
import { hookScripts } from '../../../../../src/apply/external/agents/core/hookFiles';
import { installHookScripts } from '../../../../../src/apply/external/agents/hookScripts';
import { isRecord, parseJson } from '../../../../../src/base/typeGuards';
import { hookPrograms as programs } from '../../../../support/hooks';

const shipped = path.resolve('media/hooks');
const fixture = (name: string): string[] =>
  readFileSync(`test/fixtures/hooks/${name}.jsonl`, 'utf8').trimEnd().split('\n');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'splice-hooks-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const spool = (name = 'events.jsonl'): string => path.join(folder, name);

const linesOf = (file: string): Record<string, unknown>[] =>
  (existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : []).map(line => {
    const read = parseJson(line);
    assert.ok(isRecord(read), line);
    return read;
  });

/** Without what differs from run to run. */
const noted = (file: string): unknown[] =>
  linesOf(file).map(({ time: _time, pid: _pid, ...line }) => line);

for (const { name, start } of programs) {
  describe(`media/hooks/${name}`, () => {
    it('notes ids, names and paths of the events of each agent, and no text of theirs', async () => {
      for (const agent of ['claude', 'codex', 'cursor', 'gemini', 'qwen', 'copilot']) {
        const file = spool(`${agent}.jsonl`);
        const events = fixture(agent);
        for (const event of events) {
          const ended = await start([file, agent], event);
          assert.deepEqual(ended, { code: 0, output: '' });
        }
        assert.equal(linesOf(file).length, events.length);
        const text = readFileSync(file, 'utf8');
        for (const secret of [
          'SCRIPT',
          'secret',
          'quoted',
          'sed -i',
          'three',
          'Done',
          'transcript',
        ])
          assert.ok(!text.includes(secret), `${secret} in ${agent}`);
      }
      assert.deepEqual(noted(spool('claude.jsonl'))[5], {
        agent: 'claude',
        session_id: '00000000-0000-4000-8000-000000000001',
        cwd: '/home/user/project',
        prompt_id: '00000000-0000-4000-8000-000000000002',
        hook_event_name: 'PostToolUse',
        tool_name: 'Edit',
        tool_use_id: 'toolu_1_0',
        paths: ['/home/user/project/a.txt'],
      });
    });

    it('notes the file that an edit of Cursor names', async () => {
      const file = spool('edit.jsonl');
      await start([file, 'cursor'], fixture('cursor')[1] ?? '');
      assert.deepEqual(noted(file), [
        {
          agent: 'cursor',
          conversation_id: '00000000-0000-4000-8000-000000000001',
          generation_id: '00000000-0000-4000-8000-000000000002',
          hook_event_name: 'afterFileEdit',
          paths: ['/home/user/project/a.txt'],
        },
      ]);
      assert.deepEqual(readHookEvents(linesOf(file).map(line => JSON.stringify(line))).skipped, 0);
    });

    it('takes the names of files out of a patch', async () => {
      const patch = [
        '*** Begin Patch',
        '*** Update File: a b.txt',
        '*** Move to: c"d\\e.txt',
        '-*** Delete File: no.txt',
        '+text',
        '*** Add File: ü.txt',
        '*** Delete File: gone.txt',
        '*** End Patch',
      ].join('\n');
      const event = { session_id: 's', tool_name: 'apply_patch', tool_input: { command: patch } };
      await start([spool(), 'codex'], JSON.stringify(event));
      assert.deepEqual(
        linesOf(spool()).map(({ paths }) => paths),
        [['a b.txt', 'c"d\\e.txt', 'ü.txt', 'gone.txt']],
      );
    });

    it('notes when, and the name of the event where the input has none', async () => {
      const before = Date.now();
      await start([spool(), 'copilot', 'agentStop'], '{"sessionId":"s","timestamp":5}');
      const [line] = linesOf(spool());
      assert.equal(line?.['hook_event_name'], 'agentStop');
      const time = Number(line?.['time']);
      // A date without fractions is a whole second.
      assert.ok(time >= before - 1000 && time <= Date.now(), String(time));
    });

    it('makes a file that only its owner can read', async () => {
      await start([spool(), 'claude'], '{"session_id":"s"}');
      const others = statSync(spool()).mode & 0o077;
      assert.equal(process.platform === 'win32' ? 0 : others, 0);
    });

    it('keeps lines whole when many are written at once', async () => {
      const events = Array.from({ length: 20 }, (_, at) =>
        JSON.stringify({ session_id: `s${at}`, cwd: `/${'x'.repeat(900)}` }),
      );
      await Promise.all(events.map(event => start([spool(), 'claude'], event)));
      // On a busy machine, some may have given up.
      const sessions = linesOf(spool()).map(line => String(line['session_id']));
      assert.ok(sessions.length > 0);
      assert.equal(new Set(sessions).size, sessions.length);
      const written = events.map((_, at) => `s${at}`);
      assert.deepEqual(
        sessions.filter(session => !written.includes(session)),
        [],
      );
    });

    it('writes short lines whatever comes in, and reads all of it', async () => {
      const long = 'x"\\\n'.repeat(20_000);
      const event = {
        session_id: 's',
        cwd: 'y'.repeat(5000),
        turn_id: 'z'.repeat(5000),
        tool_input: { content: long, file_path: '/a', path: 'p'.repeat(2000) },
        tool_response: { originalFile: long },
      };
      const ended = await start([spool(), 'claude'], JSON.stringify(event));
      assert.deepEqual(ended, { code: 0, output: '' });
      assert.deepEqual(noted(spool()), [{ agent: 'claude', session_id: 's', paths: ['/a'] }]);
    });

    it('starts a new file when the old one is full, and keeps that one', async () => {
      const old = `${'x'.repeat(8 * 1024 * 1024)}\n`;
      writeFileSync(spool(), old);
      await start([spool(), 'claude'], '{"session_id":"s"}');
      assert.deepEqual(noted(spool()), [{ agent: 'claude', session_id: 's' }]);
      assert.equal(readFileSync(spool('events.jsonl.1'), 'utf8'), old);
    });

    it('says nothing and exits 0 when nothing can be written', async () => {
      const ended = await start(
        [path.join(folder, 'no/such/file'), 'claude'],
        '{"session_id":"s"}',
      );
      assert.deepEqual(ended, { code: 0, output: '' });
    });

    it('gives up by itself when the input never ends', async () => {
      assert.deepEqual(await start([spool(), 'claude'], undefined), { code: 0, output: '' });
      assert.equal(existsSync(spool()), false);
    });
  });
}

describe('the programs that agents run', () => {
  it('note the same for any JSON', async () => {
    const names = fc.constantFrom(
      ...'session_id cwd tool_name hook_event_name path file_path command'.split(' '),
      ...'tool_input toolArgs x a"b \\'.split(' '),
    );
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom(
        '*** Update File: a',
        'x\n*** Add File: "b\n',
        '\\',
        '\\n*** Move to: c',
        '{',
      ),
    );
    const { value } = fc.letrec(tie => ({
      value: fc.oneof(
        { maxDepth: 4 },
        text,
        fc.integer(),
        fc.constant(null),
        tie('list'),
        tie('object'),
      ),
      list: fc.array(tie('value'), { maxLength: 3 }),
      object: fc.dictionary(names, tie('value'), { maxKeys: 5, noNullPrototype: true }),
    }));
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.dictionary(names, value, { noNullPrototype: true }), async event => {
        run += 1;
        const files = programs.map(({ name }) => spool(`${run}-${name}`));
        for (const [at, { start }] of programs.entries())
          await start([files[at] ?? '', 'claude', 'Stop'], JSON.stringify(event));
        const [first, ...others] = files.map(noted);
        for (const other of others) assert.deepEqual(other, first);
      }),
      { numRuns: 25 },
    );
  });

  it('are copied to where they stay, once', async () => {
    const target = path.join(folder, 'agents');
    await installHookScripts(shipped, target);
    const copied = path.join(target, hookScripts.posix);
    assert.equal(
      readFileSync(copied, 'utf8'),
      readFileSync(path.join(shipped, hookScripts.posix), 'utf8'),
    );
    const { ino } = statSync(copied);
    await installHookScripts(shipped, target);
    assert.equal(statSync(copied).ino, ino);
    writeFileSync(copied, 'old');
    await installHookScripts(shipped, target);
    assert.equal(
      readFileSync(copied, 'utf8'),
      readFileSync(path.join(shipped, hookScripts.posix), 'utf8'),
    );
  });
});
