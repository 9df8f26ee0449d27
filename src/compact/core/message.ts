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
