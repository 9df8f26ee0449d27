import {
  type SentToolCall,
  searchConversationChars,
  searchKnownNote,
  searchTags,
  searchTurnNote,
  searchTurns,
} from '../../service';

export type AgentMessage =
  | { readonly role: 'user'; readonly content: string }
  | {
      readonly role: 'assistant';
      readonly content: string;
      readonly toolCalls: readonly SentToolCall[];
    }
  | { readonly role: 'tool'; readonly toolCallId: string; readonly content: string };

/** Entries of the structure block that are sent. */
const maxStructureEntries = 200;
/** Places of the local search that are sent, and characters of each. */
const maxKnownPlaces = 50;
const maxKnownChars = 300;
const truncatedResult = '[truncated for context limit]';
/** Characters of what the model itself says in one turn, and of the arguments of one of its calls. */
const maxModelChars = 8000;

/**
 * The conversation with the search model.
 * @see service document, Endpoints, "Code search subagent"
 */
export class SearchConversation {
  #messages: AgentMessage[] = [];
  #turns = 0;

  /**
   * @param structure absolute paths, each root first, two levels deep.
   * @param known what the local search found, a line for each file, best first.
   */
  constructor(query: string, structure: readonly string[], known: readonly string[] = []) {
    const { structure: tree, local, query: asked } = searchTags;
    const shown = structure.slice(0, maxStructureEntries);
    const places = known.slice(0, maxKnownPlaces).map(place => place.slice(0, maxKnownChars));
    const content = [
      `<${tree}>\n${shown.join('\n')}\n</${tree}>`,
      `<${asked}>\n${query}\n</${asked}>`,
      ...(places.length > 0
        ? [`${searchKnownNote}\n<${local}>\n${places.join('\n')}\n</${local}>`]
        : []),
    ].join('\n\n');
    this.#messages.push({ role: 'user', content });
    this.#messages.push({ role: 'user', content: this.#turnNote() });
  }

  get messages(): readonly AgentMessage[] {
    return this.#messages;
  }

  /** Number of completed turns of the model. */
  get turns(): number {
    return this.#turns;
  }

  get turnsLeft(): number {
    return searchTurns - this.#turns;
  }

  /** Adds one turn of the model and the results of its calls, in order. */
  add(content: string, calls: readonly SentToolCall[], results: readonly string[]): void {
    this.#turns++;
    const toolCalls = calls.map(({ id, name, arguments: given }) => ({
      id,
      name,
      // Truncated JSON would be none, and the service might reject the conversation.
      arguments: given.length > maxModelChars ? '{}' : given,
    }));
    this.#messages.push({ role: 'assistant', content: capped(content), toolCalls });
    calls.forEach(({ id }, at) =>
      this.#messages.push({ role: 'tool', toolCallId: id, content: results[at] ?? '' }),
    );
    this.#truncateOldResults();
    this.#messages.push({ role: 'user', content: `\n${this.#turnNote()}` });
  }

  /** Adds a turn without a call, and asks for one. */
  requestToolCall(content: string): void {
    this.#turns++;
    if (content !== '') {
      this.#messages.push({ role: 'assistant', content: capped(content), toolCalls: [] });
    }
    const wanted = 'Call a tool, or finish with the files and lines that answer the question.';
    this.#messages.push({ role: 'user', content: `${wanted}\n${this.#turnNote()}` });
  }

  #turnNote(): string {
    return searchTurnNote(this.#turns, searchTurns, this.#chars(), searchConversationChars);
  }

  /** Truncates tool results, oldest first, until the conversation fits; other messages stay. */
  #truncateOldResults(): void {
    let chars = this.#chars();
    this.#messages = this.#messages.map(message => {
      if (chars <= searchConversationChars || message.role !== 'tool') return message;
      if (message.content.length <= truncatedResult.length) return message;
      chars -= message.content.length - truncatedResult.length;
      return { ...message, content: truncatedResult };
    });
  }

  #chars(): number {
    let chars = 0;
    for (const message of this.#messages) {
      chars += message.content.length;
      if (message.role === 'assistant') {
        for (const call of message.toolCalls) chars += call.arguments.length;
      }
    }
    return chars;
  }
}

function capped(text: string): string {
  if (text.length <= maxModelChars) return text;
  return `${text.slice(0, maxModelChars)}\n[${text.length - maxModelChars} characters left out]`;
}
