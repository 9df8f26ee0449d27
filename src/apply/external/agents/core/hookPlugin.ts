import { type Sentence, sentence } from '../../../../base/sentence';
import { type HookPlace, isOurCommand } from './hookCommand';
import { agentNames } from './hookEvents';
import { hookScripts } from './hookFiles';

/** Agents that take a plugin instead of hooks in their settings. */
export const pluggedAgents = ['opencode'] as const;
export type PluggedAgent = (typeof pluggedAgents)[number];

/** The file of the plugin, below the folder of the agent's settings: all files there are loaded. */
export const pluginFile = 'plugins/splice.js';

/** The text of the file before and after; undefined for no file. */
export interface PluginEdit {
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** What the user should know besides. */
  readonly notes: readonly Sentence[];
}

type PluginResult = PluginEdit | { readonly problem: Sentence };

/** Writes our plugin where there is none, or an older one of ours. */
export function addPlugin(
  agent: PluggedAgent,
  before: string | undefined,
  place: HookPlace,
): PluginResult {
  const note = sentence(
    'With a plugin, {0} first installs a package of its own from npm, once. Without a network, each of its starts takes about a minute longer.',
    agentNames[agent],
  );
  return refusal(agent, before) ?? { before, after: pluginText(place), notes: [note] };
}

/** Takes our plugin away. Gives back another file as it is. */
export function removePlugin(before: string | undefined): PluginEdit {
  const isOurs = before !== undefined && isOurCommand(before);
  return { before, after: isOurs ? undefined : before, notes: [] };
}

function refusal(
  agent: PluggedAgent,
  text: string | undefined,
): { readonly problem: Sentence } | undefined {
  if (text === undefined || isOurCommand(text)) return undefined;
  return {
    problem: sentence(
      '{0} has a plugin named {1} that is not from Splice. Nothing was changed.',
      agentNames[agent],
      pluginFile,
    ),
  };
}

/** A module that loads ours, which is updated with the extension. opencode starts without it when Splice's folder is gone. */
function pluginText({ isWindows, folder }: HookPlace): string {
  const file = `${folder}${isWindows ? '\\' : '/'}${hookScripts.opencode}`;
  return `// Notes for Splice which files opencode was told to write, so that Splice can name the session at the changes.
// "Splice: Remove Hooks from Coding Agents" deletes this file.
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const file = ${JSON.stringify(file)};

export const Splice = async input =>
  existsSync(file) ? (await import(pathToFileURL(file).href)).Splice(input) : {};
`;
}
