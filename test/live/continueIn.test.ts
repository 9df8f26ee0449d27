import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type ChatFile, readChat } from '../../src/compact/sessions/chat';
import type { ConversionTarget } from '../../src/compact/sessions/convert';
import { conversionFolder } from '../../src/compact/sessions/sessionFiles';
import { claude, codex, gemini, isChosen, opencode } from './agents/clis';
import { chatClis } from './chats/chatClis';
import { LiveChats, prompt, words } from './chats/liveChats';
import { conversationOf, isOfChat, pairsIn, textsIn } from './chats/requests';

const targets = new Map<string, ConversionTarget>([
  [claude.name, 'claudeCode'],
  [codex.name, 'codex'],
  [gemini.name, 'gemini'],
  [opencode.name, 'opencode'],
]);
const tools = chatClis.filter(({ cli }) => targets.has(cli.name) && isChosen(cli));
const exported = 'test/fixtures/histories/vscode-export.json';

describe('a session of one tool, continued in another', () => {
  let chats: LiveChats;
  const sources = new Map<string, ChatFile>();
  let hasFailed = false;
  before(async () => {
    chats = await LiveChats.start();
    for (const chat of tools) sources.set(chat.cli.name, await chats.make(chat));
    sources.set('VS Code Chat', { path: exported, text: readFileSync(exported, 'utf8') });
  });
  afterEach(function () {
    hasFailed ||= this.currentTest?.state === 'failed';
  });
  after(async () => {
    await chats.close(hasFailed);
  });

  for (const name of [...tools.map(({ cli }) => cli.name), 'VS Code Chat']) {
    for (const chat of tools.filter(({ cli }) => cli.name !== name)) {
      it(`of ${name} goes on in ${chat.cli.name}`, async () => {
        const source = sources.get(name);
        const target = targets.get(chat.cli.name);
        assert.ok(source && target);
        const { home, project } = chats.live;
        const conversion = { target, workspace: project };
        const { session, kept, gone } = chats.compact(source, 0.3, { conversion });
        const machine = { platform: process.platform, home, env: {}, workspaceFolder: project };
        const folder = (await conversionFolder(target, machine)) ?? project;
        const id = await chats.writeTo(chat, folder, session);
        const sent = await chats.say(chat, prompt('Go on.'), id);
        const [first] = sent.filter(({ body }) => conversationOf(body) !== undefined);
        assert.ok(first && isOfChat(first), 'the first request is not one of the chat');
        const said = textsIn(conversationOf(first.body)).join('\n');
        const questions = name === 'VS Code Chat' ? ['Explain the thermostat.'] : words;
        for (const text of [...questions, 'Go on.']) assert.ok(said.includes(text), text);
        for (const line of kept) assert.ok(said.includes(line), line);
        for (const line of gone) assert.ok(!said.includes(line), `sent, but left out: ${line}`);
        const { calls, results } = pairsIn(conversationOf(first.body));
        assert.deepEqual(calls, results);
        if (name !== 'VS Code Chat') assert.ok(calls.length > 0, 'calls became text');
        const again = await chats.fileOf(chat, await chats.newestId(chat));
        assert.ok(readChat(again).messages.length > 2);
      });
    }
  }
});
