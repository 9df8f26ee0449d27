import { createHash } from 'node:crypto';
import { hasSecret } from '../host/secretText';
import { ServiceError } from '../service/errors';
import type { Called } from '../service/operation';
import type { Clock } from '../service/time';
import type { Predictions } from '../service/wire/reflex';
import type { UsedToday } from './dailyUse';
import { type Reading, readPrediction } from './reflexes';

/** When a watched text is asked about. Times in ms, lengths in characters. */
export const watchLimits = {
  /** After the last key. */
  debounceMs: 1000,
  /** Between two requests. */
  spacingMs: 5000,
  /** Since the text that was asked about last. */
  changed: 20,
  shortest: 40,
  longest: 8000,
  timeoutMs: 5000,
  cached: 500,
  /** After a failure that only the user can mend. */
  restMs: 600_000,
  /** After a failure that mends itself. */
  failureMs: 30_000,
} as const;

export type Where = 'paragraph' | 'prompt';

export interface WatchedText {
  /** The document, for example its address. */
  readonly key: string;
  readonly text: string;
  readonly where: Where;
}

/** Why a text is not watched. */
export type Exclusion = 'kind' | 'private' | 'ignored' | 'place' | 'noEditor';

export interface WatchedFile {
  readonly scheme: string;
  /** Relative to its workspace folder with `/`; absent for a file outside. */
  readonly path: string | undefined;
  readonly languageId: string;
  readonly isPrivate: boolean;
  readonly isIgnored: boolean;
  /** Matches the kinds of files that the user lets be watched. */
  readonly isWanted: boolean;
}

/** Languages of prose. Source code is never watched, whatever the settings name. */
const proseLanguages: ReadonlySet<string> = new Set([
  'markdown',
  'plaintext',
  'prompt',
  'instructions',
  'chatagent',
  'chatmode',
  'skill',
  'mdx',
  'restructuredtext',
  'asciidoc',
  'latex',
]);

/** @returns undefined when the file may be watched. */
export function exclusionOf(file: WatchedFile): Exclusion | undefined {
  if (file.scheme !== 'file' || file.path === undefined) return 'place';
  if (file.isPrivate) return 'private';
  if (!proseLanguages.has(file.languageId) || !file.isWanted) return 'kind';
  return file.isIgnored ? 'ignored' : undefined;
}

/** The lines around the cursor up to blank ones, and no more than {@link watchLimits.longest} characters. */
export function paragraphAt(
  lineAt: (line: number) => string,
  lineCount: number,
  { line, character }: { readonly line: number; readonly character: number },
): string {
  const own = lineAt(line);
  if (own.trim() === '') return '';
  const { longest } = watchLimits;
  if (own.length > longest) {
    const from = Math.max(0, Math.min(character - longest / 2, own.length - longest));
    return own.slice(from, from + longest);
  }
  const lines = [own];
  let length = own.length;
  const take = (at: number): string | undefined => {
    const text = at >= 0 && at < lineCount ? lineAt(at) : '';
    if (text.trim() === '' || length + text.length + 1 > longest) return undefined;
    length += text.length + 1;
    return text;
  };
  for (let at = line - 1, text = take(at); text !== undefined; text = take(--at))
    lines.unshift(text);
  for (let at = line + 1, text = take(at); text !== undefined; text = take(++at)) lines.push(text);
  return lines.join('\n');
}

/** How many characters lie between the ends that two texts share. */
export function changedChars(before: string, after: string): number {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  let end = 0;
  while (
    end < most - start &&
    before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)
  )
    end++;
  return Math.max(before.length, after.length) - start - end;
}

export interface WatchResult {
  readonly readings: readonly Reading[];
  readonly failures: Predictions['failures'];
  readonly where: Where;
  readonly chars: number;
  /** ms since the epoch: when the answer came. */
  readonly at: number;
  readonly ms: number;
  readonly usd: number | undefined;
  readonly isCached: boolean;
}

/** Why nothing is asked at present. Times are ms since the epoch. */
export type Obstacle =
  | { readonly kind: 'excluded'; readonly why: Exclusion }
  | { readonly kind: 'short' | 'secret' | 'unfocused' | 'dailyLimit' | 'noKey' | 'offline' }
  | { readonly kind: 'paused'; readonly until: number }
  | { readonly kind: 'limited'; readonly until: number }
  | { readonly kind: 'failed'; readonly error: unknown };

export interface WatchState {
  readonly result: WatchResult | undefined;
  /** The text has changed since the result. */
  readonly isStale: boolean;
  /** ms since the epoch, while an answer is awaited. */
  readonly askedAt: number | undefined;
  readonly obstacle: Obstacle | undefined;
}

export interface WatcherOptions {
  readonly clock: Pick<Clock, 'now' | 'after'>;
  /** One request for all reflexes together. */
  readonly ask: (
    models: readonly string[],
    text: string,
    signal: AbortSignal,
  ) => Promise<Called<Predictions>>;
  /** Names of the reflexes to ask; none: nothing is asked. */
  readonly models: () => readonly string[];
  readonly usage: UsedToday;
  readonly onChange: () => void;
}

interface Cached extends Omit<WatchResult, 'where' | 'isCached'> {}

/** Decides what is asked and when, so that an hour of typing stays far below the daily limit. */
export class Watcher {
  readonly #options: WatcherOptions;
  /** Oldest first. */
  readonly #cache = new Map<string, Cached>();
  #target: WatchedText | undefined;
  /** The text of the result that is shown. */
  #shownText: string | undefined;
  #result: WatchResult | undefined;
  #obstacle: Obstacle | undefined;
  #asking: { readonly controller: AbortController; readonly at: number } | undefined;
  #lastText = '';
  #lastAskedAt = Number.NEGATIVE_INFINITY;
  #restUntil = 0;
  #restReason: Obstacle | undefined;
  #pausedUntil = 0;
  #isFocused = true;
  #cancelTimer: (() => void) | undefined;

  constructor(options: WatcherOptions) {
    this.#options = options;
  }

  get state(): WatchState {
    return {
      result: this.#result,
      isStale: this.#result !== undefined && this.#target?.text !== this.#shownText,
      askedAt: this.#asking?.at,
      obstacle: this.#obstacle,
    };
  }

  /** Called at every key and every move of the cursor. */
  look(at: WatchedText | Exclusion): void {
    if (typeof at === 'string') {
      this.#stop();
      this.#target = undefined;
      this.#forgetResult();
      this.#set({ kind: 'excluded', why: at });
      return;
    }
    const before = this.#target;
    if (before?.key === at.key && before.text === at.text) return;
    if (before?.key !== at.key) {
      this.#stop();
      this.#forgetResult();
      this.#lastText = '';
    }
    this.#target = at;
    this.#plan(watchLimits.debounceMs);
    this.#options.onChange();
  }

  /** Asks about a text at once: a prompt that is being sent. */
  async now(target: WatchedText): Promise<void> {
    this.#stop();
    this.#target = target;
    await this.#due(true);
  }

  pause(until: number): void {
    this.#pausedUntil = until;
    this.#stop();
    this.#plan(0);
  }

  /** Nothing is asked while the user looks at something else. */
  setFocused(isFocused: boolean): void {
    if (this.#isFocused === isFocused) return;
    this.#isFocused = isFocused;
    if (isFocused) this.#plan(watchLimits.debounceMs);
  }

  /** Another key, another service, other reflexes: nothing known still holds. */
  reset(): void {
    this.#stop();
    this.#cache.clear();
    this.#forgetResult();
    this.#lastText = '';
    this.#restUntil = 0;
    this.#plan(watchLimits.debounceMs);
  }

  dispose(): void {
    this.#stop();
    this.#target = undefined;
  }

  #stop(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#asking?.controller.abort();
    this.#asking = undefined;
  }

  #forgetResult(): void {
    this.#result = undefined;
    this.#shownText = undefined;
  }

  #plan(ms: number): void {
    this.#cancelTimer?.();
    this.#cancelTimer = this.#options.clock.after(ms, () => {
      this.#cancelTimer = undefined;
      void this.#due(false);
    });
  }

  #set(obstacle: Obstacle | undefined): void {
    this.#obstacle = obstacle;
    this.#options.onChange();
  }

  /** @param isPrompt also a short text, and without the space between two requests. */
  async #due(isPrompt: boolean): Promise<void> {
    const target = this.#target;
    const models = this.#options.models();
    if (!target || models.length === 0) return this.#set(this.#obstacle);
    const now = this.#options.clock.now();
    const { text } = target;
    if (now < this.#pausedUntil) return this.#wait({ kind: 'paused', until: this.#pausedUntil });
    if (!isPrompt && text.trim().length < watchLimits.shortest) {
      this.#forgetResult();
      return this.#set({ kind: 'short' });
    }
    if (hasSecret(text)) {
      this.#forgetResult();
      return this.#set({ kind: 'secret' });
    }
    const key = createHash('sha256')
      .update(JSON.stringify([models, text]))
      .digest('hex');
    const cached = this.#cache.get(key);
    if (cached) return this.#show(target, { ...cached, where: target.where, isCached: true });
    if (now < this.#restUntil && this.#restReason)
      return this.#wait({ ...this.#restReason }, this.#restUntil);
    if (!isPrompt) {
      if (!this.#isFocused) return this.#set({ kind: 'unfocused' });
      if (changedChars(this.#lastText, text) < watchLimits.changed) return this.#set(undefined);
      const early = this.#lastAskedAt + watchLimits.spacingMs - now;
      if (early > 0) return this.#plan(early);
    }
    if (!this.#options.usage.mayAsk()) {
      // Until the day ends, or the limit is raised.
      this.#plan(watchLimits.restMs);
      return this.#set({ kind: 'dailyLimit' });
    }
    await this.#ask(target, models, key);
  }

  #wait(obstacle: Obstacle, until?: number): void {
    const end = until ?? ('until' in obstacle ? obstacle.until : 0);
    this.#plan(Math.max(0, end - this.#options.clock.now()));
    this.#set(obstacle);
  }

  async #ask(target: WatchedText, models: readonly string[], key: string): Promise<void> {
    const { clock, usage, ask } = this.#options;
    this.#asking?.controller.abort();
    const asking = { controller: new AbortController(), at: clock.now() };
    this.#asking = asking;
    this.#lastAskedAt = asking.at;
    this.#lastText = target.text;
    usage.asked(models.length);
    this.#set(undefined);
    let isSlow = false;
    const cancelTimeout = clock.after(watchLimits.timeoutMs, () => {
      isSlow = true;
      asking.controller.abort();
    });
    try {
      const answer = await ask(models, target.text, asking.controller.signal);
      if (this.#asking !== asking) return;
      this.#asking = undefined;
      const { predictions, failures, cost, ms } = answer;
      usage.answered(cost?.usd ?? 0, tokensOf(predictions));
      const known: Cached = {
        readings: predictions.map(readPrediction),
        failures,
        chars: target.text.length,
        at: clock.now(),
        ms,
        usd: cost?.usd,
      };
      this.#remember(key, known);
      this.#show(target, { ...known, where: target.where, isCached: false });
    } catch (error) {
      // Another request took over.
      if (this.#asking !== asking) return;
      this.#asking = undefined;
      this.#failed(isSlow ? new ServiceError('timeout', 'no prediction in time') : error);
    } finally {
      cancelTimeout();
    }
  }

  #show(target: WatchedText, result: WatchResult): void {
    this.#result = result;
    this.#shownText = target.text;
    this.#set(undefined);
  }

  #remember(key: string, result: Cached): void {
    this.#cache.set(key, result);
    const [oldest] = this.#cache.keys();
    if (this.#cache.size > watchLimits.cached && oldest !== undefined) this.#cache.delete(oldest);
  }

  #failed(error: unknown): void {
    const now = this.#options.clock.now();
    this.#lastText = '';
    const reason = obstacleOf(error, now);
    this.#restUntil =
      reason.kind === 'limited'
        ? reason.until
        : now + (reason.kind === 'offline' ? watchLimits.failureMs : watchLimits.restMs);
    this.#restReason = reason;
    this.#wait(reason, this.#restUntil);
  }
}

function obstacleOf(error: unknown, now: number): Obstacle {
  if (!(error instanceof ServiceError)) return { kind: 'failed', error };
  switch (error.kind) {
    case 'noKey':
    case 'noUrl':
    case 'unauthorized':
      return { kind: 'noKey' };
    case 'offline':
    case 'connection':
    case 'timeout':
    case 'server':
    case 'truncated':
      return { kind: 'offline' };
    case 'rateLimited':
    case 'paused':
      return { kind: 'limited', until: error.retryAt ?? now + 2 * watchLimits.failureMs };
    default:
      return { kind: 'failed', error };
  }
}

/** The reflexes share the prefill, so the longest is all of it. */
function tokensOf(predictions: Predictions['predictions']): number {
  return Math.max(0, ...predictions.map(({ prefillTokens }) => prefillTokens ?? 0));
}
