import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Chat, type ChatFile, readChat } from '../../src/compact/sessions/chat';
import { listStored, readStored } from '../../src/compact/sessions/stores/sessionStores';
import { writeFileIn } from './agents/cli';
import { isChosen } from './agents/clis';
import { type ChatCli, chatClis, meterOf, sessionFiles } from './chats/chatClis';
import { LiveChats, prompt, words } from './chats/liveChats';
import { conversationOf, isOfChat, pairsIn, textsIn, tokensIn } from './chats/requests';

const claude = chatClis.find(({ cli }) => cli.name === 'claude' && isChosen(cli));

const droid = chatClis.find(({ cli }) => cli.name === 'droid' && isChosen(cli));

/** They summarize by themselves, and then leave out what the summary is about. */
const summarizing = chatClis.filter(({ cli }) =>
  ['codex', 'opencode', 'pi', 'omp', 'kimi'].includes(cli.name),
);

const partsOf = ({ messages }: Chat) => messages.map(({ role, parts }) => ({ role, parts }));

describe('a session that is compacted', () => {
  let chats: LiveChats;
  beforeEach(async () => {
    chats = await LiveChats.start();
  });
  afterEach(async function () {
    await chats.close(this.currentTest?.state === 'failed');
  });

  /** Goes on with a session: what its first request has. */
  const firstOf = async (chat: ChatCli, id: string) => {
    const sent = await chats.say(chat, prompt('What was the word?'), id);
    const first = sent.find(isOfChat);
    const conversation = first && conversationOf(first.body);
    return { said: textsIn(conversation).join('\n'), pairs: pairsIn(conversation) };
  };

  for (const chat of chatClis.filter(({ cli }) => isChosen(cli))) {
    it(`goes on in ${chat.cli.name}, with what is left and no summary of its own`, async () => {
      const made = await chats.make(chat);
      const { session, kept, gone } = chats.compact(made, chat.share);
      assert.ok(gone.length > 60, `only ${gone.length} lines are left out`);
      if (chat.share !== undefined) assert.ok(kept.length > 0, 'no line of a result is left');
      const folder = chat.exchange ? chats.live.project : path.dirname(made.path);
      const id = await chats.writeTo(chat, folder, session);
      const before = await chats.fileOf(chat, id);
      const title = (words[chat.opensSession ? 2 : 0] ?? '').slice(0, 24);
      // On a screen, the one that it was made from has the same title.
      if (!chat.listsIds) rmSync(made.path);
      const listed = await chat.listed(title, chats.live.place);
      for (const text of [title, ...(chat.listsIds ? [id] : [])])
        assert.ok(listed.includes(text), `not listed: ${listed}`);

      const fourth = 'What was the word?';
      const sent = await chats.say(chat, prompt(fourth), id);
      const [first] = sent.filter(({ body }) => conversationOf(body) !== undefined);
      assert.ok(first && isOfChat(first), 'the first request is not one of the chat');
      const said = textsIn(conversationOf(first.body)).join('\n');
      for (const text of [...words, fourth]) assert.ok(said.includes(text), text);
      for (const line of kept) assert.ok(said.includes(line), line);
      for (const line of gone) assert.ok(!said.includes(line), `sent, but left out: ${line}`);
      const { calls, results } = pairsIn(conversationOf(first.body));
      assert.deepEqual(calls, results);

      const truth = tokensIn(first.body);
      const meter = meterOf(chat, before);
      if (meter !== undefined)
        assert.ok(Math.abs(meter - truth) <= truth / 10, `the file says ${meter}, sent: ${truth}`);

      const again = await chats.say(chat, prompt('And the limit?'), await chats.newestId(chat));
      const last = again.filter(isOfChat).at(-1);
      const spoken = textsIn(last && conversationOf(last.body)).join('\n');
      for (const text of [...words, fourth]) assert.ok(spoken.includes(text), text);
      const after = await chats.fileOf(chat, await chats.newestId(chat));
      assert.ok(readChat(after).messages.length >= readChat(before).messages.length + 4);
    });
  }

  for (const chat of chatClis.filter(({ cli, exchange }) => exchange && isChosen(cli))) {
    it(`is read from the database of ${chat.cli.name} as that exports it`, async function () {
      const [major = 0] = process.versions.node.split('.').map(Number);
      // From this version on, Node.js has SQLite.
      if (major < 24) this.skip();
      const made = readChat(await chats.make(chat));
      const [database = ''] = sessionFiles(chat, chats.live.place);
      const id = await chats.newestId(chat);
      const stored = await listStored(database, 10);
      assert.deepEqual(
        stored.map(each => [each.id, each.directory]),
        [[id, chats.live.project]],
      );
      const text = (await readStored({ database, id })) ?? '';
      const read = readChat({ path: 'session.json', text });
      assert.deepEqual(partsOf(read), partsOf(made));
      assert.equal(read.label, made.label);
    });
  }

  for (const chat of summarizing.filter(({ cli }) => isChosen(cli))) {
    it(`sends all messages of ${chat.cli.name} again that it has summarized, once they are included`, async () => {
      const { model } = chats.live;
      if (chat.keepsLittle) writeFileIn(chats.live.home, ...chat.keepsLittle);
      await chats.make({ ...chat, fill: 0.5 });
      model.plainAnswer = 'It was about modules.';
      let count = 0;
      const full = Math.round(chat.window * 1.02);
      model.inputTokens = body => (count++ === 0 ? full : tokensIn(body));
      for (const text of ['And the next?', 'And after that?'])
        await chats.say(chat, prompt(text), await chats.newestId(chat));
      model.inputTokens = tokensIn;
      const file = await chats.fileOf(chat, await chats.newestId(chat));
      const now = readChat(file);
      assert.equal(now.earlier, 'left out');
      const { said } = await firstOf(chat, await chats.newestId(chat));
      for (const { parts } of now.messages)
        for (const { type, text } of parts)
          if (type !== 'tool_call') assert.ok(said.includes(text.trim()), `not sent: ${text}`);
      assert.ok(!said.includes('export const one7 ='), 'a result that was summarized is sent');

      const { session, kept } = chats.compact({ ...file, includesEarlier: true });
      assert.ok(kept.length > 0);
      const folder = chat.exchange ? chats.live.project : path.dirname(file.path);
      const id = await chats.writeTo(chat, folder, session);
      const again = await firstOf(chat, id);
      for (const line of [...words, ...kept]) assert.ok(again.said.includes(line), line);
      assert.deepEqual(again.pairs.calls, again.pairs.results);
    });
  }

  if (droid) {
    describe('of Droid, with a summary as that writes it', () => {
      const summary = 'The three modules multiply.';
      let file: ChatFile;
      beforeEach(async () => {
        const made = await chats.make(droid);
        // Droid itself keeps 40,000 tokens of messages beside its summary.
        const last = /"id":"([^"]+)"[^\n]*"text":"Done\."/.exec(made.text)?.[1];
        const line = {
          type: 'compaction_state',
          id: randomUUID(),
          timestamp: new Date().toISOString(),
          summaryText: summary,
          summaryTokens: 5,
          summaryKind: 'llm_summary',
          anchorMessage: { id: last, index: 8 },
          removedCount: 9,
          uiRenderCutoffMessageId: last,
        };
        file = { ...made, text: `${made.text}${JSON.stringify(line)}\n` };
        writeFileSync(file.path, file.text);
      });

      it('is read as it is sent', async () => {
        const { said } = await firstOf(droid, droid.idOf(file.path));
        const { earlier, messages } = readChat(file);
        assert.equal(earlier, 'left out');
        for (const { type, text } of messages.flatMap(({ parts }) => parts))
          if (type !== 'tool_call') assert.ok(said.includes(text.trim()), `not sent: ${text}`);
        assert.ok(said.includes(summary) && !said.includes('export const one7 ='));
      });

      for (const includesEarlier of [false, true])
        it(`goes on ${includesEarlier ? 'with all messages, once they are included' : 'behind the summary'}`, async () => {
          const { session, kept } = chats.compact({ ...file, includesEarlier });
          const id = await chats.writeTo(droid, path.dirname(file.path), session);
          const { said, pairs } = await firstOf(droid, id);
          assert.equal(said.includes(summary), !includesEarlier);
          assert.equal(said.includes(words[0] ?? ''), includesEarlier);
          assert.equal(kept.length > 0, includesEarlier);
          for (const line of [...words.slice(1), ...kept]) assert.ok(said.includes(line), line);
          assert.deepEqual(pairs.calls, pairs.results);
        });
    });
  }

  if (claude) {
    it('goes on as one of its own where it was that of a sub-agent of Claude Code', async () => {
      const made = await chats.make(claude);
      const text = made.text.replaceAll('"isSidechain":false', '"isSidechain":true');
      assert.ok(text.includes('"isSidechain":true'));
      const { session, kept } = chats.compact({ ...made, text });
      const id = await chats.writeTo(claude, path.dirname(made.path), session);
      const sent = await chats.say(claude, prompt('What was the word?'), id);
      const first = sent.find(isOfChat);
      const said = textsIn(first && conversationOf(first.body)).join('\n');
      for (const line of [...words, ...kept]) assert.ok(said.includes(line), line);
    });

    describe('of Claude Code, which has replaced messages by a summary', () => {
      let file: ChatFile;
      const summary = () => readChat(file).messages[0]?.parts[0]?.text.trim() ?? '';
      beforeEach(async () => {
        await chats.make(claude);
        await chats.say(claude, '/compact', await chats.newestId(claude));
        file = await chats.fileOf(claude, await chats.newestId(claude));
        assert.match(file.text, /"subtype":"compact_boundary"/);
      });

      it('is read as it is sent', async () => {
        const texts = readChat(file).messages.flatMap(({ parts }) => parts.map(each => each.text));
        const { said } = await firstOf(claude, claude.idOf(file.path));
        let from = 0;
        for (const text of texts) {
          const at = said.indexOf(text.trim(), from);
          assert.ok(at >= 0, `not sent behind the text before it: ${text}`);
          from = at;
        }
        assert.ok(!said.includes(words[0] ?? ''));
        // The summary keeps the last answer.
        assert.ok(texts.includes('Done.'));
      });

      it('goes on with what is left, behind the summary', async () => {
        const { session } = chats.compact(file);
        const id = await chats.writeTo(claude, path.dirname(file.path), session);
        const { said } = await firstOf(claude, id);
        const texts = readChat(await chats.fileOf(claude, id)).messages.flatMap(({ parts }) =>
          parts.map(each => each.text),
        );
        for (const text of [summary(), ...texts]) assert.ok(said.includes(text.trim()), text);
      });

      it('sends all messages again, and no summary, once they are included', async () => {
        const whole = { ...file, includesEarlier: true };
        const { session, kept } = chats.compact(whole);
        const id = await chats.writeTo(claude, path.dirname(file.path), session);
        const { said, pairs } = await firstOf(claude, id);
        for (const line of [...words, ...kept]) assert.ok(said.includes(line), line);
        assert.ok(!said.includes(summary()));
        assert.deepEqual(pairs.calls, pairs.results);
      });
    });
  }
});
