import type { LineRange } from './ranges';

export type Role = 'user' | 'assistant' | 'tool' | 'system';

export interface MessagePart {
  kind: 'text' | 'tool_result' | 'thinking' | 'other';
  text: string;
  /** False when it has to stay unchanged: signed, encrypted, or not made of lines. */
  isEditable: boolean;
  /** Has to be kept whole. */
  isPinned?: boolean | undefined;
}

export interface Message {
  role: Role;
  parts: readonly MessagePart[];
}

export interface CompactedPart {
  /** Empty when no line is left. */
  text: string;
  keptRanges: LineRange[];
  /** Lines kept because of `<keepContext>`. */
  forcedRanges: LineRange[];
}

export interface CompactedMessages {
  /** In the order of the messages and of their parts. */
  messages: CompactedPart[][];
  /** Characters of all parts, before and after. */
  inputLength: number;
  outputLength: number;
  isOverBudget: boolean;
}
