import {
  searchConversationChars,
  searchTags,
  searchTurnNote,
  searchTurns,
} from '../../service/assumptions';
import type { SentToolCall } from '../../service/wire/chatRequest';

export type AgentMessage =
  | { readonly role: 'user'; readonly content: string }
  | {
      readonly role: 'assistant';
      readonly content: string;
      readonly toolCalls: readonly SentToolCall[];
    }
  | { readonly role: 'tool'; readonly toolCallId: string; readonly content: string };

/** Entries of the structure block that are sent. */
const structureEntries = 200;
const forgotten = '[truncated for context limit]';

/**
 * What is said between us and the search model.
 * @see service document, Endpoints, "Code search subagent"
 */
export class Conversation {
  #messages: AgentMessage[] = [];
  #turns = 0;

  /** @param structure absolute paths, each root first, two levels deep. */
  constructor(query: string, structure: readonly string[]) {
    const { structure: tree, query: asked } = searchTags;
    const shown = structure.slice(0, structureEntries);
    const content = [
      `<${tree}>\n${shown.join('\n')}\n</${tree}>`,
      `<${asked}>\n${query}\n</${asked}>`,
    ].join('\n\n');
    this.#messages.push({ role: 'user', content });
    this.#messages.push({ role: 'user', content: this.#note() });
  }

  get messages(): readonly AgentMessage[] {
    return this.#messages;
  }

  /** Turns that the model has had. */
  get turns(): number {
    return this.#turns;
  }

  get turnsLeft(): number {
    return searchTurns - this.#turns;
  }

  /** One turn of the model and the result of each of its calls, in their order. */
  add(content: string, calls: readonly SentToolCall[], results: readonly string[]): void {
    this.#turns++;
    this.#messages.push({ role: 'assistant', content, toolCalls: calls });
    calls.forEach(({ id }, at) =>
      this.#messages.push({ role: 'tool', toolCallId: id, content: results[at] ?? '' }),
    );
    this.#forget();
    this.#messages.push({ role: 'user', content: `\n${this.#note()}` });
  }

  /** A turn without a call. */
  nudge(content: string): void {
    this.#turns++;
    if (content !== '') this.#messages.push({ role: 'assistant', content, toolCalls: [] });
    const wanted = 'Call a tool, or finish with the files and lines that answer the question.';
    this.#messages.push({ role: 'user', content: `${wanted}\n${this.#note()}` });
  }

  #note(): string {
    return searchTurnNote(this.#turns, searchTurns, this.#chars(), searchConversationChars);
  }

  /** The oldest results go first; the question and what the model said stay. */
  #forget(): void {
    let chars = this.#chars();
    this.#messages = this.#messages.map(message => {
      if (chars <= searchConversationChars || message.role !== 'tool') return message;
      if (message.content.length <= forgotten.length) return message;
      chars -= message.content.length - forgotten.length;
      return { ...message, content: forgotten };
    });
  }

  #chars(): number {
    let chars = 0;
    for (const message of this.#messages) {
      chars += message.content.length;
      if (message.role === 'assistant')
        for (const call of message.toolCalls) chars += call.arguments.length;
    }
    return chars;
  }
}
