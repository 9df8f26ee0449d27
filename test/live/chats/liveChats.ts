import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { cpSync } from 'node:fs';
import path from 'node:path';
import { completeLines, editsOf } from '../../../src/compact/session/keptText';
import type { NewSession } from '../../../src/compact/sessions';
import {
  type ChatFile,
  readChat,
  type WriteRequest,
  writeChat,
} from '../../../src/compact/sessions/chat';
import { readChatFile } from '../../../src/compact/sessions/readChatFile';
import { compactLocally } from '../../../src/compact/worker/engine';
import { indexLines, lineCountOf, lineOf } from '../../../src/compact/worker/sessionLineIndex';
import { writeSession } from '../../../src/compact/writeBack';
import { endProcessesOf, runWith, say as sayInTerminal, writeFileIn } from '../agents/cli';
import { LiveSession } from '../agents/session';
import { promptFor } from '../model/script';
import type { ModelLogEntry } from '../model/server';
import { type ChatCli, sessionFiles } from './chatClis';
import { EditorConnection } from './editorConnection';
import { tokensIn } from './requests';

const moduleNames = ['one', 'two', 'three'];
const moduleText = (name: string): string =>
  Array.from(
    { length: 80 },
    (_, at) =>
      `export const ${name}${at} = (value: number) => value * ${at * 7 + 3}; // ${name} ${at}\n`,
  ).join('');

/** What the user says; each turn has a script of its own. */
export const words = [
  'Look at the three modules. Keep the word ORCHID-1 in mind.',
  'Now count their lines. The limit is 4711.',
  'And which of them is the largest? Answer in one word.',
];

export const prompt = (text: string, script = 'nothing'): string => `${text}\n${promptFor(script)}`;

/** A turn in a terminal has ended once the model is not asked for so long, in milliseconds. */
const quietMs = 4000;

/** Whether a number has grown, and then stayed the same for a while. */
function isQuiet(count: () => number, before: number): () => boolean {
  let [last, since] = [before, Date.now()];
  return () => {
    if (count() !== last) [last, since] = [count(), Date.now()];
    return last > before && Date.now() - since > quietMs;
  };
}

const isWorthKeeping = (file: string): boolean => !file.includes('.cache');

export interface CompactedFile {
  readonly session: NewSession;
  /** Lines of the modules. */
  readonly kept: readonly string[];
  readonly gone: readonly string[];
}

/** Real agents, each with sessions of its own about the same project. */
export class LiveChats {
  readonly live: LiveSession;

  private constructor(live: LiveSession) {
    this.live = live;
  }

  static async start(): Promise<LiveChats> {
    const live = await LiveSession.start();
    for (const name of moduleNames) live.write(`src/${name}.ts`, moduleText(name));
    live.model.inputTokens = tokensIn;
    // Some tools ask for a title.
    live.model.plainAnswer = words[0] ?? '';
    live.model.scripts.set(
      'look',
      moduleNames.map(name => ({ actions: [{ do: 'run', command: `cat src/${name}.ts` }] })),
    );
    live.model.scripts.set('count', [{ actions: [{ do: 'run', command: 'wc -l src/*.ts' }] }]);
    return new LiveChats(live);
  }

  /** @param hasFailed what went on is copied to LIVE_DUMP, where somebody wants to look at it. */
  async close(hasFailed: boolean): Promise<void> {
    const dump = process.env['LIVE_DUMP'];
    if (dump !== undefined && hasFailed) {
      cpSync(this.live.home, path.join(dump, 'home'), {
        recursive: true,
        filter: isWorthKeeping,
      });
      writeFileIn(dump, 'requests.json', JSON.stringify(this.live.model.requests, null, 1));
    }
    await endProcessesOf(this.live.place);
    await this.live.close();
  }

  /** Writes the settings that the program needs. */
  prepare({ cli: { settings, name } }: ChatCli): void {
    if (!settings) return;
    const text = `${JSON.stringify(settings, null, 2)}\n`;
    writeFileIn(this.live.home, `.${name}/settings.json`, text);
  }

  /** One turn; @returns what was sent to the model. */
  async say(chat: ChatCli, text: string, id?: string): Promise<readonly ModelLogEntry[]> {
    const { model, place } = this.live;
    const before = model.requests.length;
    if (chat.editor && (id !== undefined || chat.keepsOnlyInEditor)) {
      const connection = await EditorConnection.open(chat.cli, chat.editor, place);
      await connection.say(text, place.project, id);
      await connection.close();
    } else if (id === undefined) await runWith(chat.cli, chat.cli.args(text, place), place);
    else if (chat.terminal === undefined)
      await runWith(chat.cli, chat.resume(id, text, place), place);
    else
      await sayInTerminal(chat.cli, chat.resume(id, text, place), place, text, {
        ready: chat.terminal,
        isDone: isQuiet(() => model.requests.length, before),
      });
    const sent = model.requests.slice(before);
    assert.deepEqual(
      sent.flatMap(({ failure }) => failure ?? []),
      [],
    );
    return sent;
  }

  /** Three turns; the last answer tells a context that is nearly full. */
  async make(chat: ChatCli): Promise<ChatFile> {
    this.prepare(chat);
    const { model } = this.live;
    await this.say(chat, prompt(words[0] ?? '', 'look'));
    await this.say(chat, prompt(words[1] ?? '', 'count'), await this.newestId(chat));
    const id = await this.newestId(chat);
    model.inputTokens = () => Math.round(chat.window * (chat.fill ?? 0.95));
    await this.say(chat, prompt(words[2] ?? ''), id);
    model.inputTokens = tokensIn;
    const file = await this.fileOf(chat, await this.newestId(chat));
    // Claude Code lists only sessions that had a terminal.
    return { ...file, text: file.text.replaceAll('"entrypoint":"sdk-cli"', '"entrypoint":"cli"') };
  }

  async newestId(chat: ChatCli): Promise<string> {
    if (chat.exchange) {
      const { out } = await runWith(chat.cli, ['session', 'list'], this.live.place);
      return /ses_[0-9A-Za-z]+/.exec(out)?.[0] ?? '';
    }
    return chat.idOf(sessionFiles(chat, this.live.place)[0] ?? '');
  }

  async fileOf(chat: ChatCli, id: string): Promise<ChatFile> {
    if (chat.exchange) {
      return { path: 'session.json', text: await chat.exchange.exported(id, this.live.place) };
    }
    const files = sessionFiles(chat, this.live.place);
    const file = files.find(one => chat.idOf(one) === id) ?? '';
    return readChatFile(file);
  }

  compact(file: ChatFile, ratio = 0.3, more: Partial<WriteRequest> = {}): CompactedFile {
    const chat = readChat(file);
    const index = indexLines(chat);
    const plan = {
      engine: 'local',
      route: 'compact',
      ratio,
      query: '',
      keepRecent: 1,
      pins: [],
    } as const;
    const { kept } = compactLocally(chat, index, plan, () => 0);
    const lines = Array.from({ length: lineCountOf(index) }, (_, at) => lineOf(index, at).trim());
    const ofModules = (isKept: boolean): string[] =>
      lines.filter((text, at) => text.startsWith('export const') && (kept[at] === 1) === isKept);
    const edits = editsOf(chat, index, completeLines(chat, index, kept, true));
    const request = { edits, asCopy: false, now: new Date(), ...more };
    const session = writeChat(file, request, randomUUID);
    return { session, kept: ofModules(true), gone: ofModules(false) };
  }

  /** @returns the id of the new session. */
  async writeTo(chat: ChatCli, folder: string, session: NewSession): Promise<string> {
    const written = await writeSession(folder, session);
    const first = written.files[0]?.path ?? '';
    if (!chat.exchange) return chat.idOf(first);
    assert.match(session.continueBy.shell ?? '', new RegExp(`^${chat.cli.bin} import `));
    await chat.exchange.imported(first, this.live.place);
    return /--session (\S+)”/.exec(session.continueBy.sentence)?.[1] ?? '';
  }
}
