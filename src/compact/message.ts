import type { LineRange } from './ranges';

export type Role = 'user' | 'assistant' | 'tool' | 'system';

export interface MessagePart {
  kind: 'text' | 'tool_result' | 'thinking' | 'other';
  text: string;
  /** False when it must stay as it is: signed, encrypted, or of a shape that lines have no meaning in. */
  isEditable: boolean;
  /** The user wants it whole. */
  isPinned?: boolean | undefined;
}

export interface Message {
  role: Role;
  parts: readonly MessagePart[];
}

export interface CompactedPart {
  /** Empty when no line of it is left. */
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
