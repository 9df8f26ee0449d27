import assert from 'node:assert/strict';
import path from 'node:path';
import { undoneMessage } from '../../src/apply/external/agents/core/message';
import type { Selection } from '../../src/apply/external/core/tracker';
import type { AgentCli } from './agents/cli';
import { claude, codex, isChosen } from './agents/clis';
import { LiveSession } from './agents/session';
import { gate, heldStep } from './model/gate';
import type { Step } from './model/script';
import { ReviewedRoot } from './review/reviewedRoot';

const numbered = Array.from({ length: 40 }, (_, at) => `line ${at + 1}\n`).join('');
const shared = 'shared.txt';

describe('people and agents at once', () => {
  let session: LiveSession;
  let root: ReviewedRoot;

  beforeEach(async () => {
    session = await LiveSession.start();
    session.write(shared, numbered);
    session.write('other.txt', numbered);
    session.git('init', '-q', '-b', 'main');
    session.git('add', '.');
    session.git('commit', '-qm', 'one');
    session.addHooks('claude', claude);
    root = await ReviewedRoot.open(session);
  });
  afterEach(async () => {
    assert.deepEqual(root.errors, []);
    root.close();
    await session.close();
  });

  const at = (name: string): string => path.join(session.project, name);
  const edit = (name: string, line: number): Step => ({
    actions: [
      { do: 'edit', path: at(name), old: `line ${line}\n`, new: `line ${line} of Claude\n` },
    ],
  });
  const read = (name: string): Step => ({ actions: [{ do: 'read', path: at(name) }] });

  /** Undos that wait until the turn has ended, as the host keeps them; silence and a kill end nothing. */
  class WaitingUndos {
    readonly waiting: Selection[] = [];
    #applied: Promise<void> = Promise.resolve();

    constructor() {
      session.turns.onTurnEnd(({ isInterrupted }) => {
        if (!isInterrupted) this.#applied = this.#apply();
      });
    }

    async undo(selection: Selection): Promise<void> {
      if (session.turns.isWorking(Date.now())) this.waiting.push(selection);
      else await root.tracker.undo([selection]);
    }

    async applied(): Promise<void> {
      await session.readSpool();
      await this.#applied;
    }

    async #apply(): Promise<void> {
      // One by one: each is checked against what the file is then.
      for (const selection of this.waiting.splice(0)) {
        await root.tracker.sawDisk([selection.path], { from: 0, to: 0 });
        const { version } = root.pending(selection.path);
        await root.tracker.undo([{ ...selection, version }]);
      }
    }
  }

  if (isChosen(claude)) {
    describe('an undo while Claude Code works', () => {
      it('waits for the end of the turn, and the next prompt can say why', async () => {
        const undos = new WaitingUndos();
        const hold = heldStep();
        session.model.scripts.set('held', [
          read(shared),
          edit(shared, 5),
          edit(shared, 20),
          { ...edit(shared, 35), ...hold.step },
        ]);
        const running = session.start(claude, 'held');
        await session.reached(hold.reached, running);
        await root.scan();
        const { version } = root.pending(shared);
        const changes = (await root.tracker.changes(shared))?.changes ?? [];
        assert.equal(changes.length, 2);
        const [first] = changes;
        assert.ok(first);
        await undos.undo({ path: shared, version, changes: [first.id] });
        assert.equal(undos.waiting.length, 1);
        assert.ok(session.read(shared)?.includes('line 5 of Claude\n'), 'it was written at once');

        hold.go.open();
        assert.equal((await running.ended).code, 0);
        await undos.applied();
        assert.equal(
          session.read(shared),
          numbered
            .replace('line 20\n', 'line 20 of Claude\n')
            .replace('line 35\n', 'line 35 of Claude\n'),
        );

        const message = undoneMessage([
          {
            path: shared,
            line: first.start + 1,
            undone: first.lines,
            restored: first.baseLines,
            reason: 'Line 5 is mine.',
          },
        ]);
        assert.match(message, /-line 5 of Claude\n\+line 5\n/);
        const goesOn: AgentCli = {
          ...claude,
          args: (prompt, place) => ['--continue', ...claude.args(`${message}\n\n${prompt}`, place)],
        };
        await session.run(goesOn, 'told', [{}]);
        const told = session.model.requests.filter(({ body }) =>
          JSON.stringify(body['messages'] ?? '').includes('Reason: Line 5 is mine.'),
        );
        assert.ok(told.length > 0, 'the model was not told');
      });

      it('goes on waiting when the program is killed', async () => {
        const undos = new WaitingUndos();
        const hold = heldStep();
        session.model.scripts.set('held', [read(shared), edit(shared, 5), hold.step]);
        const running = session.start(claude, 'held');
        await session.reached(hold.reached, running);
        await root.scan();
        await undos.undo({ path: shared, version: root.pending(shared).version });
        running.child.kill('SIGKILL');
        await running.ended;
        assert.equal(session.turns.isWorking(Date.now()), false);
        await undos.applied();
        assert.equal(undos.waiting.length, 1);
        assert.equal(root.pending(shared).status, 'changed');
        // The user says so now.
        await undos.undo({ path: shared, version: root.pending(shared).version });
        assert.equal(session.read(shared), numbered);
      });
    });
  }

  if (isChosen(claude) && isChosen(codex)) {
    describe('Claude Code and Codex at once, with the user in the same file', () => {
      it('share the label, and no keystroke is lost', async () => {
        session.addHooks('codex', codex);
        await root.editors.open(shared);
        root.editors.type(shared, text => text.replace('line 30\n', 'line 30 of the user\n'));
        await root.editors.save(shared);
        assert.deepEqual(await root.scan(), [], 'what the user saved is listed');

        const held = { claude: heldStep(), codex: heldStep() };
        session.model.scripts.set('claude', [
          read(shared),
          { ...edit(shared, 5), before: async () => codexStarted.opened },
          read('other.txt'),
          edit('other.txt', 1),
          { ...edit(shared, 10), ...held.claude.step },
        ]);
        const patch = `*** Begin Patch
*** Update File: ${shared}
@@
 line 19
-line 20
+line 20 of Codex
 line 21
*** End Patch
`;
        const codexStarted = gate();
        session.model.scripts.set('codex', [
          {
            actions: [{ do: 'patch', patch }],
            before: async () => codexStarted.open(),
          },
          held.codex.step,
        ]);
        const running = [session.start(claude, 'claude'), session.start(codex, 'codex')];
        await session.reached(Promise.all([held.claude.reached, held.codex.reached]), ...running);
        await root.scan();

        const pending = root.pending(shared);
        assert.equal(pending.isEdited, false);
        assert.deepEqual(
          pending.labels.map(({ agent, isShared }) => [agent, isShared]),
          [[undefined, true]],
        );
        assert.deepEqual(
          root.pending('other.txt').labels.map(({ agent }) => agent),
          ['claude'],
        );
        const changes = (await root.tracker.changes(shared))?.changes ?? [];
        assert.deepEqual(
          changes.map(({ lines }) => lines),
          [['line 5 of Claude\n'], ['line 20 of Codex\n']],
        );

        // The user types, and then an agent writes once more.
        root.editors.type(shared, text => text.replace('line 40\n', 'line 40 of the user\n'));
        const unsaved = root.editors.get(shared)?.text;
        held.claude.go.open();
        held.codex.go.open();
        for (const { ended } of running) assert.equal((await ended).code, 0);
        await root.scan();
        assert.equal(root.editors.get(shared)?.text, unsaved);

        const before = session.read(shared);
        const { version } = root.pending(shared);
        const [decided] = await root.tracker.undo([{ path: shared, version }]);
        assert.equal(decided?.outcome, 'conflict');
        assert.deepEqual([root.editors.get(shared)?.text, session.read(shared)], [unsaved, before]);
        assert.ok(
          before?.includes('line 30 of the user\n') && before.includes('line 10 of Claude\n'),
        );
      });
    });
  }
});
