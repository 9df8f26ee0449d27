import assert from 'node:assert/strict';
import { claude, isChosen } from './agents/clis';
import { LiveSession } from './agents/session';
import type { Script } from './model/script';
import { ReviewedRoot } from './review/reviewedRoot';

const mark = '\uFEFF';
const lines = (count: number, end = '\n'): string =>
  Array.from({ length: count }, (_, at) => `line ${at + 1}${end}`).join('');
const run = (command: string): Script => [{ actions: [{ do: 'run', command }] }];

if (isChosen(claude)) {
  describe('folders and files that are out of the ordinary', () => {
    let session: LiveSession;
    let root: ReviewedRoot;

    const commitAll = (): void => {
      session.git('init', '-q', '-b', 'main');
      session.git('add', '.');
      session.git('commit', '-qm', 'one');
    };

    beforeEach(async () => {
      session = await LiveSession.start();
      session.addHooks('claude', claude);
    });
    afterEach(async () => {
      assert.deepEqual(root.errors, []);
      root.close();
      await session.close();
    });

    for (const hasGit of [true, false]) {
      it(`are as they were after a reload, ${hasGit ? 'in a repository' : 'without git'}`, async () => {
        session.write('a.txt', lines(40));
        if (hasGit) commitAll();
        root = await ReviewedRoot.open(session);
        const edits =
          "sed -i 's/^line 5$/x/;s/^line 20$/y/;s/^line 35$/z/' a.txt; echo 1 > new.txt";
        await session.run(claude, 'edits', run(edits));
        await root.scan();
        await root.decide('undo', 'a.txt', [0]);
        await root.decide('keep', 'a.txt', [0]);
        const before = root.tracker.pending;

        await root.load();
        assert.deepEqual(root.tracker.pending, before);
        assert.deepEqual(
          (await root.tracker.changes('a.txt'))?.changes.map(({ lines: now }) => now),
          [['z\n']],
        );
        await root.decide('undo', 'new.txt');
        await root.load();
        await root.undoDecision();
        await root.undoDecision();
        await root.undoDecision();
        assert.equal(session.read('new.txt'), '1\n');
        assert.equal(
          session.read('a.txt'),
          lines(40)
            .replace('line 5\n', 'x\n')
            .replace('line 20\n', 'y\n')
            .replace('line 35\n', 'z\n'),
        );
        await root.load();
        await root.undoAll();
        assert.deepEqual([session.read('a.txt'), session.read('new.txt')], [lines(40), undefined]);
      });
    }

    it('keep their line ends and byte order mark', async () => {
      const text = `${mark}${lines(20, '\r\n')}last`;
      session.write('windows.txt', text);
      session.write('mixed.txt', `${lines(5)}${lines(5, '\r\n')}\rend`);
      commitAll();
      root = await ReviewedRoot.open(session);
      const path = `${session.project}/windows.txt`;
      await session.run(claude, 'edits', [
        { actions: [{ do: 'read', path }] },
        { actions: [{ do: 'edit', path, old: 'line 5', new: 'five' }] },
        ...run("sed -i 's/^line 15\\r$/fifteen\\r/' windows.txt; sed -i 's/line 1/one/' mixed.txt"),
      ]);
      await root.scan();
      const now = session.read('windows.txt');
      assert.ok(
        now?.startsWith(`${mark}line 1\r\n`) && now.includes('five\r\n'),
        'the agent kept them',
      );
      await root.decide('undo', 'windows.txt', [0]);
      assert.equal(session.read('windows.txt'), text.replace('line 15\r', 'fifteen\r'));
      await root.undoAll();
      assert.equal(session.read('windows.txt'), text);
      assert.equal(session.read('mixed.txt'), `${lines(5)}${lines(5, '\r\n')}\rend`);
      assert.equal(session.git('status', '--porcelain'), '');
    });

    it('of 40,000 lines are decided change by change, of more as a whole', async () => {
      session.write('large.txt', lines(40_000));
      session.write('larger.txt', lines(40_001));
      commitAll();
      root = await ReviewedRoot.open(session);
      const edit = "sed -i 's/^line 10$/x/;s/^line 30000$/y/'";
      await session.run(claude, 'edits', run(`${edit} large.txt larger.txt`));
      await root.scan();
      assert.deepEqual(
        root.tracker.pending.map(({ path, whole }) => [path, whole]),
        [
          ['large.txt', undefined],
          ['larger.txt', 'large'],
        ],
      );
      await root.decide('undo', 'large.txt', [1]);
      assert.equal(session.read('large.txt'), lines(40_000).replace('line 10\n', 'x\n'));
      await root.undoAll();
      assert.equal(session.git('status', '--porcelain'), '');
    });

    it('of which 2,000 changed at once are listed and undone', async function () {
      for (let at = 0; at < 2000; at++) session.write(`src/${at % 50}/file${at}.txt`, lines(10));
      commitAll();
      root = await ReviewedRoot.open(session);
      await session.run(
        claude,
        'edits',
        run("find src -name '*.txt' | xargs sed -i 's/^line 5$/x/'"),
      );
      const start = performance.now();
      await root.scan();
      const listed = performance.now();
      assert.equal(root.tracker.pending.length, 2000);
      await root.undoAll();
      const undone = performance.now();
      assert.deepEqual(root.tracker.pending, []);
      assert.equal(session.git('status', '--porcelain'), '');
      const ms = [listed - start, undone - listed].map(Math.round).join(' ms to list, ');
      if (this.test) this.test.title += ` (${ms} ms to undo)`;
    });
  });
}
