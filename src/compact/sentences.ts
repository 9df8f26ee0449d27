import * as vscode from 'vscode';
import { costText, durationText, shortNumber } from '../host/figures';
import type { Compaction, CompactEngine } from './engine';
import type { UnreadableHistory } from './historyFiles';
import type { Figures } from './receipt';
import type { Names } from './sheet';

const { t } = vscode.l10n;

/** What the headers of turns and parts say. */
export const names: Names = {
  turn(role, at) {
    const name = {
      user: t('User'),
      assistant: t('Assistant'),
      tool: t('Tool'),
      system: t('System'),
    }[role];
    const time = at === undefined ? Number.NaN : Date.parse(at);
    if (Number.isNaN(time)) return name;
    const text = new Date(time).toLocaleString(undefined, {
      dateStyle: 'medium',
      timeStyle: 'short',
    });
    return `${name} · ${text}`;
  },
  part({ type, name }) {
    switch (type) {
      case 'text':
        return undefined;
      case 'tool_call':
        return name === undefined ? t('Tool call') : t('Tool call: {0}', name);
      case 'tool_result':
        return t('Tool result');
      case 'thinking':
        return t('Thinking');
      case 'context':
        return t('Context');
      case 'summary':
        return t('Summary');
      case 'image':
        return t('Image');
      case 'encrypted':
        return t('Encrypted');
      default:
        return t('Other content');
    }
  },
};

export function percentText(ratio: number): string {
  const percent = 100 * ratio;
  return `${percent < 10 && percent % 1 !== 0 ? percent.toFixed(1) : Math.round(percent)}%`;
}

/** How much smaller: `−68%`. */
export function savingText({ tokens, keptTokens }: Figures): string {
  return tokens === 0 ? percentText(0) : `−${percentText(1 - keptTokens / tokens)}`;
}

/** `84k → 27k tokens, −68%`. */
export function tokensSaved(figures: Figures): string {
  return t(
    '{0} → {1} tokens, {2}',
    shortNumber(figures.tokens),
    shortNumber(figures.keptTokens),
    savingText(figures),
  );
}

export function linesKept({ keptLines, lines }: Figures): string {
  return t('{0} of {1} lines', keptLines.toLocaleString(), lines.toLocaleString());
}

export function engineText(engine: CompactEngine): string {
  return engine === 'local' ? t('on this machine') : t('by the service');
}

export function compactedBy({ engine, ms, cost }: Compaction): string {
  const how =
    engine === 'local'
      ? t('on this machine, {0}', durationText(ms))
      : t('by the service, each line proved, {0}', durationText(ms));
  return cost ? `${how} · ${costText(cost)}` : how;
}

export function leftOutText(lines: number, tokens: number): string {
  const count =
    lines === 1 ? t('1 line left out') : t('{0} lines left out', lines.toLocaleString());
  return `${count} · ${t('{0} tokens', shortNumber(tokens))}`;
}

export function restoreText(lines: number, tokens: number): string {
  const count = lines === 1 ? t('Restore 1 line') : t('Restore {0} lines', lines.toLocaleString());
  return `${count} · ${t('{0} tokens', shortNumber(tokens))}`;
}

export function sizeText(bytes: number): string {
  if (bytes < 1000) return t('{0} bytes', bytes);
  return bytes < 1_000_000
    ? t('{0} kB', Math.round(bytes / 1000))
    : t('{0} MB', (bytes / 1_000_000).toFixed(1));
}

/** `3 hours ago`. */
export function ageText(at: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - at) / 1000));
  const format = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
  if (seconds < 3600) return format.format(-Math.round(seconds / 60), 'minute');
  if (seconds < 86_400) return format.format(-Math.round(seconds / 3600), 'hour');
  return format.format(-Math.round(seconds / 86_400), 'day');
}

export function unreadableText(reason: UnreadableHistory['reason']): string {
  return {
    tooLarge: t('larger than 50 MB'),
    database: t('a database: export the session from its tool, then compact the file'),
    unknown: t('of a form that is not known'),
    unreadable: t('cannot be read'),
  }[reason];
}
