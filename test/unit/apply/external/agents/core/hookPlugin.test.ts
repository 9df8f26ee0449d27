import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type HookEvent,
  readHookEvents,
} from '../../../../../../src/apply/external/agents/core/hookEvents';
import { hookScripts, spoolName } from '../../../../../../src/apply/external/agents/core/hookFiles';
import {
  addPlugin,
  removePlugin,
} from '../../../../../../src/apply/external/agents/core/hookPlugin';
import { installHookScripts } from '../../../../../../src/apply/external/agents/hookScripts';
import { written } from '../../../../../../src/base/sentence';

/** What a module for opencode's plugin interface gives back. */
interface Hooks {
  event(given: { event: { type: string; properties: object } }): Promise<void>;
  'chat.message'(input: { sessionID: string }, output: object): Promise<void>;
  'tool.execute.before'(input: object, output: object): Promise<void>;
  'tool.execute.after'(input: object, output: object): Promise<void>;
}

const isWindows = process.platform === 'win32';
const call = { tool: 'edit', sessionID: 's', callID: 'c' };

describe('the plugin for opencode', () => {
  let folder: string;
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(path.join(tmpdir(), 'splice-plugin-'));
    folder = path.join(home, "it's agents");
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  async function load(): Promise<Hooks> {
    const edit = addPlugin('opencode', undefined, { isWindows, folder });
    assert.ok('after' in edit && edit.after !== undefined);
    const file = path.join(home, 'splice.mjs');
    writeFileSync(file, edit.after);
    const { Splice } = await import(pathToFileURL(file).href);
    return Splice({ directory: home });
  }

  function events(): readonly HookEvent[] {
    const file = path.join(folder, spoolName);
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
    const { events: read, skipped } = readHookEvents(lines);
    assert.equal(skipped, 0);
    return read;
  }

  it('notes a prompt, the tools that write with their files, and the end of the turn, in order', async () => {
    await installHookScripts('media/hooks', folder);
    const hooks = await load();
    await hooks['chat.message']({ sessionID: 's' }, { parts: [{ text: 'secret words' }] });
    await hooks['tool.execute.before']({ ...call, tool: 'read' }, { args: { filePath: 'r.txt' } });
    const args = { filePath: 'a.txt', oldString: 'secret words', newString: 'more words' };
    await hooks['tool.execute.before'](call, { args });
    await hooks['tool.execute.after']({ ...call, args }, { output: 'secret words' });
    await hooks.event({ event: { type: 'session.idle', properties: { sessionID: 's' } } });
    const noted = events();
    assert.deepEqual(
      noted.map(({ kind }) => kind),
      ['prompt', 'tool', 'toolDone', 'stop'],
    );
    for (const { agent, session, cwd, pid } of noted)
      assert.deepEqual([agent, session, cwd, pid], ['opencode', 's', home, process.pid]);
    assert.deepEqual(noted[1]?.paths, [path.join(home, 'a.txt')]);
    assert.deepEqual([noted[1]?.tool, noted[1]?.call], ['edit', 'c']);
    assert.doesNotMatch(readFileSync(path.join(folder, spoolName), 'utf8'), /words/);
  });

  it('notes what a subagent does as a part of the session that started it', async () => {
    await installHookScripts('media/hooks', folder);
    const hooks = await load();
    const created = { info: { id: 'child', parentID: 's' } };
    await hooks.event({ event: { type: 'session.created', properties: created } });
    await hooks['chat.message']({ sessionID: 'child' }, {});
    await hooks['tool.execute.before']({ ...call, sessionID: 'child' }, { args: {} });
    await hooks.event({ event: { type: 'session.idle', properties: { sessionID: 'child' } } });
    const noted = events();
    assert.deepEqual(
      noted.map(({ kind }) => kind),
      ['subagentStart', 'tool', 'subagentStop'],
    );
    for (const { session, subagent } of noted)
      assert.deepEqual([session, subagent], ['s', 'child']);
  });

  it('takes the names of files out of a patch', async () => {
    await installHookScripts('media/hooks', folder);
    const hooks = await load();
    const patchText = '*** Begin Patch\n*** Add File: new.txt\n+words\n*** End Patch';
    const patch = { ...call, tool: 'apply_patch' };
    await hooks['tool.execute.before'](patch, { args: { patchText } });
    assert.deepEqual(events()[0]?.paths, [path.join(home, 'new.txt')]);
  });

  it('does nothing when its folder or the program is gone, and fails no call', async () => {
    assert.deepEqual(await load(), {});
    await installHookScripts('media/hooks', folder);
    const hooks = await load();
    for (const name of [hookScripts.posix, hookScripts.windows]) rmSync(path.join(folder, name));
    await hooks['chat.message']({ sessionID: 's' }, {});
    await hooks['tool.execute.before'](call, { args: { filePath: 'a.txt' } });
    assert.deepEqual(events(), []);
  });

  it('replaces an older version of itself, and leaves a file of somebody else alone', () => {
    const place = { isWindows, folder };
    const old = `import('/before/${hookScripts.opencode}')`;
    const edit = addPlugin('opencode', old, place);
    assert.ok('after' in edit);
    assert.deepEqual(edit.before, old);
    assert.match(edit.after ?? '', /export const Splice/);
    assert.match(written(edit.notes[0] ?? assert.fail()), /installs a package of its own from npm/);
    assert.equal(removePlugin(edit.after).after, undefined);

    const theirs = 'export const Splice = () => ({});\n';
    const refused = addPlugin('opencode', theirs, place);
    assert.ok('problem' in refused);
    assert.match(written(refused.problem), /opencode has a plugin named plugins\/splice\.js/);
    assert.equal(removePlugin(theirs).after, theirs);
    assert.equal(removePlugin(undefined).after, undefined);
  });
});
