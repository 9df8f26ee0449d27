import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ChatFile, ReadableFile } from './chat';
import { droidSettingsEnd } from './formats/clis/droid';
import { grokFiles } from './formats/clis/grok';
import { kimiAbout, kimiLog } from './formats/kimi/kimi';
import { taskFiles } from './formats/taskFolders';
import { requireUtf8 } from './historyFile';
import { historyText, maxHistoryBytes } from './stores/bytes';

/** Reads a file of a session with the other files that belong to it. */
export async function readChatFile(file: string): Promise<ChatFile> {
  const text = await historyText(file, await readFile(file), maxHistoryBytes);
  const companions = await readCompanions(file);
  return { path: file, text, ...(companions.length > 0 ? { companions } : {}) };
}

/** The same for a file that is only read: as bytes, which take less time and memory than their text. */
export async function readChatBytes(file: string): Promise<ReadableFile> {
  if (file.endsWith('.zst')) return readChatFile(file);
  const text = await readFile(file);
  requireUtf8(text);
  const companions = await readCompanions(file);
  return { path: file, text, ...(companions.length > 0 ? { companions } : {}) };
}

/** Other files of the same session, by their paths from the folder of the file. */
function companionNames(name: string): readonly string[] {
  if (name === taskFiles.sent) return [taskFiles.shown, taskFiles.metadata, taskFiles.about];
  if (name === kimiLog) return [kimiAbout];
  if (name === grokFiles.sent) return [grokFiles.about, grokFiles.figures, grokFiles.shown];
  if (name.endsWith(linesEnd)) return [`${name.slice(0, -linesEnd.length)}${droidSettingsEnd}`];
  return name.endsWith(clineEnd) ? [`${name.slice(0, -clineEnd.length)}.json`] : [];
}

const clineEnd = '.messages.json';
const linesEnd = '.jsonl';

/** What says which folder and title a session has, where that is not in its own file. */
export async function readAbout(file: string): Promise<NonNullable<ChatFile['companions']>> {
  const name = path.basename(file);
  if (name === kimiLog) return readBeside(file, [kimiAbout]);
  return name === grokFiles.sent ? readBeside(file, [grokFiles.about]) : [];
}

/** Some tools keep a session in several files. */
async function readCompanions(file: string): Promise<{ path: string; text: string }[]> {
  return readBeside(file, companionNames(path.basename(file)));
}

async function readBeside(
  file: string,
  names: readonly string[],
): Promise<{ path: string; text: string }[]> {
  const texts = await Promise.all(
    names.map(async name => {
      const other = path.join(path.dirname(file), name);
      const text = await readFile(other, 'utf8').catch(() => undefined);
      return text === undefined || text.length > maxHistoryBytes ? [] : [{ path: other, text }];
    }),
  );
  return texts.flat();
}
