import { isDeepStrictEqual } from 'node:util';
import { type Sentence, sentence } from '../../../../base/sentence';
import { parseJson, textOf } from '../../../../base/typeGuards';
import { type HookPlace, hookCommand, isOurCommand } from './hookCommand';
import { agentNames } from './hookEvents';
import { type AgentWithHooks, agentsWithHooks, hookForms } from './hookForms';
import {
  addPlugin,
  type PluggedAgent,
  pluggedAgents,
  pluginFile,
  removePlugin,
} from './hookPlugin';
import {
  addChild,
  membersOf,
  type Node,
  readJson,
  removeChild,
  styleOf,
  wasAdded,
  writeJson,
} from './jsonText';

/** Agents whose settings Splice can add its hooks to, or a plugin that does the same. */
export const hookedAgents = [...agentsWithHooks, ...pluggedAgents] as const;
export type HookedAgent = (typeof hookedAgents)[number];

/** A file of settings before and after a change; undefined for a file that does not exist, or no longer needs to. */
export interface SettingsEdit {
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** What the user should know besides. */
  readonly notes: readonly Sentence[];
}

export type SettingsResult = SettingsEdit | { readonly problem: Sentence };

const maxText = 1_000_000; // characters

/** The folder of the user's settings, not of a project's; it is there once the agent has been used. */
export function hookSettingsFolder(
  agent: HookedAgent,
  home: string,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  if (isPlugged(agent)) {
    const { XDG_CONFIG_HOME: config } = environment;
    return `${config ? config : `${home}/.config`}/${agent}`;
  }
  const { file, folderVariable } = hookForms[agent];
  const folder = folderVariable === undefined ? undefined : environment[folderVariable];
  return folder ? folder : `${home}/${file[0]}`;
}

const isPlugged = (agent: HookedAgent): agent is PluggedAgent =>
  (pluggedAgents as readonly string[]).includes(agent);

/** The file in {@link hookSettingsFolder} that the hooks are added to. */
export function hookSettingsFile(...place: Parameters<typeof hookSettingsFolder>): string {
  const [agent] = place;
  const name = isPlugged(agent) ? pluginFile : hookForms[agent].file[1];
  return `${hookSettingsFolder(...place)}/${name}`;
}

/** Our entries of one agent by event, or why it has none here. */
function entriesOf(
  agent: AgentWithHooks,
  place: HookPlace,
): ReadonlyMap<string, unknown> | { readonly problem: Sentence } {
  const { events, entry, windowsShell } = hookForms[agent];
  if (place.isWindows && windowsShell === undefined)
    return {
      problem: sentence('Hooks of {0} are not supported on Windows.', agentNames[agent]),
    };
  const entries = new Map<string, unknown>();
  for (const [event, matcher] of Object.entries(events)) {
    // Copilot CLI does not say which event it is.
    const args = agent === 'copilot' ? [agent, event] : [agent];
    const made = hookCommand(place, windowsShell ?? 'cmd', args);
    if ('problem' in made) return made;
    entries.set(event, entry(made.command, matcher, place.isWindows));
  }
  return entries;
}

/** Adds our hooks, and replaces those of an older version; a file that has them already stays as it is. */
export function addHooks(
  agent: HookedAgent,
  before: string | undefined,
  place: HookPlace,
): SettingsResult {
  if (isPlugged(agent)) return addPlugin(agent, before, place);
  const entries = entriesOf(agent, place);
  if ('problem' in entries) return entries;
  const removed = removeHooks(agent, before);
  if ('problem' in removed) return removed;
  const { bom, body } = split(removed.after);
  const isDone = before !== undefined && hasEntries(before, entries);
  const after = isDone ? before : bom + withEntries(agent, body, entries);
  return { before, after, notes: notesOn(agent, split(after).body) };
}

function withEntries(
  agent: AgentWithHooks,
  body: string,
  entries: ReadonlyMap<string, unknown>,
): string {
  const { head = {} } = hookForms[agent];
  const lists = Object.fromEntries([...entries].map(([event, entry]) => [event, [entry]]));
  if (body.trim() === '') return `${writeJson({ ...head, hooks: lists }, styleOf(body), '')}\n`;
  let text = body;
  for (const [event, entry] of entries) {
    const root = rootOf(agent, text);
    const hooks = memberOf(root, 'hooks')?.children?.[1];
    if (!hooks) return addChild(text, root, 'hooks', lists);
    const list = memberOf(hooks, event)?.children?.[1];
    text = list ? addChild(text, list, undefined, entry) : addChild(text, hooks, event, [entry]);
  }
  return text;
}

/**
 * Takes our hooks out, and the lists and the file that were only made for them. Gives back the file as it was before
 * {@link addHooks}, unless something else has changed.
 */
export function removeHooks(agent: HookedAgent, before: string | undefined): SettingsResult {
  if (isPlugged(agent)) return removePlugin(before);
  const { bom, body } = split(before);
  const notes: readonly Sentence[] = [];
  if (body.trim() === '') return { before, after: before, notes };
  const problem = problemOf(agent, body);
  if (problem) return { problem };
  let text = body;
  for (;;) {
    const path = pathToOurs(rootOf(agent, text));
    if (!path) return { before, after: before === undefined ? undefined : bom + text, notes };
    const place = path.findLast((_, at) => !isOnlyForUs(text, path, at));
    if (!place) return { before, after: undefined, notes };
    text = removeChild(text, place.container, place.child);
  }
}

/** A value in the settings, and the object or list that holds it. */
interface Placed {
  readonly container: Node;
  readonly child: Node;
}

/** The way from the root to one of our hooks. */
function pathToOurs(root: Node): readonly Placed[] | undefined {
  const hooks = memberOf(root, 'hooks');
  for (const event of hooks?.children?.[1]?.children ?? []) {
    const list = event.children?.[1];
    for (const element of list?.children ?? []) {
      const path = pathWithin(element);
      if (hooks && list && path)
        return [
          { container: root, child: hooks },
          { container: hooks.children?.[1] ?? root, child: event },
          { container: list, child: element },
          ...path,
        ];
    }
  }
  return undefined;
}

/** The way from an element of an event's list to our hook, which it may be itself. */
function pathWithin(element: Node): readonly Placed[] | undefined {
  if (isOurs(element)) return [];
  const container = memberOf(element, 'hooks')?.children?.[1];
  const child = container?.children?.find(isOurs);
  return container && child ? [{ container, child }] : undefined;
}

const isOurs = (hook: Node): boolean =>
  ['command', 'bash', 'powershell'].some(name =>
    isOurCommand(textOf(memberOf(hook, name)?.children?.[1]?.value) ?? ''),
  );

/** Whether a container would be empty without its child, and is there for us alone. */
function isOnlyForUs(text: string, path: readonly Placed[], at: number): boolean {
  const place = path[at];
  if (!place) return false;
  const others = (place.container.children ?? []).filter(child => child !== place.child);
  // Ours has a group to itself, and a file of ours has a version.
  if (at === 3) return others.length === 0;
  return (
    wasAdded(text, place.container) &&
    others.every(({ children: [name] = [] }) => at === 0 && name?.value === 'version')
  );
}

const memberOf = (object: Node, name: string): Node | undefined =>
  object.type === 'object'
    ? object.children?.find(({ children: [key] = [] }) => key?.value === name)
    : undefined;

/** Whether the file has each of our entries once, in this form, and no other. */
function hasEntries(text: string, entries: ReadonlyMap<string, unknown>): boolean {
  const { body } = split(text);
  const read = readJson(body, { hasComments: true });
  const hooks = 'root' in read ? memberOf(read.root, 'hooks')?.children?.[1] : undefined;
  const found = (hooks?.children ?? []).flatMap(({ children: [name, list] = [] }) =>
    (list?.children ?? [])
      .filter(element => pathWithin(element) !== undefined)
      .map(({ offset, length }) => ({
        event: String(name?.value),
        entry: parseJson(body.slice(offset, offset + length)),
      })),
  );
  return (
    found.length === entries.size &&
    found.every(({ event, entry }) => isDeepStrictEqual(entries.get(event), entry))
  );
}

/** Why a file is left alone. */
function problemOf(agent: AgentWithHooks, text: string): Sentence | undefined {
  const name = agentNames[agent];
  if (text.length > maxText) return sentence('The settings of {0} are too large to change.', name);
  const { hasComments, events } = hookForms[agent];
  const read = readJson(text, { hasComments });
  if ('badLine' in read)
    return sentence(
      'The settings of {0} are no valid JSON at line {1}. Repair the file first; nothing was changed.',
      name,
      read.badLine,
    );
  const members = read.root.type === 'object' ? membersOf(read.root) : undefined;
  const hooks = members?.get('hooks');
  const lists = hooks?.type === 'object' ? membersOf(hooks) : undefined;
  const isUsable =
    members &&
    (!hooks || lists) &&
    Object.keys(events).every(event => (lists?.get(event)?.type ?? 'array') === 'array');
  return isUsable
    ? undefined
    : sentence(
        'The settings of {0} have hooks in a form that Splice does not know. Nothing was changed.',
        name,
      );
}

function rootOf(agent: AgentWithHooks, text: string): Node {
  const read = readJson(text, hookForms[agent]);
  if ('root' in read) return read.root;
  throw new Error(`settings of ${agent} became unreadable at line ${read.badLine}`);
}

function notesOn(agent: AgentWithHooks, text: string): readonly Sentence[] {
  const notes: Sentence[] = [];
  const isOff = memberOf(rootOf(agent, text), 'disableAllHooks')?.children?.[1]?.value === true;
  if (isOff)
    notes.push(
      sentence(
        'Hooks are turned off in these settings ("disableAllHooks"), so that {0} runs none.',
        agentNames[agent],
      ),
    );
  if (agent === 'cursor')
    notes.push(
      sentence('The hooks of {0} follow its documentation; they were not tried with it.', 'Cursor'),
    );
  if (agent === 'codex')
    notes.push(
      sentence('{0} runs new hooks after you have approved them there with /hooks.', 'Codex'),
    );
  return notes;
}

function split(text = ''): { readonly bom: string; readonly body: string } {
  return text.startsWith('\uFEFF')
    ? { bom: '\uFEFF', body: text.slice(1) }
    : { bom: '', body: text };
}
