import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isMissing } from '../../../base/fileErrors';
import { isThere } from '../disk/rootPaths';
import {
  type AgentSession,
  maxMessage,
  maxWaitingMs,
  messageIn,
  messageName,
  promptContext,
} from './core/handover';

/** A subfolder of the folder with the hook programs. */
const folderName = 'messages';

/**
 * Messages that wait for the next prompt of a session, each in a file that the agent's hook prints and removes. A file is
 * renamed before it is read, here as there, so that a message goes one way only.
 */
export class MessageStore {
  /** Where the files are. */
  readonly folder: string;

  /** @param hookFolder where the programs are. */
  constructor(hookFolder: string) {
    this.folder = path.join(hookFolder, folderName);
  }

  async prepare(): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
  }

  async isWaiting(session: AgentSession): Promise<boolean> {
    return isThere(this.#fileOf(session));
  }

  /** Adds to what waits already. `tooLong`: together they are, so that nothing was done. */
  async put(session: AgentSession, text: string): Promise<'done' | 'tooLong'> {
    await this.prepare();
    const earlier = await this.#claim(session);
    const whole = earlier?.text === undefined ? text : `${earlier.text}\n\n${text}`;
    const isTooLong = whole.length > maxMessage;
    if (!isTooLong || earlier?.text !== undefined)
      await this.#write(session, isTooLong ? (earlier?.text ?? '') : whole);
    await earlier?.remove();
    return isTooLong ? 'tooLong' : 'done';
  }

  /** Removes a message. @returns its text; undefined when it was handed over before. */
  async take(session: AgentSession): Promise<string | undefined> {
    const claimed = await this.#claim(session);
    await claimed?.remove();
    return claimed?.text;
  }

  /** Removes messages that waited too long, also those that a program left when it was killed. */
  async removeOld(now: number): Promise<void> {
    for (const name of await this.#names()) {
      const file = path.join(this.folder, name);
      try {
        const { mtimeMs } = await stat(file);
        if (now - mtimeMs >= maxWaitingMs) await rm(file, { force: true });
      } catch (error) {
        if (!isMissing(error)) throw error;
      }
    }
  }

  async #names(): Promise<string[]> {
    try {
      return await readdir(this.folder);
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }

  async #claim(
    session: AgentSession,
  ): Promise<
    { readonly text: string | undefined; readonly remove: () => Promise<void> } | undefined
  > {
    const file = this.#fileOf(session);
    // No session has a dot in its name.
    const claimed = `${file}.${process.pid}`;
    try {
      await rename(file, claimed);
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
    const text = messageIn(await readFile(claimed, 'utf8'));
    return { text, remove: async () => rm(claimed, { force: true }) };
  }

  async #write(session: AgentSession, text: string): Promise<void> {
    const file = this.#fileOf(session);
    const draft = `${file}.${process.pid}.new`;
    await writeFile(draft, promptContext(session.agent, text), { mode: 0o600 });
    await rename(draft, file);
  }

  #fileOf(session: AgentSession): string {
    const name = messageName(session);
    if (name === undefined) throw new Error('no file can be named after this session');
    return path.join(this.folder, name);
  }
}
