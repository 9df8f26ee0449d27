import { readFile, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { isNoFile } from '../../../base/fileErrors';
import type { Sentence } from '../../../base/sentence';
import { type Content, contentOf } from '../core/content';
import { RootFiles } from '../disk/diskFiles';
import { existingPath, isThere } from '../disk/rootPaths';
import {
  addHooks,
  type HookedAgent,
  hookedAgents,
  hookSettingsFile,
  hookSettingsFolder,
  removeHooks,
  type SettingsEdit,
} from './core/hookSettings';
import { installHookScripts } from './hookScripts';

/** The settings of an agent that is used on this computer. */
export interface AgentSettings {
  readonly agent: HookedAgent;
  /** Absolute. */
  readonly file: string;
  readonly text: string | undefined;
  readonly hasHooks: boolean;
}

/** A change of an agent's settings, for the user to see before it is made. */
export interface HookChange extends SettingsEdit {
  readonly agent: HookedAgent;
  readonly file: string;
}

/** `changed`: the settings are not those that were shown. */
export type HookOutcome = 'done' | 'changed' | 'failed';

export interface AgentHooksOptions {
  /** `media/hooks` of the extension. */
  readonly shipped: string;
  /** Where the programs are copied to, and where they note what happens. */
  readonly folder: string;
  readonly onError: (error: unknown) => void;
}

/** The hooks of Splice in the settings of coding agents. */
export class AgentHooks {
  readonly #options: AgentHooksOptions;

  constructor(options: AgentHooksOptions) {
    this.#options = options;
  }

  /** The agents whose folder of settings is there. */
  async found(): Promise<AgentSettings[]> {
    const found: AgentSettings[] = [];
    for (const agent of hookedAgents) {
      const place = [agent, homedir(), process.env] as const;
      if (!(await isThere(path.resolve(hookSettingsFolder(...place))))) continue;
      const file = path.resolve(hookSettingsFile(...place));
      const text = await readText(file);
      const removed = removeHooks(agent, text);
      found.push({ agent, file, text, hasHooks: 'after' in removed && removed.after !== text });
    }
    return found;
  }

  /** The agents whose settings have the hooks. */
  async hooked(): Promise<HookedAgent[]> {
    return (await this.found()).filter(({ hasHooks }) => hasHooks).map(({ agent }) => agent);
  }

  /** What would be changed to add the hooks, or to remove them. */
  plan(
    { agent, file, text }: AgentSettings,
    isAdded: boolean,
  ): HookChange | { readonly problem: Sentence } {
    const { folder } = this.#options;
    const place = { isWindows: process.platform === 'win32', folder };
    const result = isAdded ? addHooks(agent, text, place) : removeHooks(agent, text);
    return 'problem' in result ? result : { ...result, agent, file };
  }

  /** Copies the programs that the hooks run, also after an update of the extension. */
  async install(): Promise<void> {
    await installHookScripts(this.#options.shipped, this.#options.folder);
  }

  /** Makes a change that was shown, if the settings are still the same. */
  async make({ file, before, after }: HookChange): Promise<HookOutcome> {
    try {
      // Settings are often links to another place.
      const real = (await existingPath(file)) ?? file;
      const root = await existingFolder(real);
      const files = new RootFiles({
        root,
        algorithm: 'sha1',
        moveToTrash: async settings => rm(settings),
      });
      const below = path.relative(root, real).replaceAll(path.sep, '/');
      const expected = contentOfText(before);
      const outcome =
        after === undefined
          ? await files.trash(below, expected)
          : await files.replace(below, expected, Buffer.from(after));
      if (outcome === 'readOnly' || outcome === 'refused') return 'failed';
      return outcome;
    } catch (error) {
      this.#options.onError(error);
      return 'failed';
    }
  }
}

const contentOfText = (text: string | undefined): Content =>
  text === undefined ? { kind: 'absent' } : contentOf(Buffer.from(text), 'sha1');

/** The deepest folder above a file that exists. */
async function existingFolder(file: string): Promise<string> {
  const folder = path.dirname(file);
  return folder === file || (await isThere(folder)) ? folder : existingFolder(folder);
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isNoFile(error)) return undefined;
    throw error;
  }
}
