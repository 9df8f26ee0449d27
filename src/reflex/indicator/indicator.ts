import { charactersText, eventsText } from '../../base/format/counts';
import { formatUsd } from '../../base/format/money';
import { tokensText } from '../../base/format/numbers';
import { escapeMarkdown, type Translate } from '../../base/format/text';
import { durationText, timeOfDay } from '../../base/format/times';
import { withoutIcons } from '../../base/text/withoutIcons';
import { adviceFor } from '../../service';
import { percent, type ReflexReading, scoreBar, selectedLabelsText, shortName } from '../reflexes';
import type { DayUsage } from './dailyUsage';
import type { Exclusion } from './watchedText';
import type { Obstacle, WatchResult, WatchState } from './watcher';

/** A request is shown as running after this time, in milliseconds. */
export const busyDelayMs = 400;

export interface IndicatorInput {
  readonly state: WatchState;
  /** Reflexes whose label is always shown. */
  readonly pinned: ReadonlySet<string>;
  readonly today: DayUsage;
  /** Maximum calls per day. */
  readonly dailyLimit: number;
  /** Host name of the service. */
  readonly host: string;
  /** ms since the epoch. */
  readonly now: number;
}

export interface Indicator {
  /** Text with a leading icon, for the status bar item. */
  readonly text: string;
  /** Markdown with all service text escaped; the status bar adds links. */
  readonly tooltip: string;
  readonly isWarning: boolean;
  /** Label for screen readers. */
  readonly label: string;
  /** The same as a sentence, for the language status item. */
  readonly summary: string;
}

interface Shown {
  readonly icon: string;
  readonly text: string;
  readonly isWarning?: boolean;
}

/** Text, colors and tooltip of the status bar item. */
export function indicatorOf(input: IndicatorInput, t: Translate): Indicator {
  const { state, now } = input;
  const { result, obstacle, askedAt } = state;
  const found = result && findingOf(result.readings, input.pinned, t);
  const hindered = obstacle && obstacleText(obstacle, now, t);
  let shown: Shown = found ?? { icon: 'shield', text: 'Reflex' };
  if (hindered && (!found || isLasting(obstacle))) shown = hindered;
  else if (found && state.isStale) shown = { icon: 'history', text: found.text };
  if (askedAt !== undefined && now - askedAt >= busyDelayMs) {
    shown = { ...shown, icon: 'loading~spin' };
  }
  const summary = summaryOf(input, t);
  return {
    text: `$(${shown.icon}) ${withoutIcons(shown.text)}`.trim(),
    tooltip: tooltipOf(input, t),
    isWarning: shown.isWarning === true,
    label: t('Reflex: {0} Activate for actions.', summary),
    summary,
  };
}

/** Whether the obstacle takes precedence over an earlier result. */
function isLasting({ kind }: Obstacle): boolean {
  return !['unfocused', 'offline'].includes(kind);
}

interface Finding extends Shown {
  readonly notable: readonly ReflexReading[];
}

function findingOf(
  readings: readonly ReflexReading[],
  pinned: ReadonlySet<string>,
  t: Translate,
): Finding {
  const notable = readings
    .filter(({ isNotable }) => isNotable)
    .toSorted(
      (a, b) =>
        Number(b.isWarning) - Number(a.isWarning) ||
        (b.selected[0]?.score ?? 0) - (a.selected[0]?.score ?? 0),
    );
  const icon = 'shield';
  const [top, ...rest] = notable;
  if (top) {
    const score = percent(top.selected[0]?.score ?? 0);
    const more = rest.length + (top.isMulti ? top.selected.length - 1 : 0);
    const text = `${shortName(top)} ${score}${more > 0 ? ` +${more}` : ''}`;
    return { icon, text, isWarning: top.isWarning, notable };
  }
  const chosen = readings.find(({ reflex }) => pinned.has(reflex));
  if (chosen) {
    const [best, ...others] = chosen.selected;
    const text = best
      ? `${shortName(chosen)} ${percent(best.score)}${others.length > 0 ? ` +${others.length}` : ''}`
      : '–';
    return { icon, text, notable };
  }
  const isSure = readings.some(({ selected }) => selected.length > 0);
  return { icon, text: isSure ? t('ok') : '–', notable };
}

function obstacleText(obstacle: Obstacle, now: number, t: Translate): Shown {
  switch (obstacle.kind) {
    case 'excluded':
    case 'short':
      return { icon: 'circle-slash', text: 'Reflex' };
    case 'secret':
      return { icon: 'lock', text: t('not sent') };
    case 'unfocused':
    case 'paused':
    case 'dailyLimit':
      return { icon: 'debug-pause', text: 'Reflex' };
    case 'noKey':
      return { icon: 'key', text: 'Reflex' };
    case 'offline':
      return { icon: 'debug-disconnect', text: 'Reflex' };
    case 'limited':
      return { icon: 'watch', text: remainingText(obstacle.until - now, t) };
    default:
      return { icon: 'warning', text: 'Reflex' };
  }
}

function remainingText(ms: number, t: Translate): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  return seconds < 90 ? t('{0} s', seconds) : t('{0} min', Math.ceil(seconds / 60));
}

/** One sentence: the result, or why there is none. */
function summaryOf({ state, pinned, now }: IndicatorInput, t: Translate): string {
  const { result, obstacle, isStale } = state;
  if (obstacle && (!result || isLasting(obstacle))) return reasonText(obstacle, now, t);
  if (!result) return t('no text has been classified yet.');
  const { notable, text } = findingOf(result.readings, pinned, t);
  const [top, ...rest] = notable;
  const found = top
    ? rest.length > 0
      ? t('{0}, above its threshold, and {1} more.', spoken(top), rest.length)
      : t('{0}, above its threshold.', spoken(top))
    : text === '–'
      ? t('no label passed its threshold.')
      : t('nothing notable.');
  return isStale ? t('{0} The text has changed since.', found) : found;
}

function spoken(reading: ReflexReading): string {
  const score = percent(reading.selected[0]?.score ?? 0).replace('%', '');
  return `${shortName(reading)} ${score} percent`;
}

function reasonText(obstacle: Obstacle, now: number, t: Translate): string {
  switch (obstacle.kind) {
    case 'excluded':
      return exclusionText(obstacle.why, t);
    case 'short':
      return t('the paragraph is too short to classify.');
    case 'secret':
      return t('the text seems to contain a key or a password, so it was not sent.');
    case 'unfocused':
      return t('waiting until this window is active again.');
    case 'paused':
      return t('paused until {0}.', timeOfDay(obstacle.until));
    case 'dailyLimit':
      return t('the limit of calls for today has been reached.');
    case 'noKey':
      return t('no API key is set, or the service refused it.');
    case 'offline':
      return t('the service cannot be reached; Splice will try again soon.');
    case 'limited':
      return t(
        'the service is limiting requests; the next attempt is in {0}.',
        remainingText(obstacle.until - now, t),
      );
    default:
      return adviceFor(obstacle.error, t).message;
  }
}

function exclusionText(why: Exclusion, t: Translate): string {
  return {
    kind: t('files of this kind are not watched.'),
    private: t('files that may contain keys are not watched.'),
    ignored: t('ignored files are not watched.'),
    place: t('only files of the workspace are watched.'),
    noEditor: t('no text is open.'),
  }[why];
}

function tooltipOf({ state, today, dailyLimit, host, now }: IndicatorInput, t: Translate): string {
  const { result, obstacle, isStale } = state;
  const parts: string[] = [];
  if (result) {
    parts.push(tableOf(result, t));
    if (isStale) parts.push(t('The text has changed since.'));
    parts.push(factsOf(result, t));
  }
  if (obstacle) parts.push(sentence(reasonText(obstacle, now, t)));
  if (parts.length === 0) parts.push(t('No text has been classified yet.'));
  parts.push(todayText(today, dailyLimit, t));
  parts.push(t('Texts go to {0}.', escapeMarkdown(host)));
  return parts.join('\n\n');
}

function tableOf({ readings, failures }: WatchResult, t: Translate): string {
  const head = `| ${t('Reflex')} | ${t('Label')} | ${t('Score')} |\n| :-- | :-- | :-- |`;
  const rows = readings.map(reading => {
    const name = escapeMarkdown(reading.reflex);
    const [best] = reading.selected;
    if (!best) return `| ${name} | – | ${t('no label passed its threshold')} |`;
    const isStrong = reading.isNotable ? '**' : '';
    const labels = escapeMarkdown(reading.selected.map(({ label }) => label).join(', '));
    return `| ${name} | ${isStrong}${labels}${isStrong} | ${scoreBar(best.score)} ${percent(best.score)} |`;
  });
  const failed = failures.map(
    ({ model, message }) => `| ${escapeMarkdown(model)} | – | ${escapeMarkdown(message)} |`,
  );
  return [head, ...rows, ...failed].join('\n');
}

function factsOf({ where, chars, at, ms, usd, isCached }: WatchResult, t: Translate): string {
  const text = where === 'prompt' ? t('Prompt') : t('Paragraph');
  return [
    [text, charactersText(chars, t), timeOfDay(at)].join(', '),
    isCached ? t('cached') : durationText(ms, t),
    ...(usd === undefined || isCached ? [] : [t('about {0}', formatUsd(usd))]),
  ].join(' · ');
}

function todayText({ calls, events, tokens, usd }: DayUsage, limit: number, t: Translate): string {
  if (calls === 0) return t('Today: no call yet, at most {0}.', limit);
  return t(
    'Today: {0} of {1} calls, {2}, {3}, about {4}.',
    calls,
    limit,
    eventsText(events, t),
    tokensText(tokens, t),
    formatUsd(usd),
  );
}

function sentence(text: string): string {
  return escapeMarkdown(text.charAt(0).toUpperCase() + text.slice(1));
}

/** Changes with the set of findings but not with each score; {@link Indicator.label} is announced when it changes. */
export function notableKey({ result }: WatchState): string {
  return (result?.readings ?? [])
    .filter(({ isNotable }) => isNotable)
    .map(reading =>
      `${reading.reflex} ${selectedLabelsText({ ...reading })}`.replaceAll(/ \d+%/g, ''),
    )
    .join('\n');
}
