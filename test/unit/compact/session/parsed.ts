import type { Role } from '../../../../src/compact/core/message';
import { type SessionParts, sessionParts } from '../../../../src/compact/session/parts';
import type { Chat, ParsedPart } from '../../../../src/compact/sessions/chat';
import { indexLines, type SessionLineIndex } from '../../../../src/compact/worker/sessionLineIndex';

/** A part of a message with this text; `more` is what makes it anything but plain text. */
export const said = (text: string, more: Partial<ParsedPart> = {}): ParsedPart => ({
  kind: 'text',
  type: 'text',
  text,
  isEditable: true,
  isRemovable: true,
  ...more,
});

export const thought = (text: string, more: Partial<ParsedPart> = {}): ParsedPart =>
  said(text, { kind: 'thinking', type: 'thinking', ...more });

export const result = (callId: string, text: string, more: Partial<ParsedPart> = {}): ParsedPart =>
  said(text, { kind: 'tool_result', type: 'tool_result', callId, ...more });

/** A call whose values have these names; each value is a text. */
export function call(callId: string, values: Readonly<Record<string, string>>): ParsedPart {
  const named = Object.entries(values);
  return said(named.map(([name, value]) => `${name}: ${value}`).join('\n'), {
    kind: 'other',
    type: 'tool_call',
    callId,
    isEditable: false,
    fields: named.map(([name, value]) => ({
      lineCount: value.split('\n').length,
      nameLength: name.length + 2,
      isText: true,
    })),
  });
}

export type Turn = readonly [role: Role, ...parts: ParsedPart[]];

export interface OpenChat {
  readonly chat: Chat;
  readonly lineIndex: SessionLineIndex;
  readonly table: SessionParts;
}

/** A chat of these messages. @param tokensPerLine what each line costs; otherwise the estimate. */
export function chatOf(
  turns: readonly Turn[],
  { isTranscript = false, tokensPerLine }: { isTranscript?: boolean; tokensPerLine?: number } = {},
): OpenChat {
  const chat: Chat = {
    formatId: 'invented',
    label: 'Invented',
    canWrite: true,
    isTranscript,
    earlier: 'none',
    isCut: false,
    notes: [],
    messages: turns.map(([role, ...parts]) => ({ role, parts, isRemovable: true })),
  };
  const own = indexLines(chat);
  const lineIndex =
    tokensPerLine === undefined
      ? own
      : { ...own, tokens: new Int32Array(own.tokens.length).fill(tokensPerLine) };
  return { chat, lineIndex, table: sessionParts(chat, lineIndex) };
}

/** `count` lines that begin with a name, all different. */
export const rows = (name: string, count: number): string =>
  Array.from({ length: count }, (_, at) => `${name} ${at + 1}`).join('\n');

/** `'1101'` for lines of which the third is left out. */
export const keptOf = (pattern: string): Uint8Array => Uint8Array.from(pattern, Number);
