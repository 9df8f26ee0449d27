// Runs every command that the palette offers and records what the user gets to see of it.
import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import * as vscode from 'vscode';
import {
  allTabs,
  forgetMessages,
  type Message,
  run,
  shownMessages,
  sleep,
  stub,
  waitFor,
} from './support';

interface Manifest {
  contributes: {
    commands: { command: string }[];
    menus: { commandPalette: { command: string; when: string }[] };
  };
}

const extension = vscode.extensions.getExtension<unknown>('splice-code.splice');
assert.ok(extension, 'the extension is not there');
const { contributes }: Manifest = extension.packageJSON;
const conditions = new Map(
  contributes.menus.commandPalette.map(({ command, when }) => [command, when]),
);

/** Commands that a user can find in the palette in some situation. */
export const paletteCommands: readonly string[] = contributes.commands
  .map(({ command }) => command)
  .filter(command => conditions.get(command) !== 'false')
  // The others need the key.
  .toSorted(
    (a, b) =>
      Number(a === 'splice.service.removeApiKey') - Number(b === 'splice.service.removeApiKey'),
  );

/**
 * Those that must answer in every situation: the palette always lists them, or hides them only without a key,
 * a folder or reviews, which the user may have lost since the palette was opened.
 */
export const constantCommands: readonly string[] = paletteCommands.filter(command =>
  /^undefined$|splice:hasApiKey|splice:areReviewsLoaded|workspaceFolderCount/.test(
    `${conditions.get(command)}`,
  ),
);

export interface Outcome {
  readonly command: string;
  readonly messages: readonly Message[];
  /** What else the user sees: inputs, lists, tabs, progress, other commands, the clipboard. */
  readonly seen: readonly string[];
  /** What the command threw at VS Code. */
  readonly thrown: string | undefined;
}

/** Tells what the window shows from now on; inputs are dismissed as by Escape. */
export function watchWindow(note: (what: string) => void): void {
  const { window, commands, env } = vscode;
  for (const name of ['showQuickPick', 'showInputBox', 'showOpenDialog', 'showSaveDialog'] as const)
    stub(window, name, async (...args: unknown[]) => {
      await Promise.all(args);
      note(name);
      return undefined;
    });
  const { createQuickPick, createInputBox, setStatusBarMessage, showTextDocument } = window;
  const hiding = <T extends vscode.QuickInput>(input: T, name: string): T => {
    const show = input.show.bind(input);
    return Object.assign(input, {
      show: () => {
        note(name);
        show();
        setTimeout(() => input.hide(), 50);
      },
    });
  };
  stub(window, 'createQuickPick', () => hiding(createQuickPick(), 'a list'));
  stub(window, 'createInputBox', () => hiding(createInputBox(), 'an input'));
  stub(window, 'setStatusBarMessage', (...args: Parameters<typeof setStatusBarMessage>) => {
    note(`status bar: ${args[0]}`);
    return setStatusBarMessage(...args);
  });
  stub(window, 'showTextDocument', async (...args: Parameters<typeof showTextDocument>) => {
    note('an editor');
    return showTextDocument(...args);
  });
  stub(env, 'openExternal', async () => {
    note('a browser');
    return true;
  });
  stub(env, 'clipboard', {
    readText: async () => '',
    writeText: async () => note('the clipboard'),
  });
  const { executeCommand } = commands;
  stub(commands, 'executeCommand', async (id: string, ...args: unknown[]) => {
    if (id.startsWith('splice.') && !id.endsWith('.focus')) return executeCommand(id, ...args);
    if (id === 'setContext') return executeCommand(id, ...args);
    note(id);
    return /^(?:workbench\.action\.(?:chat|openSettings)|lm\.|markdown\.)/.test(id)
      ? undefined
      : executeCommand(id, ...args);
  });
}

/** One command in the window as it is. */
async function outcomeOf(command: string, seen: readonly string[]): Promise<Outcome> {
  const tabsBefore = allTabs().map(({ label }) => label);
  let thrown: string | undefined;
  const ended = run(command).then(
    () => true,
    (error: unknown) => {
      thrown = String(error);
      return true;
    },
  );
  const isOver = await Promise.race([ended, sleep(endlessMs).then(() => false)]);
  const more = isOver ? [] : [endless];
  // Messages and tabs that nobody waits for come later.
  const isSeen = () => seen.length > 0 || shownMessages().length > 0 || allTabs().length > 0;
  const mustShow = isOver && constantCommands.includes(command) && command !== traceless;
  const end = mustShow ? performance.now() + lateMs : 0;
  while (!isSeen() && performance.now() < end) await sleep(20);
  await sleep(50);
  const tabs = allTabs().map(({ label }) => label);
  for (const label of tabs) if (!tabsBefore.includes(label)) more.push(`tab ${label}`);
  return { command, messages: [...shownMessages()], seen: [...seen, ...more], thrown };
}

/** Long, because a busy machine must not fail a command that ends. */
const endlessMs = 60_000;
const endless = 'still running';
/** As long: what comes ends the wait at once. */
const lateMs = 60_000;
/** The output panel leaves no trace in the API. */
const traceless = 'splice.showLog';

/** Text that is meant for engineers, or says nothing. */
const raw =
  /something went wrong|undefined|\[object|TypeError|ENOENT|(?<!\()ECONN|EACCES|is not a function|null\b/i;
/** A sentence that tells the user what to do, or when it will be well again. */
const nextStep =
  /\b(?:open|set|run|select|trust|copy|choose|try|press|put|type|start|check|begins?|restricted mode|first)\b/i;

/** What says all there is to say. */
const settled =
  /^The API key for \S+ was removed\.|^No API key was stored\.|: there is nothing to export\.$/;

/** What is wrong with it; nothing where the command did its work or named the next step. */
export function faultsOf({ command, messages, seen, thrown }: Outcome): string[] {
  const faults: string[] = [];
  if (thrown !== undefined) faults.push(`${command} threw ${thrown}`);
  for (const { text, buttons } of messages) {
    if (raw.test(text)) faults.push(`${command} says "${text}"`);
    const isLeftAlone = buttons.filter(title => title !== 'Show Log').length === 0;
    if (isLeftAlone && !nextStep.test(text) && !settled.test(text))
      faults.push(`${command} names no next step: "${text}"`);
  }
  if (seen.includes(endless)) faults.push(`${command} does not end`);
  if (messages.length === 0 && seen.length === 0 && command !== traceless)
    faults.push(`${command} does nothing, silently`);
  return faults;
}

/**
 * Walks all commands and fails with every fault at once; what the palette hides then need not answer.
 *
 * @param between closes all tabs.
 */
export async function walk(situation: string, between: () => Promise<void>): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const faults: string[] = [];
  let seen: string[] = [];
  watchWindow(what => seen.push(what));
  for (const command of paletteCommands) {
    await between();
    // What was closed is told later: a tab of before must not be taken for one of this command.
    await waitFor(() => allTabs().length === 0, 'closed tabs');
    forgetMessages();
    seen = [];
    const outcome = await outcomeOf(command, seen);
    outcomes.push(outcome);
    const isOffered = constantCommands.includes(command);
    for (const fault of faultsOf(outcome))
      if (isOffered || !/silently$|names no next step/.test(fault)) faults.push(fault);
  }
  if (process.env['WALK_FILE'])
    appendFileSync(
      process.env['WALK_FILE'],
      `${situation} ${JSON.stringify(outcomes, undefined, 1)}\n`,
    );
  assert.deepEqual(faults, [], situation);
  return outcomes;
}
