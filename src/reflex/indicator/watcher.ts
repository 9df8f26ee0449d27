import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../base/async/clock';
import { hasSecret } from '../../platform/egress/secrets/secretText';
import type { CallResult } from '../../service';
import { type Predictions, ServiceError } from '../../service';
import { type ReflexReading, readPrediction } from '../reflexes';
import type { DailyUsage } from './dailyUsage';
import {
  changedChars,
  type Exclusion,
  type WatchedText,
  type Where,
  watchLimits,
} from './watchedText';

export interface WatchResult {
  readonly readings: readonly ReflexReading[];
  readonly failures: Predictions['failures'];
  readonly where: Where;
  readonly chars: number;
  /** When the answer arrived, ms since the epoch. */
  readonly at: number;
  readonly ms: number;
  readonly usd: number | undefined;
  readonly isCached: boolean;
}

/** Why nothing is classified at present. Times are ms since the epoch. */
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
  /** Start of the pending request, ms since the epoch. */
  readonly askedAt: number | undefined;
  readonly obstacle: Obstacle | undefined;
}

export interface WatcherOptions {
  readonly clock: Pick<Clock, 'now' | 'after'>;
  /** Sends one request for all reflexes. */
  readonly ask: (
    models: readonly string[],
    text: string,
    signal: AbortSignal,
  ) => Promise<CallResult<Predictions>>;
  /** Names of the reflexes to ask; with none, nothing is sent. */
  readonly models: () => readonly string[];
  readonly usage: DailyUsage;
  readonly onChange: () => void;
}

interface Cached extends Omit<WatchResult, 'where' | 'isCached'> {}

/** Decides what is classified and when, so that an hour of typing stays far below the daily limit. */
export class Watcher {
  readonly #options: WatcherOptions;
  /** Oldest first. */
  readonly #cache = new LRUCache<string, Cached>({ max: watchLimits.maxCached });
  #target: WatchedText | undefined;
  /** The text that the shown result belongs to. */
  #shownText: string | undefined;
  #result: WatchResult | undefined;
  #obstacle: Obstacle | undefined;
  #asking: { readonly controller: AbortController; readonly at: number } | undefined;
  #lastText = '';
  #lastAskedAt = Number.NEGATIVE_INFINITY;
  #backoffUntil = 0;
  #backoffReason: Obstacle | undefined;
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

  /** Called on every keystroke and cursor movement. */
  setTarget(at: WatchedText | Exclusion): void {
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

  /** Classifies a text immediately: a prompt that is being sent. */
  async classifyNow(target: WatchedText): Promise<void> {
    this.#stop();
    this.#target = target;
    await this.#classifyIfAllowed(true);
  }

  pause(until: number): void {
    this.#pausedUntil = until;
    this.#stop();
    this.#plan(0);
  }

  /** Nothing is sent while the window does not have the focus. */
  setFocused(isFocused: boolean): void {
    if (this.#isFocused === isFocused) return;
    this.#isFocused = isFocused;
    if (isFocused) this.#plan(watchLimits.debounceMs);
  }

  /** For another key, service or set of reflexes: discards all results. */
  reset(): void {
    this.#stop();
    this.#cache.clear();
    this.#forgetResult();
    this.#lastText = '';
    this.#backoffUntil = 0;
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
      void this.#classifyIfAllowed(false);
    });
  }

  #set(obstacle: Obstacle | undefined): void {
    this.#obstacle = obstacle;
    this.#options.onChange();
  }

  /** @param isPrompt allows short texts and skips the spacing between requests. */
  async #classifyIfAllowed(isPrompt: boolean): Promise<void> {
    const target = this.#target;
    const models = this.#options.models();
    if (!target || models.length === 0) return this.#set(this.#obstacle);
    const now = this.#options.clock.now();
    const { text } = target;
    if (now < this.#pausedUntil) return this.#wait({ kind: 'paused', until: this.#pausedUntil });
    if (!isPrompt && text.trim().length < watchLimits.minChars) {
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
    if (now < this.#backoffUntil && this.#backoffReason) {
      return this.#wait({ ...this.#backoffReason }, this.#backoffUntil);
    }
    if (!isPrompt) {
      if (!this.#isFocused) return this.#set({ kind: 'unfocused' });
      if (changedChars(this.#lastText, text) < watchLimits.minChangedChars) {
        return this.#set(undefined);
      }
      const early = this.#lastAskedAt + watchLimits.spacingMs - now;
      if (early > 0) return this.#plan(early);
    }
    if (!this.#options.usage.isBelowLimit()) {
      // Checked again later: the day may end, or the limit may be raised.
      this.#plan(watchLimits.backoffMs);
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
    usage.addCall(models.length);
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
      usage.addCost(cost?.usd ?? 0, tokensOf(predictions));
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
      // A newer request has replaced this one.
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
  }

  #failed(error: unknown): void {
    const now = this.#options.clock.now();
    this.#lastText = '';
    const reason = obstacleOf(error, now);
    this.#backoffUntil =
      reason.kind === 'limited'
        ? reason.until
        : now + (reason.kind === 'offline' ? watchLimits.retryMs : watchLimits.backoffMs);
    this.#backoffReason = reason;
    this.#wait(reason, this.#backoffUntil);
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
      return { kind: 'limited', until: error.retryAt ?? now + 2 * watchLimits.retryMs };
    default:
      return { kind: 'failed', error };
  }
}

/** The reflexes share the prefill, so the maximum is the total. */
function tokensOf(predictions: Predictions['predictions']): number {
  return Math.max(0, ...predictions.map(({ prefillTokens }) => prefillTokens ?? 0));
}
