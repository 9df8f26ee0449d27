import { open } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { isAbort } from '../../base/async/abort';
import { percentText, shortNumber, tokensText } from '../../base/format/numbers';
import type { CommandId, Commands } from '../../platform/commands/contribute';
import { DisposableStore } from '../../platform/disposables';
import type { Host } from '../../platform/host';
import { machine } from '../picker';
import { type FoundHistory, newestOfWorkspace } from '../sessions/sessionFiles';
import { isSamePath } from '../sessions/sessionFolders';
import { fillAtEnd, type SessionFill } from './sessionFill';

const { t } = vscode.l10n;

/** Figures come with each answer, near the end. In bytes. */
const tailBytes = 512 * 1024;
/** A tool that is at work writes often; this is how long it may take until the figure is of now, in milliseconds. */
const delayMs = 2000;
/** From here on, compacting is offered: tools summarize by themselves at 80 to 95 %. */
const offerFrom = 0.7;

/** Shows how full the newest session about this folder is. Nothing is polled: its folder is watched. */
export class FillStatus implements vscode.Disposable {
  readonly #host: Host;
  readonly #resources = new DisposableStore();
  readonly #item = this.#resources.add(
    vscode.window.createStatusBarItem('splice.sessionFill', vscode.StatusBarAlignment.Right, 90),
  );
  readonly #stopped = new AbortController();
  #watched: { readonly folder: string; readonly watcher: vscode.Disposable } | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** The session that was the newest; undefined when it has to be looked for. */
  #newest: FoundHistory | undefined;

  constructor(host: Host) {
    this.#host = host;
    this.#item.name = t('Splice: how full the newest chat is');
    this.#resources.add(
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) this.#lookSoon();
      }),
    );
    void this.#update();
  }

  dispose(): void {
    this.#stopped.abort();
    clearTimeout(this.#timer);
    this.#watched?.watcher.dispose();
    this.#resources.dispose();
  }

  #lookSoon(): void {
    this.#newest = undefined;
    this.#updateSoon();
  }

  #updateSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#update();
    }, delayMs);
  }

  async #update(): Promise<void> {
    const { signal } = this.#stopped;
    try {
      const newest = this.#newest ?? (await newestOfWorkspace(machine(this.#host), signal));
      this.#newest = newest;
      const fill = newest && fillAtEnd(await tailOf(newest.path));
      if (signal.aborted) return;
      if (newest) this.#watch(path.dirname(newest.path));
      this.#show(newest, fill);
    } catch (error) {
      if (!isAbort(error)) this.#host.log.error('session fill', error);
    }
  }

  /** Other sessions of the folder are written beside it. */
  #watch(folder: string): void {
    if (this.#watched?.folder === folder) return;
    this.#watched?.watcher.dispose();
    const watcher = vscode.workspace.createFileSystemWatcher(
      new vscode.RelativePattern(vscode.Uri.file(folder), '*'),
    );
    const look = (): void => this.#lookSoon();
    watcher.onDidChange(({ fsPath }) => {
      // A tool at work writes to the same session again and again.
      const { platform } = process;
      if (this.#newest && isSamePath(fsPath, this.#newest.path, platform)) this.#updateSoon();
      else look();
    });
    watcher.onDidCreate(look);
    watcher.onDidDelete(look);
    this.#watched = { folder, watcher };
  }

  #show(newest: FoundHistory | undefined, fill: SessionFill | undefined): void {
    if (!newest || !fill) {
      this.#item.hide();
      return;
    }
    const { used, window } = fill;
    const share = window === undefined ? undefined : Math.min(1, used / window);
    const isOffered = share !== undefined && share >= offerFrom;
    const size =
      window === undefined
        ? tokensText(used, t)
        : t('{0} of {1} tokens', shortNumber(used), shortNumber(window));
    const action = isOffered ? t('Compact it before the tool does.') : t('Select to compact it.');
    const about = t('{0}: {1}, as {2} counted', newest.title, size, newest.label);
    this.#item.text = `$(fold) ${share === undefined ? shortNumber(used) : percentText(share)}`;
    this.#item.tooltip = `${about}\n${action}`;
    this.#item.accessibilityInformation = { label: `${about}. ${action}`, role: 'button' };
    this.#item.backgroundColor = isOffered
      ? new vscode.ThemeColor('statusBarItem.warningBackground')
      : undefined;
    this.#item.command = {
      title: t('Compact'),
      command: 'splice.compact.start' satisfies CommandId,
      // Without a question, so that Write Back is the next step, and so on this machine.
      arguments: [
        vscode.Uri.file(newest.path),
        { engine: 'local' },
      ] satisfies Commands['splice.compact.start'],
    };
    this.#item.show();
  }
}

async function tailOf(file: string): Promise<string> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const start = Math.max(0, size - tailBytes);
    const { buffer, bytesRead } = await handle.read(
      Buffer.alloc(size - start),
      0,
      size - start,
      start,
    );
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}
