import picomatch from 'picomatch';
import * as vscode from 'vscode';
import { systemClock } from '../../base/async/clock';
import type { SettingId } from '../../platform/commands/contribute';
import { DisposableStore } from '../../platform/disposables';
import type { GatedClient } from '../../platform/egress/gatedClient';
import { isIgnoredFile } from '../../platform/egress/paths/ignoreFiles';
import { isPrivate } from '../../platform/egress/paths/privateNames';
import { realPlaceOf } from '../../platform/egress/paths/realPaths';
import type { Host } from '../../platform/host';
import { settings } from '../../platform/settings';
import { usageKey } from '../../platform/storageKeys';
import type { Consent } from '../consent';
import { indicatorReflexes } from '../reflexes';
import { DailyUsage } from './dailyUsage';
import { indicatorOf, notableKey } from './indicator';
import { ReflexStatusBar, redrawDelayMs, type StatusBarState } from './statusBar';
import { type Exclusion, exclusionOf, paragraphAt, type WatchedText } from './watchedText';
import { Watcher, type WatchState } from './watcher';

/** Settings whose change restarts the indicator. */
const restarting: readonly SettingId[] = [
  'splice.service.baseUrl',
  'splice.reflex.reflexes',
  'splice.reflex.files',
  'splice.reflex.dailyCalls',
];

const pauseMs = 3600_000;

/** Connects editor events to the watcher, and its state to the status bar. */
export class IndicatorController implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #consent: Consent;
  readonly #watcher: Watcher;
  readonly #status: ReflexStatusBar;
  readonly #usage: DailyUsage;
  /** By document URI, until the active editor changes. */
  readonly #exclusions = new Map<string, Exclusion | undefined>();
  #pausedUntil = 0;
  #looks = 0;

  constructor(host: Host, client: Pick<GatedClient, 'predictMany'>, consent: Consent) {
    this.#consent = consent;
    const { globalState } = host.context;
    this.#usage = new DailyUsage(
      {
        get: () => globalState.get(usageKey),
        set: usage => void globalState.update(usageKey, usage),
      },
      () => Date.now(),
      () => settings.reflexDailyCalls,
    );
    this.#status = this.#store.add(new ReflexStatusBar(() => this.#statusBarState()));
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
    const update = host.quietly(() => this.look());
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
    add(vscode.window.onDidChangeTextEditorSelection(update));
    add(
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document === vscode.window.activeTextEditor?.document) update();
      }),
    );
    add(vscode.workspace.onDidSaveTextDocument(lookAfresh));
    add(vscode.window.onDidChangeWindowState(({ focused }) => this.#watcher.setFocused(focused)));
    add(vscode.workspace.onDidGrantWorkspaceTrust(start));
    add(host.context.secrets.onDidChange(start));
    add(
      vscode.workspace.onDidChangeConfiguration(change => {
        if (restarting.some(id => change.affectsConfiguration(id))) start();
        if (change.affectsConfiguration('splice.reflex.pinned' satisfies SettingId)) {
          this.#status.update();
        }
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

  get use(): DailyUsage {
    return this.#usage;
  }

  togglePause(): void {
    this.#pausedUntil = this.isPaused ? 0 : Date.now() + pauseMs;
    this.#watcher.pause(this.#pausedUntil);
  }

  /** Called when a prompt is sent; does nothing without consent. */
  async classifyPrompt(text: string): Promise<void> {
    if (this.#consent.level === 'selection') return;
    await this.#watcher.classifyNow({ key: 'prompt', text, where: 'prompt' });
  }

  async look(): Promise<void> {
    const turn = ++this.#looks;
    const target = await this.#target();
    if (turn !== this.#looks || target === undefined) return;
    this.#watcher.setTarget(target);
    this.#status.update();
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** @returns undefined to keep the current target. */
  async #target(): Promise<WatchedText | Exclusion | undefined> {
    if (this.#consent.level !== 'documents') {
      // The result of a prompt stays visible.
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

  #statusBarState(): StatusBarState | undefined {
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
      redrawMs: redrawDelayMs(state.askedAt, until, now),
      isPaused: this.isPaused,
    };
  }
}

/** Decided by the real path, not by a symbolic link. */
async function exclusionFor({
  uri,
  languageId,
}: vscode.TextDocument): Promise<Exclusion | undefined> {
  const none = { scheme: uri.scheme, languageId, isPrivate: false, isIgnored: false };
  const { inFolder } = await realPlaceOf(uri);
  if (!inFolder) return exclusionOf({ ...none, path: undefined, isWanted: false });
  const file = inFolder.below;
  const isWanted = picomatch.isMatch(file, [...settings.reflexFiles], { nocase: true });
  return exclusionOf({
    ...none,
    path: file,
    isPrivate: isPrivate(file),
    isWanted,
    isIgnored: isWanted && (await isIgnoredFile(inFolder.root, file)),
  });
}
