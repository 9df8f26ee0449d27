import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { newestOfWorkspace } from '../../../../src/compact/sessions/sessionFiles';
import { claudeFolderName, type Machine } from '../../../../src/compact/sessions/sessionFolders';
import { fixtures, textOf } from './fixtures';

describe('the newest session of a folder', () => {
  let home: string;
  beforeEach(async () => {
    home = await mkdtemp(path.join(tmpdir(), 'sessions-'));
  });
  afterEach(async () => rm(home, { recursive: true, force: true }));

  it('is none of the sub-agents that it waits for', async () => {
    const workspaceFolder = '/home/ada/kettle';
    const machine: Machine = { home, platform: process.platform, env: {}, workspaceFolder };
    const folder = path.join(home, '.claude', 'projects', claudeFolderName(workspaceFolder));
    await mkdir(folder, { recursive: true });
    const written: [name: string, fixture: string, seconds: number][] = [
      ['old.jsonl', 'claude.jsonl', 1000],
      ['main.jsonl', 'claude.jsonl', 2000],
      ['agent-5e1f.jsonl', 'claude-agent.jsonl', 3000],
    ];
    for (const [name, fixture, seconds] of written) {
      const found = fixtures.find(one => one.name === fixture);
      assert.ok(found);
      await writeFile(path.join(folder, name), textOf(found));
      await utimes(path.join(folder, name), seconds, seconds);
    }
    const newest = await newestOfWorkspace(machine, new AbortController().signal);
    assert.equal(newest && path.basename(newest.path), 'main.jsonl');
  });
});
