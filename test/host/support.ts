// What the tests in VS Code share. The entry of the tests watches messages and undoes stubs around each test.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { reviewsView } from '../../src/apply/ids';
import { reviewIdOf } from '../../src/apply/review/editor/reviewId';
import { documentOf } from '../../src/apply/review/editor/reviewTabs';
import { contributions } from '../../src/contributions';
import { reviewScheme } from '../../src/platform/ids';
import { asGiven, asRead, asReader } from './asRead';
import { rowTree } from './rowTree';
import { sleep, waitFor } from './waitFor';

export { sleep, waitFor } from './waitFor';

const stubs: (() => void)[] = [];

/** Puts `value` in the place of `object[key]` until the test is over. */
export function stub<T extends object>(object: T, key: keyof T, value: unknown): void {
  const before = Object.getOwnPropertyDescriptor(object, key);
  Object.defineProperty(object, key, {
    value: object === vscode.window ? asReader(String(key), value) : value,
    configurable: true,
    writable: true,
  });
  stubs.push(() => {
    if (before) Object.defineProperty(object, key, before);
    else Reflect.deleteProperty(object, key);
  });
}

export function restoreStubs(): void {
  for (const restore of stubs.splice(0).reverse()) restore();
}

/** The text that a tool gives an agent. */
export async function invokeTool(
  name: string,
  input: object,
  token?: vscode.CancellationToken,
): Promise<string> {
  const options = { input, toolInvocationToken: undefined };
  const { content } = await vscode.lm.invokeTool(name, options, token);
  const parts = content.map(part =>
    part instanceof vscode.LanguageModelTextPart ? part.value : '',
  );
  return asRead(parts.join(''));
}

/** What VS Code asks before a tool runs, as the user reads it; '' when it asks nothing. */
export function questionText({ confirmationMessages }: vscode.PreparedToolInvocation): string {
  if (!confirmationMessages) return '';
  const { title, message: body } = confirmationMessages;
  const text = typeof body === 'string' ? body : body.value;
  return asRead(`${title}\n${text}`).replaceAll(/\\(?=\S)/g, '');
}

/** A file of the workspace by its relative path. */
export function fileUri(relativePath: string): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0];
  assert.ok(folder, 'no folder is open');
  return vscode.Uri.joinPath(folder.uri, relativePath);
}

export async function openFile(relativePath: string): Promise<vscode.TextEditor> {
  return vscode.window.showTextDocument(fileUri(relativePath), { preview: false });
}

export async function writeFile(relativePath: string, content: string | Uint8Array): Promise<void> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  await vscode.workspace.fs.writeFile(fileUri(relativePath), bytes);
}

/** What is on disk. */
export async function readFile(relativePath: string): Promise<string> {
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(fileUri(relativePath)));
}

/** The clipboard of this test only: the one of the machine is shared with other windows. */
export async function setClipboard(text: string): Promise<void> {
  let content = text;
  stub(vscode.env, 'clipboard', {
    readText: async () => content,
    writeText: async (value: string) => void (content = asRead(value)),
  });
}

/** Selects, and waits for the window, which may report an older selection until then. */
export async function setSelection(
  editor: vscode.TextEditor,
  selection: vscode.Selection,
): Promise<void> {
  editor.selection = selection;
  // An answer of the window comes after what it reported before.
  await vscode.commands.getCommands(true);
}

/** Runs a command again until it was done: one that comes before the editor shows the last one asks for that. */
export async function pressUntil(commandId: string, isDone: () => Promise<boolean>): Promise<void> {
  await waitFor(async () => {
    if (await isDone()) return true;
    await run(commandId);
    return false;
  }, commandId);
}

export async function run<T>(commandId: string, ...args: unknown[]): Promise<T> {
  return asRead(await vscode.commands.executeCommand<T>(commandId, ...args.map(asGiven)));
}

/**
 * Presses Enter in an input once its chosen row matches. The window may still show the rows of before:
 * it gets new ones a timer later than the input has them.
 */
export async function pressEnter(
  input: vscode.QuickPick<vscode.QuickPickItem>,
  row: RegExp,
): Promise<void> {
  await waitFor(() => row.test(input.activeItems[0]?.label ?? ''), `the row ${row}`);
  await sleep(50);
  await run('workbench.action.acceptSelectedQuickOpenItem');
}

/** Types until the row is the one that Enter takes, and presses it. */
export async function chooseRow(
  pick: vscode.QuickPick<vscode.QuickPickItem>,
  label: string,
): Promise<void> {
  pick.value = label;
  await pressEnter(pick, RegExp(label));
}

/** Moves the choice of an input down to the row, again and again: a key pressed before the window shows the rows is lost. */
export async function moveDownTo(
  input: vscode.QuickPick<vscode.QuickPickItem>,
  row: () => vscode.QuickPickItem | undefined,
): Promise<void> {
  const isChosen = () => input.activeItems[0] !== undefined && input.activeItems[0] === row();
  await waitFor(async () => {
    await run('workbench.action.quickOpenSelectNext');
    for (let waited = 0; waited < 500 && !isChosen(); waited += 10) await sleep(10);
    return isChosen();
  }, 'the row below');
}

/** The review's document, when the review is in front. */
export function activePreview(): vscode.TextDocument | undefined {
  const document = vscode.window.activeTextEditor?.document;
  return document?.uri.scheme === reviewScheme ? document : undefined;
}

/** Tabs of reviews, diffs included, in all groups. */
export function reviewTabs(): vscode.Tab[] {
  return allTabs().filter(tab => tabUri(tab)?.scheme === reviewScheme);
}

export function allTabs(): vscode.Tab[] {
  return asRead(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs));
}

export async function closeTabs(tabs: readonly vscode.Tab[]): Promise<void> {
  await vscode.window.tabGroups.close(asGiven(tabs));
}

function tabUri({ input }: vscode.Tab): vscode.Uri | undefined {
  if (input instanceof vscode.TabInputText) return input.uri;
  return input instanceof vscode.TabInputTextDiff ? input.modified : undefined;
}

/** The titles of the lenses in a review, from top to bottom. */
export async function lensTitles(document: vscode.TextDocument): Promise<string[]> {
  const lenses = await run<vscode.CodeLens[]>('vscode.executeCodeLensProvider', document.uri, 99);
  return lenses.flatMap(({ command }) => command?.title ?? []);
}

export interface Message {
  readonly level: 'information' | 'warning' | 'error';
  readonly text: string;
  readonly detail: string | undefined;
  readonly isModal: boolean;
  readonly buttons: readonly string[];
}

const shown: Message[] = [];
const answers: { pattern: RegExp; button: string }[] = [];

/** The messages of this test so far, with their buttons. */
export const shownMessages = (): readonly Message[] => shown;

/** The texts of the messages of this test so far. */
export const messages = (): string[] => shown.map(({ text }) => text);

export function forgetMessages(): void {
  shown.length = 0;
}

/** Presses `button` on messages that match; all others are dismissed. The latest match counts. */
export function answer(pattern: RegExp, button: string): void {
  answers.unshift({ pattern, button });
}

/**
 * The quick picks that are opened from now on in this test, oldest first. They stay when the focus goes: the view of a
 * command before may take it late, which a user does not see who presses one key after the other.
 */
export function openedQuickPicks(): vscode.QuickPick<vscode.QuickPickItem>[] {
  const { createQuickPick } = vscode.window;
  const picks: vscode.QuickPick<vscode.QuickPickItem>[] = [];
  stub(vscode.window, 'createQuickPick', () => {
    const pick = createQuickPick();
    pick.ignoreFocusOut = true;
    picks.push(pick);
    return pick;
  });
  return picks;
}

/** The message that matches, as soon as it is shown. */
export async function message(pattern: RegExp, ms?: number): Promise<Message> {
  try {
    return await waitFor(() => shown.find(({ text }) => pattern.test(text)), String(pattern), ms);
  } catch {
    throw new assert.AssertionError({
      message: `no message ${pattern}, only ${JSON.stringify(messages())}`,
    });
  }
}

type Item = string | vscode.MessageItem;
const titleOf = (item: Item): string => (typeof item === 'string' ? item : item.title);

function isOptions(value: unknown): value is vscode.MessageOptions {
  return typeof value === 'object' && value !== null && !('title' in value);
}

function watch(level: Message['level']) {
  return async (text: string, ...rest: (Item | vscode.MessageOptions | undefined)[]) => {
    const options = rest.find(isOptions);
    const items = rest.filter((value): value is Item => value !== undefined && !isOptions(value));
    shown.push({
      level,
      text,
      detail: options?.detail,
      isModal: options?.modal === true,
      buttons: items.map(titleOf),
    });
    const wanted = answers.find(({ pattern }) => pattern.test(text));
    const item = items.find(button => titleOf(button) === wanted?.button);
    assert.ok(item !== undefined || !wanted, `"${text}" has no button "${wanted?.button}"`);
    return item;
  };
}

/** Toasts never resolve and modal dialogs throw in a test host: both are answered here. */
export function watchMessages(): void {
  forgetMessages();
  answers.length = 0;
  stub(vscode.window, 'showInformationMessage', watch('information'));
  stub(vscode.window, 'showWarningMessage', watch('warning'));
  stub(vscode.window, 'showErrorMessage', watch('error'));
}

/** Runs `act`, then checks that files, tabs and clean documents are as before. */
export async function expectNoChange(act: () => Promise<unknown>): Promise<void> {
  const before = await stateOfWorkspace();
  await act();
  assert.deepEqual(await stateOfWorkspace(), before);
}

async function stateOfWorkspace() {
  const files: Record<string, string> = {};
  for (const uri of await vscode.workspace.findFiles('**/*')) {
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size < 1 << 20)
      files[uri.path] = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  }
  const dirty = vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty);
  return {
    files,
    tabs: allTabs().map(({ label }) => label),
    dirty: dirty.map(({ uri }) => uri.path),
  };
}

/** Sets a user setting, or removes it. */
export async function setSetting(id: string, value: unknown): Promise<void> {
  const { Global } = vscode.ConfigurationTarget;
  await vscode.workspace.getConfiguration().update(id, value, Global);
}

/** Stores a key for the service address of the settings, as a user would who cancels its trial. */
export async function typeApiKey(key: string): Promise<void> {
  stub(vscode.window, 'showInputBox', async () => key);
  cancelTrials();
  await run('splice.service.setApiKey');
}

const { withProgress } = vscode.window;

/** Undoes {@link cancelTrials}. */
export function letTrialsRun(): void {
  stub(vscode.window, 'withProgress', withProgress);
}

/** Presses Cancel as soon as a key or an address is tried, so that nothing is sent for it. */
export function cancelTrials(): void {
  const source = new vscode.CancellationTokenSource();
  source.cancel();
  stub(
    vscode.window,
    'withProgress',
    (options: vscode.ProgressOptions, task: Parameters<typeof withProgress>[1]) =>
      options.title?.startsWith('Trying ')
        ? task({ report: () => undefined }, source.token)
        : withProgress(options, task),
  );
}

/** Sets the service's address and a key for it. */
export async function useService(url: string, key: string): Promise<void> {
  await setSetting('splice.service.baseUrl', url);
  await typeApiKey(key);
  forgetMessages();
}

const settingIds = Object.values(contributions).flatMap(({ settings }) =>
  Object.keys(settings?.properties ?? {}),
);

export async function forgetService(): Promise<void> {
  // One key for each service of the test.
  stub(vscode.window, 'showQuickPick', async (items: unknown) =>
    Array.isArray(items) ? items[0] : undefined,
  );
  do {
    forgetMessages();
    await run('splice.service.removeApiKey');
  } while (messages().some(text => /^The API key for \S+ was removed\.$/.test(text)));
  const settings = vscode.workspace.getConfiguration();
  for (const id of settingIds) {
    // Tests of other features write files, which is nothing to review.
    if (id === 'splice.externalChanges.follow') await setSetting(id, false);
    else if (settings.inspect(id)?.globalValue !== undefined) await setSetting(id, undefined);
  }
}

const logged: string[] = [];
const { createOutputChannel } = vscode.window;
// Test files load before the first test, and so before the extension makes its channel.
Object.defineProperty(vscode.window, 'createOutputChannel', {
  value: (name: string, options: { log: true }) => {
    const channel = createOutputChannel(name, options);
    return {
      info: (line: string) => {
        logged.push(asRead(line));
        channel.info(line);
      },
      error: (line: string) => {
        logged.push(asRead(line));
        channel.error(line);
      },
      show: () => channel.show(true),
      dispose: () => channel.dispose(),
    };
  },
});

/** What the extension has logged in this launch; our host's VS Code writes no log files. */
export const loggedLines = (): readonly string[] => logged;

/** Of the reviews that had a tab. A document says less: that of the next review is read before it is shown. */
const reviewIds = new Set<string>();
vscode.window.tabGroups.onDidChangeTabs(({ opened }) => {
  for (const tab of opened) {
    const id = reviewIdOf(documentOf(tab));
    if (id !== undefined) reviewIds.add(id);
  }
});

/**
 * Closes all editors, ends all reviews and leaves the files on disk as they are. A dirty file is saved for a moment: what
 * was accepted in it would wait for a decision again if it was thrown away.
 */
export async function closeAll(): Promise<void> {
  const kept: [vscode.Uri, Uint8Array][] = [];
  for (const document of vscode.workspace.textDocuments) {
    const { uri, isDirty } = document;
    if (!isDirty) continue;
    const content = await vscode.workspace.fs.readFile(uri).then(
      bytes => bytes,
      () => undefined,
    );
    if (content && (await document.save())) {
      // In the editor as well: VS Code keeps the text for the next test, and reads the disk when it likes.
      const edit = new vscode.WorkspaceEdit();
      const end = document.lineAt(document.lineCount - 1).range.end;
      const text = new TextDecoder().decode(content);
      edit.replace(uri, new vscode.Range(new vscode.Position(0, 0), end), text);
      await vscode.workspace.applyEdit(edit);
      await document.save();
      kept.push([uri, content]);
    } else {
      await vscode.window.showTextDocument(uri);
      await run('workbench.action.revertAndCloseActiveEditor');
    }
  }
  await run('workbench.action.closeAllEditors');
  for (const id of reviewIds) await run('splice.apply.rejectAll', id);
  reviewIds.clear();
  // Of an answer that changes several files, only one review has had a tab.
  for (const row of await rowTree(reviewsView).children()) {
    if (row.data.context.includes(';set;')) await run('splice.apply.rejectSet', row);
  }
  for (const [uri, content] of kept) await vscode.workspace.fs.writeFile(uri, content);
  forgetMessages();
}
