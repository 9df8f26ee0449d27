// A message that the user hands over at the next prompt of a session.
import assert from 'node:assert/strict';
import type { AgentSession, ReachedAgent } from '../../src/apply/external/agents/core/handover';
import type { AgentCli } from './agents/cli';
import { claude, codex, codexWithCode, gemini, isChosen, qwen } from './agents/clis';
import { LiveSession } from './agents/session';
import type { Action } from './model/script';

const message = 'I undid these changes.\n\na.txt, line 2: it said "TWO" — größer.';
/** As it is in the JSON of a request. */
const written = JSON.stringify(message).slice(1, -1);

const run = (command: string): Action => ({ do: 'run', command });
const works = [{ actions: [run('echo 1 > a.txt')] }];

const cases: readonly { readonly cli: AgentCli; readonly agent: ReachedAgent }[] = [
  { cli: claude, agent: 'claude' },
  { cli: codex, agent: 'codex' },
  { cli: codexWithCode, agent: 'codex' },
  { cli: gemini, agent: 'gemini' },
  { cli: qwen, agent: 'qwen' },
];

for (const { cli, agent } of cases.filter(each => isChosen(each.cli))) {
  describe(`a message for ${cli.package}${cli === codexWithCode ? ' with code' : ''}`, () => {
    let session: LiveSession;
    beforeEach(async () => {
      session = await LiveSession.start();
      session.addHooks(agent, cli);
    });
    afterEach(async () => session.close());

    /** How often each request since then had the message: the conversation goes to the model again with each. */
    const told = (since: number): number[] =>
      session.model.requests
        .slice(since)
        .map(({ body }) => JSON.stringify(body).split(written).length - 1);

    const current = (): AgentSession => {
      const turn = session.turns.turns.at(-1) ?? assert.fail('no turn was noted');
      return { agent, session: turn.session };
    };

    it('goes to the model with the next prompt of its session, once', async () => {
      await session.run(cli, 'first', works);
      const to = current();
      assert.equal(await session.messages.put(to, message), 'done');
      assert.deepEqual(new Set(told(0)), new Set([0]));
      const second = session.model.requests.length;
      await session.run(cli, 'second', works, to.session);
      assert.deepEqual(current(), to);
      assert.equal(Math.max(...told(second)), 1);
      assert.equal(await session.messages.isWaiting(to), false);
      const third = session.model.requests.length;
      await session.run(cli, 'third', works, to.session);
      // The one of the second prompt.
      assert.equal(Math.max(...told(third)), 1);
      assert.equal(session.skipped, 0);
    });

    it('is not lost when it is handed over while the agent works', async () => {
      let to: AgentSession | undefined;
      const before = async (): Promise<void> => {
        await session.readSpool();
        to = current();
        await session.messages.put(to, message);
      };
      await session.run(cli, 'first', [{ before, actions: [run('echo 1 > a.txt')] }]);
      assert.ok(to);
      const isWaiting = await session.messages.isWaiting(to);
      // Qwen Code says "prompt" for the result of a tool, too.
      assert.equal(isWaiting, cli !== qwen);
      assert.equal(Math.max(...told(0)), isWaiting ? 0 : 1);
      await session.run(cli, 'second', works, to.session);
      assert.equal(Math.max(...told(0)), 1);
    });
  });
}
