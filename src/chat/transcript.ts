import type { ChatTurn } from './blocks';

/** One message, with each of its lines as it was. */
export interface ChatMessage {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

/** A conversation to compact. What `/compact` answered is left out: it says the same once more. */
export function messagesOf(history: readonly ChatTurn[]): ChatMessage[] {
  return history
    .filter(({ command }) => command !== 'compact')
    .map(({ role, text, command }) => ({
      role,
      text: role === 'user' && command !== undefined ? `/${command} ${text}`.trimEnd() : text,
    }))
    .filter(({ text }) => text.trim() !== '');
}

export interface CompactWish {
  /** Share to keep, above 0 to 1. */
  readonly ratio?: number;
  /** What matters next. */
  readonly query: string;
}

/** Reads `20% the failing test`: how much to keep, and what for; either may be missing. */
export function readWish(prompt: string): CompactWish {
  const text = prompt.trim();
  const [all, number = ''] = /^(\d{1,3})\s?%(?=\s|$)\s*/.exec(text) ?? [];
  const percent = Number(number);
  if (all === undefined || percent < 1 || percent > 100) return { query: text };
  return { ratio: percent / 100, query: text.slice(all.length) };
}

/** Text in a fence that no line of it closes. */
export function fenced(text: string, language = ''): string {
  const longest = (text.match(/`{3,}/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}\n`;
}

/** Text of one line as code, cut where it is longer than `maxLength` characters. */
export function inlineCode(text: string, maxLength = 200): string {
  const whole = text.replaceAll(/\s+/g, ' ').trim();
  const line = whole.length > maxLength ? `${whole.slice(0, maxLength)}…` : whole;
  if (line === '') return '';
  const longest = (line.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
  const ticks = '`'.repeat(longest + 1);
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${ticks}${pad}${line}${pad}${ticks}`;
}

/** The first lines of a code, with a note on the rest. */
export function firstLines(code: string, most: number, note: (left: number) => string): string {
  const lines = code.replace(/\n$/, '').split('\n');
  if (lines.length <= most + 1) return lines.join('\n');
  return [...lines.slice(0, most), note(lines.length - most)].join('\n');
}

/** What follows a fence, for the colours of a code. */
export function languageOf(path: string): string {
  return /\.([a-z\d]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '';
}
