import { createHash, randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Conversation, ConversationTurn } from './format/conversation';
import type { TurnSink } from './turn';

/** Answers that are remembered; each takes about 100 bytes. */
const maxAnswers = 5000;

/**
 * Tells the chats of VS Code apart, which gives a model only the messages: a chat goes on after answers that were given in
 * it. Only hashes of answers are kept, and only in memory.
 */
export class ChatIds {
  readonly #byAnswers = new LRUCache<string, string>({ max: maxAnswers });

  /** The id of the chat that a request belongs to: a new one where its answers are not known. */
  idOf(conversation: Conversation): string {
    const answers = answersIn(conversation);
    const known = answers.length > 0 && this.#known(answers);
    return known || randomUUID().slice(0, 8);
  }

  /** Records what is shown of an answer, so that the next request of the chat is known. */
  recorder(id: string, conversation: Conversation, sink: TurnSink): AnswerRecorder {
    const before = answersIn(conversation);
    return new AnswerRecorder(sink, answer => {
      for (const key of keysOf([...before, answer])) this.#byAnswers.set(key, id);
    });
  }

  #known(answers: readonly string[]): string | undefined {
    return keysOf(answers)
      .map(key => this.#byAnswers.get(key))
      .find(id => id !== undefined);
  }
}

/** By all answers so far, else by the last one: VS Code sums up long chats. */
const keysOf = (answers: readonly string[]): string[] => [
  hashOf(answers),
  hashOf(answers.slice(-1)),
];

const hashOf = (texts: readonly string[]): string =>
  createHash('sha256')
    .update(texts.map(text => text.trim()).join('\0'))
    .digest('base64');

const answersIn = ({ turns }: Conversation): string[] =>
  turns.filter(({ role }) => role === 'assistant').map(textOf);

const textOf = ({ parts }: ConversationTurn): string =>
  parts
    .map(part => {
      if (part.type === 'text') return part.text;
      return part.type === 'toolCall' ? part.callId : '';
    })
    .join('');

/** Passes an answer on, and remembers it for its hash. */
class AnswerRecorder implements TurnSink {
  readonly #sink: TurnSink;
  readonly #onEnd: (answer: string) => void;
  #answer = '';

  constructor(sink: TurnSink, onEnd: (answer: string) => void) {
    this.#sink = sink;
    this.#onEnd = onEnd;
  }

  text(text: string): void {
    this.#answer += text;
    this.#sink.text(text);
  }

  toolCall(callId: string, name: string, input: object): void {
    this.#answer += callId;
    this.#sink.toolCall(callId, name, input);
  }

  thinking(text: string, signature?: string): void {
    this.#sink.thinking(text, signature);
  }

  endThinking(): void {
    this.#sink.endThinking();
  }

  note(text: string): void {
    this.#sink.note(text);
  }

  usage(usage: Parameters<TurnSink['usage']>[0]): void {
    this.#sink.usage(usage);
  }

  /** Call when the answer is whole, or as whole as it gets. */
  end(): void {
    if (this.#answer !== '') this.#onEnd(this.#answer);
  }
}
