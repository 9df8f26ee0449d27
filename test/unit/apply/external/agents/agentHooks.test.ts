import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AgentHooks, type HookChange } from '../../../../../src/apply/external/agents/agentHooks';

describe('hooks in the settings of agents', () => {
  const saved = { ...process.env };
  let home: string;
  let errors: unknown[];
  let hooks: AgentHooks;

  beforeEach(() => {
    home = realpathSync(mkdtempSync(path.join(tmpdir(), 'splice-hooks-')));
    Object.assign(process.env, { HOME: home, USERPROFILE: home });
    for (const name of ['CLAUDE_CONFIG_DIR', 'CODEX_HOME', 'COPILOT_HOME'])
      delete process.env[name];
    errors = [];
    hooks = new AgentHooks({
      shipped: path.resolve('media/hooks'),
      folder: path.join(home, 'storage', 'hooks'),
      onError: error => errors.push(error),
    });
  });
  afterEach(() => {
    for (const name of ['HOME', 'USERPROFILE', 'CLAUDE_CONFIG_DIR', 'CODEX_HOME', 'COPILOT_HOME']) {
      if (saved[name] === undefined) delete process.env[name];
      else process.env[name] = saved[name];
    }
    rmSync(home, { recursive: true });
  });

  /** @param text of the settings; none when left out */
  function settings(name: string, text?: string): string {
    const file = path.join(home, name);
    mkdirSync(path.dirname(file), { recursive: true });
    if (text !== undefined) writeFileSync(file, text);
    return file;
  }

  async function planned(isAdded: boolean): Promise<HookChange> {
    const [found] = await hooks.found();
    assert.ok(found);
    const plan = hooks.plan(found, isAdded);
    assert.ok(!('problem' in plan));
    return plan;
  }

  it('are offered for agents that have a folder', async () => {
    assert.deepEqual(await hooks.found(), []);
    settings('.claude/settings.json', '{}');
    settings('.codex/hooks.json');
    settings('.copilot/config.json', '{}');
    const found = await hooks.found();
    assert.deepEqual(
      found.map(({ agent, text, hasHooks }) => [agent, text, hasHooks]),
      [
        ['claude', '{}', false],
        ['codex', undefined, false],
        ['copilot', undefined, false],
      ],
    );
  });

  it('are added to a file and taken out of it, byte for byte', async () => {
    const text = '{\n\t"model": "opus"\n}';
    const file = settings('.claude/settings.json', text);
    chmodSync(file, 0o600);
    await hooks.install();
    assert.equal(await hooks.make(await planned(true)), 'done');
    assert.match(readFileSync(file, 'utf8'), /splice-spool/);
    assert.ok((await hooks.found())[0]?.hasHooks);
    assert.equal(await hooks.make(await planned(false)), 'done');
    assert.equal(readFileSync(file, 'utf8'), text);
    if (process.platform !== 'win32') assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.deepEqual(errors, []);
  });

  it('make a file that was not there, in a folder that was not, and remove it', async () => {
    settings('.copilot/config.json', '{}');
    const file = path.join(home, '.copilot/hooks/splice.json');
    assert.equal(await hooks.make(await planned(true)), 'done');
    assert.ok(existsSync(file));
    assert.equal(await hooks.make(await planned(false)), 'done');
    assert.ok(!existsSync(file));
  });

  it('are written where a link leads', async function () {
    if (process.platform === 'win32') this.skip();
    const target = settings('dotfiles/claude.json', '{}');
    symlinkSync(target, settings('.claude/settings.json'));
    assert.equal(await hooks.make(await planned(true)), 'done');
    assert.match(readFileSync(target, 'utf8'), /splice-spool/);
    assert.equal(realpathSync(path.join(home, '.claude/settings.json')), target);
  });

  it('leave settings alone that have changed since they were shown', async () => {
    const file = settings('.claude/settings.json', '{}');
    const plan = await planned(true);
    writeFileSync(file, '{"model":"opus"}');
    assert.equal(await hooks.make(plan), 'changed');
    assert.equal(readFileSync(file, 'utf8'), '{"model":"opus"}');
    const missing = await planned(true);
    rmSync(file);
    assert.equal(await hooks.make(missing), 'changed');
    assert.ok(!existsSync(file));
  });

  it('are not added to settings that cannot be read', async () => {
    settings('.claude/settings.json', '{"model": ');
    const [found] = await hooks.found();
    assert.ok(found && 'problem' in hooks.plan(found, true));
  });

  it('are followed to another folder that the agent uses', async () => {
    process.env['CLAUDE_CONFIG_DIR'] = path.join(home, 'elsewhere');
    settings('elsewhere/settings.json', '{}');
    const [found] = await hooks.found();
    assert.equal(found?.file, path.join(home, 'elsewhere', 'settings.json'));
  });
});
