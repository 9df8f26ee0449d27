import * as vscode from 'vscode';
import { ids } from '../manifest';
import { type Indicator, patienceMs } from './indicator';

const { t } = vscode.l10n;
const { command } = ids;

/** Between two changes of what is drawn. */
const leastMs = 500;

/** The languages of prose that a file may be watched in. */
const selector: vscode.DocumentSelector = [
  { language: 'markdown' },
  { language: 'plaintext' },
  { language: 'prompt' },
  { language: 'instructions' },
  { pattern: '**/*.prompt' },
];

/** What the tooltip's links may run. */
const tooltipCommands = [
  command.classify,
  command.chooseReflexes,
  command.pauseIndicator,
  command.whatIsSent,
];

export interface Drawn {
  readonly indicator: Indicator;
  /** Another set of findings has another key. */
  readonly notable: string;
  /** ms from now at which it has to be drawn again: a countdown, or a request that takes long. */
  readonly againMs: number | undefined;
  readonly isPaused: boolean;
}

/** Draws the indicator: a property only when it changed, and at most twice a second. */
export class StatusBar implements vscode.Disposable {
  readonly #draw: () => Drawn | undefined;
  #item: vscode.StatusBarItem | undefined;
  #language: vscode.LanguageStatusItem | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #dueAt = Number.POSITIVE_INFINITY;
  #drawnAt = 0;
  #notable: string | undefined;
  #tooltip = '';

  /** @param draw what is to be seen now; undefined hides it */
  constructor(draw: () => Drawn | undefined) {
    this.#draw = draw;
  }

  update(): void {
    this.#plan(Math.max(0, this.#drawnAt + leastMs - Date.now()));
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
    const { indicator, notable, againMs } = drawn;
    const item = (this.#item ??= this.#create());
    if (item.text !== indicator.text) item.text = indicator.text;
    const tooltip = `${indicator.tooltip}\n\n${linksOf(drawn)}`;
    if (tooltip !== this.#tooltip) {
      this.#tooltip = tooltip;
      item.tooltip = markdown(tooltip);
    }
    const color = indicator.isWarning ? 'statusBarItem.warningBackground' : undefined;
    const before = item.backgroundColor instanceof vscode.ThemeColor;
    if (before !== (color !== undefined))
      item.backgroundColor = color === undefined ? undefined : new vscode.ThemeColor(color);
    // Screen readers are told of another set of findings, not of each score.
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
    if (againMs !== undefined) this.#plan(Math.max(againMs, leastMs));
  }

  #create(): vscode.StatusBarItem {
    const item = vscode.window.createStatusBarItem(
      ids.statusItem,
      vscode.StatusBarAlignment.Right,
      90,
    );
    item.name = t('Splice Reflex');
    item.command = command.indicatorActions;
    return item;
  }

  #createLanguage(): vscode.LanguageStatusItem {
    const item = vscode.languages.createLanguageStatusItem(ids.statusItem, selector);
    item.name = t('Splice Reflex');
    item.command = { command: command.indicatorActions, title: t('Actions') };
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

function linksOf({ isPaused }: Drawn): string {
  const links: readonly (readonly [string, string])[] = [
    [t('Classify Selection'), command.classify],
    [t('Choose Reflexes'), command.chooseReflexes],
    [isPaused ? t('Go On') : t('Pause 1 h'), command.pauseIndicator],
    [t('What Is Sent'), command.whatIsSent],
  ];
  return links.map(([title, id]) => `[${title}](command:${id})`).join(' · ');
}

function markdown(text: string): vscode.MarkdownString {
  const value = new vscode.MarkdownString(text);
  value.isTrusted = { enabledCommands: tooltipCommands };
  return value;
}

/** When a state has to be drawn again without any event. */
export function againIn(
  askedAt: number | undefined,
  until: number | undefined,
  now: number,
): number | undefined {
  if (askedAt !== undefined && now - askedAt < patienceMs) return askedAt + patienceMs - now;
  if (until === undefined || until <= now) return undefined;
  return until - now < 90_000 ? 1000 : 60_000;
}
