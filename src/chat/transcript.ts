import { fenceFor } from '../markdown';
import type { ChatTurn } from './editSource';

/** One message with its lines unchanged. */
export interface TranscriptMessage {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

/** The messages to compact. Answers to `/compact` are left out because they repeat the conversation. */
export function messagesToCompact(history: readonly ChatTurn[]): TranscriptMessage[] {
  return history
    .filter(({ command }) => command !== 'compact')
    .map(({ role, text, command }) => ({
      role,
      text: role === 'user' && command !== undefined ? `/${command} ${text}`.trimEnd() : text,
    }))
    .filter(({ text }) => text.trim() !== '');
}

export interface CompactPrompt {
  /** Share of the text to keep, above 0 and at most 1. */
  readonly ratio?: number;
  /** What the rest of the conversation is about. */
  readonly query: string;
}

/** Parses `20% the failing test`: the share to keep and the topic; both are optional. */
export function parseCompactPrompt(prompt: string): CompactPrompt {
  const text = prompt.trim();
  const [all, number = ''] = /^(\d{1,3})\s?%(?=\s|$)\s*/.exec(text) ?? [];
  const percent = Number(number);
  if (all === undefined || percent < 1 || percent > 100) return { query: text };
  return { ratio: percent / 100, query: text.slice(all.length) };
}

/** The text in a fence that is longer than any fence in the text. */
export function fenced(text: string, language = ''): string {
  const fence = fenceFor(text);
  return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}\n`;
}

/** The text as inline code on one line, cut at `maxLength` characters. */
export function inlineCode(text: string, maxLength = 200): string {
  const whole = text.replaceAll(/\s+/g, ' ').trim();
  const line = whole.length > maxLength ? `${whole.slice(0, maxLength)}…` : whole;
  if (line === '') return '';
  const longest = (line.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
  const ticks = '`'.repeat(longest + 1);
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${ticks}${pad}${line}${pad}${ticks}`;
}

/** The first lines of the code, followed by a note about how many are left. */
export function firstLines(code: string, most: number, note: (left: number) => string): string {
  const lines = code.replace(/\n$/, '').split('\n');
  if (lines.length <= most + 1) return lines.join('\n');
  return [...lines.slice(0, most), note(lines.length - most)].join('\n');
}

/** Language identifier for a fence, used for highlighting. */
export function languageOf(path: string): string {
  return /\.([a-z\d]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '';
}
