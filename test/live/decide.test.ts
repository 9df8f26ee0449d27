import assert from 'node:assert/strict';
import { chmodSync, statSync } from 'node:fs';
import path from 'node:path';
import type { PendingFile } from '../../src/apply/external/core/tracker';
import { claude, codex, codexUntrusted, copilot, isChosen, opencode } from './agents/clis';
import { LiveSession } from './agents/session';
import type { Action, Script } from './model/script';
import { ReviewedRoot } from './review/reviewedRoot';

const numbered = (name: string): string =>
  Array.from({ length: 40 }, (_, at) => `${name} line ${at + 1}\n`).join('');
const three = ['src/a.txt', 'src/b.txt', 'src/c.txt'];
/** Three changes that do not touch each other. */
const places = [5, 20, 35];
const edited = (text: string, numbers: readonly number[]): string =>
  numbers.reduce((now, at) => now.replace(` line ${at}\n`, ` line ${at} is new\n`), text);

/** Who wrote, each once: the two sides of a rename have labels of their own. */
const writers = ({ labels }: PendingFile): string[] => [
  ...new Set(labels.map(({ agent, tool }) => [agent, tool].join(' ').trim())),
];

describe('decisions about what agents wrote', () => {
  let session: LiveSession;
  let root: ReviewedRoot;

  /** A project with three files; in a repository, they are committed. */
  async function openProject({ hasGit = true } = {}): Promise<void> {
    for (const name of three) session.write(name, numbered(name));
    if (hasGit) {
      session.git('init', '-q', '-b', 'main');
      session.git('add', '.');
      session.git('commit', '-qm', 'one');
    }
    root = await ReviewedRoot.open(session);
  }

  const at = (name: string): string => path.join(session.project, name);
  const filesNow = (): Record<string, string | undefined> =>
    Object.fromEntries(three.map(name => [name, session.read(name)]));

  beforeEach(async () => {
    session = await LiveSession.start();
  });
  afterEach(async () => {
    assert.deepEqual(root.errors, []);
    root.close();
    await session.close();
  });

  /** Reads each file, and edits it in three places. */
  const nineEdits = (): Script => [
    { actions: three.map((name): Action => ({ do: 'read', path: at(name) })) },
    ...three.flatMap(name =>
      places.map(line => ({
        actions: [
          {
            do: 'edit',
            path: at(name),
            old: `${name} line ${line}\n`,
            new: `${name} line ${line} is new\n`,
          } as const,
        ],
      })),
    ),
  ];

  if (isChosen(claude)) {
    describe('what Claude Code edited', () => {
      for (const hasGit of [true, false]) {
        it(`is kept and undone change by change ${hasGit ? 'in a repository' : 'without git'}`, async () => {
          await openProject({ hasGit });
          session.addHooks('claude', claude);
          chmodSync(at('src/b.txt'), 0o755);
          await session.run(claude, 'edits', nineEdits());
          const all = Object.fromEntries(three.map(name => [name, edited(numbered(name), places)]));
          assert.deepEqual(filesNow(), all);

          const pending = await root.scan();
          assert.deepEqual(
            pending.map(file => [file.path, file.status, writers(file)]),
            three.map(name => [name, 'changed', ['claude Edit']]),
          );
          for (const name of three)
            assert.equal((await root.tracker.changes(name))?.changes.length, 3, name);

          await root.decide('keep', 'src/a.txt');
          await root.decide('keep', 'src/b.txt', [0, 2]);
          assert.deepEqual(filesNow(), all, 'keeping wrote something');
          await root.decide('undo', 'src/b.txt');
          await root.decide('undo', 'src/c.txt');
          const decided = {
            ...all,
            'src/b.txt': edited(numbered('src/b.txt'), [5, 35]),
            'src/c.txt': numbered('src/c.txt'),
          };
          assert.deepEqual(filesNow(), decided);
          assert.deepEqual(await root.scan(), []);
          assert.equal(statSync(at('src/b.txt')).mode & 0o777, 0o755);

          await root.undoDecision();
          await root.undoDecision();
          assert.deepEqual(filesNow(), all, 'undoing the undo gives the bytes back');
          assert.deepEqual(
            root.tracker.pending.map(({ path: name }) => name),
            ['src/b.txt', 'src/c.txt'],
          );
          await root.undoDecision();
          await root.undoDecision();
          assert.equal(root.tracker.pending.length, 3);
        });
      }

      it('with a shell is seen too: edited, deleted, renamed and created files', async () => {
        await openProject();
        session.addHooks('claude', claude);
        await session.run(claude, 'shell', [
          { actions: [{ do: 'run', command: "sed -i 's/line 20$/line twenty/' src/a.txt" }] },
          { actions: [{ do: 'run', command: 'rm src/b.txt' }] },
          { actions: [{ do: 'run', command: 'mv src/c.txt moved.txt && echo more >> moved.txt' }] },
          { actions: [{ do: 'run', command: 'mkdir -p new/x && printf "1\\r\\n" > new/x/y.txt' }] },
        ]);
        await root.scan();
        assert.deepEqual(
          root.tracker.pending.map(({ path: name, status, from }) => [name, status, from]),
          [
            ['moved.txt', 'renamed', 'src/c.txt'],
            ['new/x/y.txt', 'created', undefined],
            ['src/a.txt', 'changed', undefined],
            ['src/b.txt', 'deleted', undefined],
          ],
        );
        for (const file of root.tracker.pending) assert.deepEqual(writers(file), ['claude Bash']);
        await root.undoAll();
        assert.deepEqual(filesNow(), Object.fromEntries(three.map(name => [name, numbered(name)])));
        assert.deepEqual(
          [session.read('moved.txt'), session.read('new/x/y.txt')],
          [undefined, undefined],
        );
        assert.equal(session.git('status', '--porcelain'), '');
        await root.undoDecision();
        assert.equal(session.read('new/x/y.txt'), '1\r\n');
        assert.equal(session.read('moved.txt'), `${numbered('src/c.txt')}more\n`);
        assert.equal(session.read('src/b.txt'), undefined);
      });
    });
  }

  if (isChosen(codex)) {
    const patch = `*** Begin Patch
*** Add File: added.txt
+one
+two
*** Delete File: src/a.txt
*** Update File: src/b.txt
*** Move to: src/moved.txt
@@
 src/b.txt line 4
-src/b.txt line 5
+src/b.txt line five
 src/b.txt line 6
*** Update File: src/c.txt
@@
 src/c.txt line 19
-src/c.txt line 20
+src/c.txt line twenty
 src/c.txt line 21
*** End Patch
`;
    for (const [cli, agents] of [
      [codex, ['codex apply_patch']],
      [codexUntrusted, ['']],
    ] as const) {
      describe(`a patch of Codex, ${cli === codex ? 'with' : 'without'} approved hooks`, () => {
        it('is listed file by file and undone', async () => {
          await openProject();
          session.addHooks('codex', cli);
          await session.run(cli, 'patch', [{ actions: [{ do: 'patch', patch }] }]);
          await root.scan();
          assert.deepEqual(
            root.tracker.pending.map(file => [file.path, file.status, writers(file)]),
            [
              ['added.txt', 'created', agents],
              ['src/a.txt', 'deleted', agents],
              ['src/c.txt', 'changed', agents],
              ['src/moved.txt', 'renamed', agents],
            ],
          );
          await root.undoAll();
          assert.equal(session.git('status', '--porcelain'), '');
          await root.undoDecision();
          assert.equal(session.read('src/moved.txt')?.includes('line five\n'), true);
          await root.decide('keep', 'src/moved.txt');
          await root.decide('keep', 'src/a.txt');
          await root.decide('undo', 'added.txt');
          await root.decide('undo', 'src/c.txt');
          assert.equal(
            session.git('status', '--porcelain', '-uall'),
            ' D src/a.txt\n D src/b.txt\n?? src/moved.txt\n',
          );
        });
      });
    }
  }

  if (isChosen(opencode)) {
    describe('an agent that takes back what it did', () => {
      it('leaves nothing to review', async () => {
        await openProject();
        const name = 'src/a.txt';
        const edit = (old: string, now: string) =>
          ({ actions: [{ do: 'edit', path: at(name), old, new: now }] }) as const;
        const seen: number[] = [];
        const scanned = async (): Promise<void> => void seen.push((await root.scan()).length);
        await session.run(opencode, 'twice', [
          { actions: [{ do: 'read', path: at(name) }] },
          edit('line 5\n', 'line five\n'),
          { ...edit('line 20\n', 'line twenty\n'), before: scanned },
          { ...edit('line five\n', 'line 5\n'), before: scanned },
          { ...edit('line twenty\n', 'line 20\n'), before: scanned },
        ]);
        assert.deepEqual(seen, [1, 1, 1]);
        assert.deepEqual(await root.scan(), []);
        assert.equal(session.read(name), numbered(name));
      });
    });
  }

  if (isChosen(copilot)) {
    describe('what Copilot CLI edited', () => {
      it('is undone change by change', async () => {
        await openProject();
        session.addHooks('copilot', copilot);
        await session.run(copilot, 'edits', nineEdits());
        await root.scan();
        assert.deepEqual(
          root.tracker.pending.map(file => [file.path, writers(file)]),
          three.map(name => [name, ['copilot edit']]),
        );
        await root.decide('undo', 'src/b.txt', [1]);
        assert.equal(session.read('src/b.txt'), edited(numbered('src/b.txt'), [5, 35]));
      });
    });
  }
});
