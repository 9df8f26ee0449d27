/** A request of VS Code's chat as plain data, the input of both wire formats and the token count. */
export interface Conversation {
  readonly turns: readonly ConversationTurn[];
  readonly tools: readonly OfferedTool[];
  /** `required` means that the answer must be a tool call. */
  readonly toolMode: 'auto' | 'required';
}

export interface ConversationTurn {
  /** VS Code's own agents send system turns, as the role value 3. */
  readonly role: 'user' | 'assistant' | 'system';
  readonly parts: readonly Part[];
}

export type Part =
  | TextPart
  | ImagePart
  | ThinkingPart
  | ToolCallPart
  | ToolResultPart
  | UnknownPart;

export interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

export interface ImagePart {
  readonly type: 'image';
  /** `image/png` and the like. */
  readonly mediaType: string;
  readonly data: Uint8Array;
}

/** Reasoning of an earlier answer. */
export interface ThinkingPart {
  readonly type: 'thinking';
  readonly text: string;
  /** From the messages format; sent back unchanged. */
  readonly signature?: string | undefined;
}

export interface ToolCallPart {
  readonly type: 'toolCall';
  readonly callId: string;
  /** The tool's name in VS Code. */
  readonly name: string;
  readonly input: unknown;
}

export interface ToolResultPart {
  readonly type: 'toolResult';
  readonly callId: string;
  readonly parts: readonly (TextPart | ImagePart | UnknownPart)[];
}

/** Left out of the request and noted in the log. */
interface UnknownPart {
  readonly type: 'unknown';
  /** MIME type or class name for the log, without content. */
  readonly what: string;
}

export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  /** The tool's JSON schema, unvalidated. */
  readonly schema: unknown;
}
