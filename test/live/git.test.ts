import assert from 'node:assert/strict';
import path from 'node:path';
import { claude, isChosen } from './agents/clis';
import { LiveSession } from './agents/session';
import { heldStep } from './model/gate';
import type { Script } from './model/script';
import { ReviewedRoot } from './review/reviewedRoot';

const numbered = (name: string): string =>
  Array.from({ length: 30 }, (_, at) => `${name} line ${at + 1}\n`).join('');
const edited = (name: string, line: number, by: string): string =>
  numbered(name).replace(` line ${line}\n`, ` line ${line} by ${by}\n`);

const run = (command: string): Script => [{ actions: [{ do: 'run', command }] }];

if (isChosen(claude)) {
  describe('git during a review of what Claude Code wrote', () => {
    let session: LiveSession;
    let root: ReviewedRoot;

    const pending = (): unknown[] =>
      root.tracker.pending.map(({ path: name, status }) => `${name} ${status}`);
    const commit = (name: string, text: string): void => {
      session.write(name, text);
      session.git('commit', '-qam', `change ${name}`);
    };

    beforeEach(async () => {
      session = await LiveSession.start();
      for (const name of ['a.txt', 'b.txt', 'c.txt']) session.write(name, numbered(name));
      session.git('init', '-q', '-b', 'main');
      session.git('add', '.');
      session.git('commit', '-qm', 'one');
      session.git('checkout', '-qb', 'other');
      commit('b.txt', edited('b.txt', 3, 'other'));
      session.git('checkout', '-q', 'main');
      session.addHooks('claude', claude);
      root = await ReviewedRoot.open(session);
      await session.run(claude, 'edit', run("sed -i 's/line 9$/line 9 by Claude/' a.txt"));
      await root.scan();
      assert.deepEqual(pending(), ['a.txt changed']);
    });
    afterEach(async () => {
      assert.deepEqual(root.errors, []);
      root.close();
      await session.close();
    });

    it('checks out another branch: its files are not listed, those of the agent are', async () => {
      session.git('checkout', '-q', 'other');
      assert.deepEqual(await root.gitMoved(), ['b.txt']);
      await root.scan();
      assert.deepEqual(pending(), ['a.txt changed']);
      await root.decide('undo', 'a.txt');
      assert.equal(session.git('status', '--porcelain'), '');
    });

    it('pulls, with a rebase of local commits', async () => {
      const remote = path.join(session.base, 'remote.git');
      session.git('clone', '-q', '--bare', session.project, remote);
      session.git('remote', 'add', 'origin', remote);
      session.git('push', '-q', 'origin', 'other:main');
      session.git('fetch', '-q');
      session.git('branch', '-q', '--set-upstream-to=origin/main');
      session.git('stash', '-q');
      await root.gitMoved();
      await root.editors.open('c.txt');
      root.editors.type('c.txt', () => edited('c.txt', 3, 'the user'));
      await root.editors.save('c.txt');
      session.git('commit', '-qam', 'by the user');
      await root.gitMoved();
      session.git('pull', '-q', '--rebase');
      await root.gitMoved();
      session.git('stash', 'pop', '-q');
      await root.gitMoved();
      await root.scan();
      assert.equal(session.read('b.txt'), edited('b.txt', 3, 'other'));
      assert.equal(session.read('c.txt'), edited('c.txt', 3, 'the user'));
      assert.deepEqual(pending(), ['a.txt changed']);
      await root.decide('undo', 'a.txt');
      assert.equal(session.git('status', '--porcelain'), '');
    });

    it('stashes the change, and brings it back', async () => {
      session.git('stash', '-q');
      await root.gitMoved();
      await root.scan();
      assert.deepEqual(pending(), []);
      session.git('stash', 'pop', '-q');
      await root.gitMoved();
      await root.scan();
      assert.deepEqual(pending(), ['a.txt changed']);
      await root.decide('undo', 'a.txt');
      assert.equal(session.read('a.txt'), numbered('a.txt'));
    });

    it('merges the change of another branch into the file of the agent', async () => {
      session.git('stash', '-q');
      session.git('checkout', '-q', 'other');
      commit('a.txt', edited('a.txt', 25, 'other'));
      await root.gitMoved();
      session.git('stash', 'pop', '-q');
      await root.gitMoved();
      await root.scan();
      const changes = (await root.tracker.changes('a.txt'))?.changes ?? [];
      assert.ok(changes.some(({ lines }) => lines[0] === 'a.txt line 9 by Claude\n'));
      await root.decide('undo', 'a.txt', [changes.findIndex(({ start }) => start === 8)]);
      assert.equal(session.read('a.txt'), edited('a.txt', 25, 'other'));
    });

    it('commits by the agent, which decides nothing', async () => {
      const hold = heldStep();
      const [committed] = run(
        "git commit -qam 'auto' && sed -i 's/line 20$/line 20 by Claude/' c.txt",
      );
      session.model.scripts.set('commits', [
        ...run("sed -i 's/line 20$/line 20 by Claude/' b.txt"),
        { ...committed },
        hold.step,
      ]);
      for (const [key, value] of [
        ['user.name', 'A'],
        ['user.email', 'a@example.com'],
      ] as const)
        session.git('config', key, value);
      const running = session.start(claude, 'commits');
      await session.reached(hold.reached, running);
      await root.gitMoved();
      await root.scan();
      assert.deepEqual(pending(), ['a.txt changed', 'b.txt changed', 'c.txt changed']);
      hold.go.open();
      assert.equal((await running.ended).code, 0);
      await root.undoAll();
      for (const name of ['a.txt', 'b.txt', 'c.txt'])
        assert.equal(session.read(name), numbered(name));
    });

    it('restores the file, which is then reviewed', async () => {
      session.git('restore', 'a.txt');
      await root.gitMoved();
      assert.deepEqual(await root.scan(), []);
    });
  });
}
