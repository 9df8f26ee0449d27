import type { JsonRecord } from '../../historyFile';
import { isTrueIn, type JsonNode, listIn, memberOf, numberIn, stringIn } from '../../json';

/** A message of what is sent, and the lines of the session that it is made of. */
export interface ContextMessage {
  /** What was said, the result of a call, a summary, or the start of an answer. */
  readonly head: JsonRecord;
  /** The parts, calls and figures of an answer. */
  readonly lines: readonly JsonRecord[];
}

interface Answer extends ContextMessage {
  readonly lines: JsonRecord[];
  readonly id: string | undefined;
}

export const lineType = ({ node }: JsonRecord) => stringIn(node, 'type');
export const eventOf = ({ node }: JsonRecord) => memberOf(node, 'event');
export const eventType = (record: JsonRecord) => stringIn(eventOf(record), 'type');
export const isFigure = (record: JsonRecord) => lineType(record) === 'token_counting.measured';
export const isSummaryLine = (record: JsonRecord) =>
  lineType(record) === 'context.apply_compaction';

/** Before version 1.0 of the tool, a summary kept the messages that followed what it was made of. */
export const keepsTail = ({ node }: JsonRecord): boolean =>
  isTrueIn(node, 'legacyTail') || numberIn(node, 'keptUserMessageCount') === undefined;

const originOf = ({ node }: JsonRecord) => memberOf(memberOf(node, 'message'), 'origin');
export const originKind = (record: JsonRecord) => stringIn(originOf(record), 'kind');

/** Whether the user typed it, and not the tool in their name. */
export function isTyped(record: JsonRecord): boolean {
  const message = memberOf(record.node, 'message');
  if (stringIn(message, 'role') !== 'user') return false;
  const kind = originKind(record);
  if (kind === undefined || kind === 'user') return true;
  const isCommand = kind === 'skill_activation' || kind === 'plugin_command';
  return isCommand && stringIn(originOf(record), 'trigger') === 'user-slash';
}

/** What the tool itself adds to the context belongs to a question, or to none. */
const ownerOf = (record: JsonRecord): string | undefined =>
  originKind(record) === 'injection'
    ? (stringIn(originOf(record), 'ownerPromptId') ?? '')
    : undefined;

/** The session is a log of what became of the context: this does again what its lines say. */
export class Context {
  messages: ContextMessage[] = [];
  hasEarlier = false;
  #answer: Answer | undefined;
  readonly #calls = new Set<string | undefined>();
  /** A line before, the tool noted that it goes on in another branch, which keeps its own notes. */
  #hasSwitched = false;

  add(record: JsonRecord): void {
    const type = lineType(record);
    switch (type) {
      case 'context.append_message':
        this.messages.push({ head: record, lines: [] });
        break;
      case 'context.append_loop_event':
        this.#addEvent(record);
        break;
      case 'token_counting.measured':
        this.#answer?.lines.push(record);
        break;
      case 'context.clear':
        this.#replace([]);
        break;
      case 'context.apply_compaction':
        this.#summarize(record);
        break;
      case 'context.undo':
        this.#undo(numberIn(record.node, 'count') ?? 0);
        break;
      default:
    }
    this.#hasSwitched = type === 'agent.switched';
  }

  #addEvent(record: JsonRecord): void {
    const event = eventOf(record);
    const answer = this.#answer;
    switch (eventType(record)) {
      case 'step.begin':
        this.#answer = { head: record, lines: [], id: stringIn(event, 'uuid') };
        this.messages.push(this.#answer);
        break;
      case 'step.end':
        if (stringIn(event, 'uuid') === answer?.id) answer?.lines.push(record);
        break;
      case 'tool.call':
      case 'content.part':
        if (answer === undefined || stringIn(event, 'stepUuid') !== answer.id) return;
        answer.lines.push(record);
        this.#calls.add(stringIn(event, 'toolCallId'));
        break;
      case 'tool.result':
        if (this.#calls.has(stringIn(event, 'toolCallId')))
          this.messages.push({ head: record, lines: [] });
        break;
      default:
    }
  }

  /** @param kept of the messages that were sent so far. */
  #replace(kept: readonly ContextMessage[], messages = kept): void {
    this.hasEarlier ||= this.messages.filter(isSaid).length > kept.length;
    this.messages = [...messages];
    this.#answer = undefined;
  }

  #summarize(summary: JsonRecord): void {
    const { node } = summary;
    const own = { head: summary, lines: [] };
    if (keepsTail(summary)) {
      const count = numberIn(node, 'compactedCount') ?? numberIn(node, 'count') ?? 0;
      // Figures from before the summary are of another context.
      const tail = this.messages.filter(isSaid).slice(count).map(withoutFigures);
      this.#replace(tail, [own, ...tail]);
    } else {
      const kept = keptQuestions(this.messages.filter(({ head }) => isTyped(head)));
      this.#replace(kept, [...kept, own]);
    }
  }

  /** Whether the tool has added a message to a question. */
  #isOf(question: string | undefined, at: number): boolean {
    const { head } = this.messages[at] ?? {};
    return head !== undefined && question !== undefined && ownerOf(head) === question;
  }

  /** Takes back the latest questions with all that followed. */
  #undo(count: number): void {
    let left = count;
    for (let at = this.messages.length - 1; at >= 0 && left > 0; at--) {
      const { head } = this.messages[at] ?? {};
      if (!head || isSummaryLine(head) || originKind(head) === 'compaction_summary') return;
      if (!isTyped(head) || isTrueIn(originOf(head), 'inTurn') || --left > 0) continue;
      const id = stringIn(memberOf(head.node, 'message'), 'id');
      let from = at;
      while (from > 0 && this.#isOf(id, from - 1)) from--;
      const gone = this.messages.splice(from);
      if (this.#hasSwitched) this.messages.push(...gone.filter(one => ownerOf(one.head) === ''));
      this.#answer = undefined;
      return;
    }
  }
}

const withoutFigures = ({ head, lines }: ContextMessage): ContextMessage => ({
  head,
  lines: lines.filter(line => !isFigure(line)),
});

/** An answer without any content is not sent. */
export function isSaid({ head, lines }: ContextMessage): boolean {
  return eventType(head) !== 'step.begin' || lines.some(isPart);
}

export function isPart(record: JsonRecord): boolean {
  const type = eventType(record);
  return type === 'content.part' || type === 'tool.call';
}

/** Tokens of the questions that stay beside a summary, as the tool counts them; those in the middle go. */
const maxQuestionTokens = 20_000;
const maxFirstTokens = 2000;

/** The tool cuts the one that is at the limit: here it is whole, as it is in the file. */
function keptQuestions(typed: readonly ContextMessage[]): readonly ContextMessage[] {
  const sizes = typed.map(({ head }) => tokensOf(memberOf(head.node, 'message')));
  if (sizes.reduce((sum, size) => sum + size, 0) <= maxQuestionTokens) return typed;
  let tail = typed.length;
  for (let left = maxQuestionTokens - maxFirstTokens; tail > 0 && left > 0; ) {
    left -= sizes[--tail] ?? 0;
  }
  let first = 0;
  for (let left = maxFirstTokens; first < tail && left > 0; ) left -= sizes[first++] ?? 0;
  return [...typed.slice(0, first), ...typed.slice(tail)];
}

/** Four characters of ASCII are a token, as is each other character. */
function tokensOf(message: JsonNode | undefined): number {
  const blocks = listIn(message, 'content')?.items ?? [];
  return blocks.reduce((sum, block) => {
    const text = stringIn(block, 'text') ?? '';
    // oxlint-disable-next-line no-control-regex -- the whole of ASCII
    const ascii = text.replaceAll(/[^\u0000-\u007f]/g, '').length;
    return sum + Math.ceil(ascii / 4) + (text.length - ascii);
  }, 0);
}
