import * as vscode from 'vscode';
import { costText } from '../../base/format/money';
import { numberText, percentText, shortNumber, tokensText } from '../../base/format/numbers';
import { dateTimeText, durationText } from '../../base/format/times';
import { translated } from '../../base/sentence';
import type { PartLabels } from '../session/keptText';
import type { Chat } from '../sessions/chat';
import type { UnreadableHistory } from '../sessions/sessionFiles';
import type { CompactEngine, Compaction } from '../worker/engine';
import type { ReceiptTotals } from './receipt';

const { t } = vscode.l10n;

/** Header texts of turns and parts. */
export const partLabels: PartLabels = {
  turn(role, at) {
    const name = {
      user: t('User'),
      assistant: t('Assistant'),
      tool: t('Tool'),
      system: t('System'),
    }[role];
    const time = at === undefined ? Number.NaN : Date.parse(at);
    if (Number.isNaN(time)) return name;
    return `${name} · ${dateTimeText(time)}`;
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

/** What the user should know of a chat that was read. */
export function chatNotes({ notes, isCut }: Chat): string[] {
  const texts = notes.map(each => translated(each, t));
  return isCut ? [...texts, t('The file ends in the middle of a line.')] : texts;
}

/** @param label name of the tool */
export function earlierLeftOutText(label: string): string {
  return t(
    '{0} no longer sends the earlier messages of this chat, and they are not included.',
    label,
  );
}

/** The saving in percent, such as `−68%`. */
export function savingText({ tokens, keptTokens }: ReceiptTotals): string {
  return tokens === 0 ? percentText(0) : `−${percentText(1 - keptTokens / tokens)}`;
}

/** For example `84k → 27k tokens, −68%`. */
export function tokensSaved(totals: ReceiptTotals): string {
  return t(
    '{0} → {1} tokens, {2}',
    shortNumber(totals.tokens),
    shortNumber(totals.keptTokens),
    savingText(totals),
  );
}

export function linesKept({ keptLines, lines }: ReceiptTotals): string {
  return t(
    lines === 1 ? '{0} of 1 line' : '{0} of {1} lines',
    keptLines.toLocaleString(),
    lines.toLocaleString(),
  );
}

export function compactEngineText(engine: CompactEngine): string {
  return engine === 'local' ? t('on this machine') : t('by the service');
}

export function compactedBy({ engine, ms, cost }: Compaction): string {
  const how =
    engine === 'local'
      ? t('on this machine, {0}', durationText(ms, t))
      : t('by the service, each line proved, {0}', durationText(ms, t));
  return cost ? `${how} · ${costText(cost, t)}` : how;
}

export function leftOutLinesText(lines: number, tokens: number): string {
  const count =
    lines === 1
      ? t('1 line left out')
      : t('{0} lines left out', numberText(lines, vscode.env.language));
  return `${count} · ${tokensText(tokens, t)}`;
}

export function restoreText(lines: number, tokens: number): string {
  const count =
    lines === 1
      ? t('Restore 1 line')
      : t('Restore {0} lines', numberText(lines, vscode.env.language));
  return `${count} · ${tokensText(tokens, t)}`;
}

export function unreadableText(reason: UnreadableHistory['reason']): string {
  return {
    tooLarge: t('larger than 256 MB'),
    largeDatabase: t('larger than 500 MB: export the session from its tool, then compact the file'),
    database: t('a database: export the session from its tool, then compact the file'),
    noSqlite: t(
      'a database, which this version of the editor cannot read: export the session from its tool',
    ),
    unknown: t('in an unknown format'),
    unreadable: t('cannot be read'),
  }[reason];
}
