import * as vscode from 'vscode';
import type { CommandId } from '../../platform/commands/contribute';
import { commandItem } from '../../platform/commands/registerCommands';
import { statusItem } from '../ids';
import { busyDelayMs, type Indicator } from './indicator';

const { t } = vscode.l10n;

/** Minimum time between two redraws, in milliseconds. */
const minRedrawMs = 500;

/** Languages in which a file may be watched. */
const selector: vscode.DocumentSelector = [
  { language: 'markdown' },
  { language: 'plaintext' },
  { language: 'prompt' },
  { language: 'instructions' },
  { pattern: '**/*.prompt' },
];

/** Commands that links in the tooltip may run. */
const tooltipCommands = [
  'splice.reflex.classify' satisfies CommandId,
  'splice.reflex.choose' satisfies CommandId,
  'splice.reflex.pause' satisfies CommandId,
  'splice.reflex.whatIsSent' satisfies CommandId,
];

export interface StatusBarState {
  readonly indicator: Indicator;
  /** Changes with the set of findings. */
  readonly notable: string;
  /** Milliseconds until the next redraw is due: a countdown, or a slow request. */
  readonly redrawMs: number | undefined;
  readonly isPaused: boolean;
}

/** Draws the indicator: sets only properties that changed, at most twice a second. */
export class ReflexStatusBar implements vscode.Disposable {
  readonly #draw: () => StatusBarState | undefined;
  #item: vscode.StatusBarItem | undefined;
  #language: vscode.LanguageStatusItem | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #dueAt = Number.POSITIVE_INFINITY;
  #drawnAt = 0;
  #notable: string | undefined;
  #tooltip = '';

  /** @param draw returns the current state; undefined hides the item */
  constructor(draw: () => StatusBarState | undefined) {
    this.#draw = draw;
  }

  update(): void {
    this.#plan(Math.max(0, this.#drawnAt + minRedrawMs - Date.now()));
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#hide();
  }

  #plan(ms: number): void {
    const dueAt = Date.now() + ms;
    if (this.#timer && this.#dueAt <= dueAt) return;
    clearTimeout(this.#timer);
    this.#dueAt = dueAt;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#redraw();
    }, ms);
  }

  #redraw(): void {
    const drawn = this.#draw();
    this.#drawnAt = Date.now();
    if (!drawn) return this.#hide();
    const { indicator, notable, redrawMs } = drawn;
    const item = (this.#item ??= this.#create());
    if (item.text !== indicator.text) item.text = indicator.text;
    const tooltip = `${indicator.tooltip}\n\n${linksOf(drawn)}`;
    if (tooltip !== this.#tooltip) {
      this.#tooltip = tooltip;
      item.tooltip = markdown(tooltip);
    }
    const color = indicator.isWarning ? 'statusBarItem.warningBackground' : undefined;
    const before = item.backgroundColor instanceof vscode.ThemeColor;
    if (before !== (color !== undefined)) {
      item.backgroundColor = color === undefined ? undefined : new vscode.ThemeColor(color);
    }
    // Screen readers announce a new set of findings, not each score.
    if (this.#notable !== `${notable}\n${indicator.isWarning}\n${indicator.text.split(' ')[0]}`) {
      this.#notable = `${notable}\n${indicator.isWarning}\n${indicator.text.split(' ')[0]}`;
      item.accessibilityInformation = { label: indicator.label };
    }
    const language = (this.#language ??= this.#createLanguage());
    const detail = indicator.summary;
    if (language.text !== indicator.text) language.text = indicator.text;
    if (language.detail !== detail) language.detail = detail;
    const severity = indicator.isWarning
      ? vscode.LanguageStatusSeverity.Warning
      : vscode.LanguageStatusSeverity.Information;
    if (language.severity !== severity) language.severity = severity;
    item.show();
    if (redrawMs !== undefined) this.#plan(Math.max(redrawMs, minRedrawMs));
  }

  #create(): vscode.StatusBarItem {
    const item = vscode.window.createStatusBarItem(statusItem, vscode.StatusBarAlignment.Right, 90);
    item.name = t('Splice Reflex');
    item.command = 'splice.reflex.actions' satisfies CommandId;
    return item;
  }

  #createLanguage(): vscode.LanguageStatusItem {
    const item = vscode.languages.createLanguageStatusItem(statusItem, selector);
    item.name = t('Splice Reflex');
    item.command = commandItem(t('Actions'), 'splice.reflex.actions');
    return item;
  }

  #hide(): void {
    this.#item?.dispose();
    this.#language?.dispose();
    this.#item = this.#language = undefined;
    this.#notable = undefined;
    this.#tooltip = '';
  }
}

function linksOf({ isPaused }: StatusBarState): string {
  const links: readonly (readonly [string, string])[] = [
    [t('Classify Selection'), 'splice.reflex.classify' satisfies CommandId],
    [t('Choose Reflexes'), 'splice.reflex.choose' satisfies CommandId],
    [isPaused ? t('Resume') : t('Pause for 1 h'), 'splice.reflex.pause' satisfies CommandId],
    [t('What Is Sent'), 'splice.reflex.whatIsSent' satisfies CommandId],
  ];
  return links.map(([title, id]) => `[${title}](command:${id})`).join(' · ');
}

function markdown(text: string): vscode.MarkdownString {
  const value = new vscode.MarkdownString(text);
  value.isTrusted = { enabledCommands: tooltipCommands };
  return value;
}

/** Milliseconds until a state must be redrawn without any event; undefined: never. */
export function redrawDelayMs(
  askedAt: number | undefined,
  until: number | undefined,
  now: number,
): number | undefined {
  if (askedAt !== undefined && now - askedAt < busyDelayMs) return askedAt + busyDelayMs - now;
  if (until === undefined || until <= now) return undefined;
  return until - now < 90_000 ? 1000 : 60_000;
}
