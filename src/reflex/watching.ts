import { realpath } from 'node:fs/promises';
import path from 'node:path';
import picomatch from 'picomatch';
import * as vscode from 'vscode';
import { DisposableStore } from '../host/disposables';
import type { Host } from '../host/host';
import { isIgnoredFile } from '../host/egress/ignoreFiles';
import { isPrivate } from '../host/egress/privateNames';
import { settings } from '../host/settings';
import { ids } from '../manifest';
import type { GatedClient } from '../host/egress/gatedClient';
import { systemClock } from '../service/time';
import type { Consent } from './consent';
import { UsedToday } from './dailyUse';
import { indicatorOf, notableKey } from './indicator';
import { usageKey } from '../host/storageKeys';
import { indicatorReflexes } from './reflexes';
import { type Drawn, StatusBar, againIn } from './statusBar';
import {
  type Exclusion,
  type WatchState,
  type WatchedText,
  Watcher,
  exclusionOf,
  paragraphAt,
} from './watch';

const pauseMs = 3600_000;

/** Brings what happens in the editor to the watcher, and its state into the status bar. */
export class Watching implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #consent: Consent;
  readonly #watcher: Watcher;
  readonly #status: StatusBar;
  readonly #usage: UsedToday;
  /** By address, as long as the document is in front. */
  readonly #exclusions = new Map<string, Exclusion | undefined>();
  #pausedUntil = 0;
  #looks = 0;

  constructor(host: Host, client: Pick<GatedClient, 'predictMany'>, consent: Consent) {
    this.#consent = consent;
    const { globalState } = host.context;
    this.#usage = new UsedToday(
      { get: () => globalState.get(usageKey), set: use => void globalState.update(usageKey, use) },
      () => Date.now(),
      () => settings.reflexDailyCalls,
    );
    this.#status = this.#store.add(new StatusBar(() => this.#drawn()));
    this.#watcher = this.#store.add(
      new Watcher({
        clock: systemClock,
        ask: (models, text, signal) =>
          client.predictMany(
            { models, text },
            {
              signal,
              background: true,
              sending: { purpose: 'watch', hasConsent: consent.level !== 'selection' },
            },
          ),
        models: () => settings.reflexes.slice(0, indicatorReflexes),
        usage: this.#usage,
        onChange: () => this.#status.update(),
      }),
    );
    const look = host.quietly(() => this.look());
    const lookAfresh = host.quietly(() => {
      this.#exclusions.clear();
      return this.look();
    });
    const start = host.quietly(() => {
      this.#exclusions.clear();
      this.#watcher.reset();
      return this.look();
    });
    const add = (item: vscode.Disposable): void => void this.#store.add(item);
    add(vscode.window.onDidChangeActiveTextEditor(lookAfresh));
    add(vscode.window.onDidChangeTextEditorSelection(look));
    add(
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document === vscode.window.activeTextEditor?.document) look();
      }),
    );
    add(vscode.workspace.onDidSaveTextDocument(lookAfresh));
    add(vscode.window.onDidChangeWindowState(({ focused }) => this.#watcher.setFocused(focused)));
    add(vscode.workspace.onDidGrantWorkspaceTrust(start));
    add(host.context.secrets.onDidChange(start));
    add(
      vscode.workspace.onDidChangeConfiguration(change => {
        const { baseUrl, reflexes, reflexFiles, reflexDailyCalls, reflexPinned } = ids.setting;
        if (
          [baseUrl, reflexes, reflexFiles, reflexDailyCalls].some(id =>
            change.affectsConfiguration(id),
          )
        )
          start();
        if (change.affectsConfiguration(reflexPinned)) this.#status.update();
      }),
    );
    this.#watcher.setFocused(vscode.window.state.focused);
  }

  get state(): WatchState {
    return this.#watcher.state;
  }

  get isPaused(): boolean {
    return this.#pausedUntil > Date.now();
  }

  get use(): UsedToday {
    return this.#usage;
  }

  pauseOrGoOn(): void {
    this.#pausedUntil = this.isPaused ? 0 : Date.now() + pauseMs;
    this.#watcher.pause(this.#pausedUntil);
  }

  /** At the moment a prompt is sent; the caller has asked for consent. */
  async prompt(text: string): Promise<void> {
    if (this.#consent.level === 'selection') return;
    await this.#watcher.now({ key: 'prompt', text, where: 'prompt' });
  }

  async look(): Promise<void> {
    const turn = ++this.#looks;
    const target = await this.#target();
    if (turn !== this.#looks || target === undefined) return;
    this.#watcher.look(target);
    this.#status.update();
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Undefined: what was looked at before stays. */
  async #target(): Promise<WatchedText | Exclusion | undefined> {
    if (this.#consent.level !== 'documents') {
      // The result of a prompt stays.
      return this.#consent.level === 'prompts' && this.state.result?.where === 'prompt'
        ? undefined
        : 'noEditor';
    }
    const editor = vscode.window.activeTextEditor;
    if (!editor) return 'noEditor';
    const { document } = editor;
    const key = document.uri.toString();
    if (!this.#exclusions.has(key)) this.#exclusions.set(key, await exclusionFor(document));
    const exclusion = this.#exclusions.get(key);
    if (exclusion !== undefined) return exclusion;
    const text = paragraphAt(
      line => document.lineAt(line).text,
      document.lineCount,
      editor.selection.active,
    );
    return { key, text, where: 'paragraph' };
  }

  #drawn(): Drawn | undefined {
    const { level } = this.#consent;
    const { state } = this;
    const isShown =
      level === 'documents' || (level === 'prompts' && state.obstacle?.kind !== 'excluded');
    if (!isShown || (level === 'prompts' && !state.result && !state.obstacle)) return undefined;
    const now = Date.now();
    const until = state.obstacle && 'until' in state.obstacle ? state.obstacle.until : undefined;
    return {
      indicator: indicatorOf(
        {
          state,
          pinned: new Set(settings.pinnedReflexes),
          today: this.#usage.today,
          dailyLimit: settings.reflexDailyCalls,
          host: settings.serviceHost,
          now,
        },
        vscode.l10n.t,
      ),
      notable: notableKey(state),
      againMs: againIn(state.askedAt, until, now),
      isPaused: this.isPaused,
    };
  }
}

/** The real path decides, not the one that a link gives. */
async function exclusionFor({
  uri,
  languageId,
}: vscode.TextDocument): Promise<Exclusion | undefined> {
  const none = { scheme: uri.scheme, languageId, isPrivate: false, isIgnored: false };
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (uri.scheme !== 'file' || folder?.uri.scheme !== 'file')
    return exclusionOf({ ...none, path: undefined, isWanted: false });
  const [root, real] = await Promise.all(
    [folder.uri.fsPath, uri.fsPath].map(file => realpath(file).catch(() => undefined)),
  );
  const below = root === undefined || real === undefined ? undefined : path.relative(root, real);
  if (
    root === undefined ||
    below === undefined ||
    /^\.\.(?:[\\/]|$)/.test(below) ||
    path.isAbsolute(below)
  )
    return exclusionOf({ ...none, path: undefined, isWanted: false });
  const file = below.replaceAll('\\', '/');
  const isWanted = picomatch.isMatch(file, [...settings.reflexFiles], { nocase: true });
  return exclusionOf({
    ...none,
    path: file,
    isPrivate: isPrivate(file),
    isWanted,
    isIgnored: isWanted && (await isIgnoredFile(root, file)),
  });
}
