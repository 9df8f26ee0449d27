/** A request of VS Code's chat as plain data: what both wire formats and the token count are made of. */
export interface Conversation {
  readonly turns: readonly Turn[];
  readonly tools: readonly OfferedTool[];
  /** `required`: the answer must be a tool call. */
  readonly toolMode: 'auto' | 'required';
}

export interface Turn {
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
  /** Given by the messages format; goes back as it came. */
  readonly signature?: string | undefined;
}

export interface ToolCallPart {
  readonly type: 'toolCall';
  readonly callId: string;
  /** As VS Code knows the tool. */
  readonly name: string;
  readonly input: unknown;
}

export interface ToolResultPart {
  readonly type: 'toolResult';
  readonly callId: string;
  readonly parts: readonly (TextPart | ImagePart | UnknownPart)[];
}

/** Left out of the request, with one line in the log. */
export interface UnknownPart {
  readonly type: 'unknown';
  /** What it is, for the log: a MIME type or a class name, and no content. */
  readonly what: string;
}

export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  /** JSON schema as the tool declares it; may be anything. */
  readonly schema: unknown;
}
