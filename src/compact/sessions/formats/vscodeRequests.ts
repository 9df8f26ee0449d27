import { append } from '../../../base/arrays';
import { type Sentence, sentence } from '../../../base/sentence';
import {
  createCall,
  createItem,
  createMemberItem,
  createMessage,
  createPart,
  createTextPart,
  joinAssistant,
} from '../blocks';
import { applyToSpans, cutItems } from '../edit';
import {
  type HistoryMessage,
  type HistoryPart,
  type Item,
  isoTime,
  type PartLocation,
  quoteName,
  UnsupportedHistory,
} from '../history';
import {
  isTrueIn,
  type JsonList,
  type JsonNode,
  type JsonString,
  listIn,
  memberOf,
  numberIn,
  stringIn,
} from '../json';

/** Kinds of response parts that are only displayed, and stay unchanged. */
const displayKinds = new Set(
  (
    'toolInvocationSerialized toolInvocation prepareToolInvocation textEditGroup notebookEditGroup textEdit ' +
    'inlineReference codeblockUri undoStop progressMessage progressTask progressTaskSerialized reference ' +
    'codeCitation warning command confirmation treeData multiDiffData extensions pullRequest mcpServersStarting ' +
    'elicitation elicitation2 elicitationSerialized changesSummary markdownVuln move clearToPreviousToolInvocation ' +
    'questionCarousel workspaceEdit hook systemNotification externalToolInvocationUpdate disabledClaudeHooks'
  ).split(' '),
);

/** Settings for reading one file. */
export interface ReadContext {
  readonly label: string;
  /** By what they are about, so that each is said once. */
  readonly notes: Map<string, Sentence>;
}

export function readRequests(list: JsonList, context: ReadContext): HistoryMessage[] {
  let messages: HistoryMessage[] = [];
  const summaries = summariesIn(list);
  for (const request of list.items) {
    const items = [createItem(list, request)];
    const metadata = metadataOf(request);
    const rounds = roundsOf(request);
    const answer =
      rounds && rounds.items.length > 0
        ? readRounds(request, rounds, summaries.byRound)
        : [createMessage('assistant', responseParts(request, context), { span: request })];
    const user = createMessage('user', questionParts(request, metadata), {
      id: stringIn(request, 'requestId'),
      at: timeOf(request),
      span: request,
    });
    const isSummary = answer[0]?.parts[0]?.type === 'summary';
    // Messages before a summary are no longer sent.
    if (isSummary) messages = [];
    const all = [...(isSummary ? [] : [user]), ...answer].filter(({ parts }) => parts.length > 0);
    // Without a request that has the summary, VS Code would send what is before it again.
    const isAlone = all.length === 1 && !isSummary && !summaries.holders.has(request);
    for (const one of all) messages.push(isAlone ? { ...one, items } : one);
  }
  return joinAssistant(messages);
}

/** What the extension that answered keeps of an answer. */
export function metadataOf(request: JsonNode): JsonNode | undefined {
  return memberOf(memberOf(request, 'result'), 'metadata');
}

/** The rounds of an answer with tool calls. */
export function roundsOf(request: JsonNode): JsonList | undefined {
  return listIn(metadataOf(request), 'toolCallRounds');
}

function timeOf(request: JsonNode): string | undefined {
  return isoTime(numberIn(request, 'timestamp'));
}

function locationIn(list: JsonList, node: JsonNode): PartLocation {
  return { items: [createItem(list, node)] };
}

/** The question as it was sent to the model if the file has that, otherwise as it was typed. */
function questionParts(request: JsonNode, metadata: JsonNode | undefined): HistoryPart[] {
  const rendered = listIn(metadata, 'renderedUserMessage');
  const sent = (rendered?.items ?? []).flatMap(part => {
    const text = memberOf(part, 'text');
    return rendered && text?.type === 'string'
      ? [createTextPart('text', text, locationIn(rendered, part))]
      : [];
  });
  if (sent.length > 0) return sent;
  const message = memberOf(request, 'message');
  if (message?.type === 'string') return [createTextPart('text', message, {})];
  const text = memberOf(message, 'text');
  if (text?.type !== 'string') return [];
  const pieces = listIn(message, 'parts')?.items ?? [];
  const copies = pieces.flatMap(piece => {
    const copy = memberOf(piece, 'text');
    return copy?.type === 'string' && copy.value === text.value ? [copy] : [];
  });
  // With commands or references, the pieces refer to offsets in the text, so it cannot be edited.
  const isEditable = pieces.length === copies.length;
  return [createTextPart('text', text, { mirrors: copies }, { isEditable })];
}

function responseParts(request: JsonNode, context: ReadContext): HistoryPart[] {
  const response = listIn(request, 'response');
  return (response?.items ?? []).flatMap(node => {
    if (!response) return [];
    const location = locationIn(response, node);
    const kind = stringIn(node, 'kind');
    const text = markdownOf(node);
    if (text) return [createTextPart('text', text, { ...location, mayBeEmpty: true })];
    if (kind === 'thinking') {
      return [createPart('thinking', stringIn(node, 'value') ?? '', location)];
    }
    if (kind === 'toolInvocationSerialized') {
      return [createPart('other', '', location, { name: stringIn(node, 'toolId') })];
    }
    if (kind !== undefined && !displayKinds.has(kind)) {
      const note = sentence('Parts {0} are not known and stay as they are.', quoteName(kind));
      context.notes.set(kind, note);
    } else if (kind === undefined) {
      throw new UnsupportedHistory(
        context.label,
        'a part of an answer has no kind that is known',
        'Export the chat with Chat: Export Chat… or update Splice.',
      );
    }
    return [createPart('other', '', location)];
  });
}

/** Markdown is the only part without a kind; older files give it one. */
function markdownOf(node: JsonNode): JsonString | undefined {
  const kind = stringIn(node, 'kind');
  const content = memberOf(node, 'content');
  const text =
    kind === undefined
      ? memberOf(node, 'value')
      : kind === 'markdownContent'
        ? (memberOf(content, 'value') ?? content)
        : undefined;
  return text?.type === 'string' ? text : undefined;
}

/** The messages of rounds, which are stored apart from the text that is displayed. */
function readRounds(
  request: JsonNode,
  rounds: JsonList,
  summaries: ReadonlyMap<JsonNode, string>,
): HistoryMessage[] {
  const response = listIn(request, 'response');
  const shown = new Map<string, { texts: JsonString[]; items: Item[] }>();
  for (const node of response?.items ?? []) {
    const text = markdownOf(node);
    if (!text || text.value === '' || !response) continue;
    const same = shown.get(text.value) ?? { texts: [], items: [] };
    same.texts.push(text);
    same.items.push(createItem(response, node));
    shown.set(text.value, same);
  }
  const results = memberOf(metadataOf(request), 'toolCallResults');
  const messages: HistoryMessage[] = [];
  for (const round of rounds.items) {
    const text = memberOf(round, 'response');
    const copies = text?.type === 'string' ? shown.get(text.value) : undefined;
    // Without any round, what is displayed would count as the answer.
    const items =
      round === rounds.items.at(-1) ? [] : [createItem(rounds, round), ...(copies?.items ?? [])];
    const details = { id: stringIn(round, 'id'), span: round };
    const summary = summaries.get(round) ?? stringIn(round, 'summary');
    // One that failed is empty, and does not count.
    if (summary) {
      messages.length = 0;
      messages.push(createMessage('user', [createPart('summary', summary, {})], details));
      continue;
    }
    const parts: HistoryPart[] = [];
    const thinking = memberOf(round, 'thinking');
    if (thinking) {
      const item = createMemberItem(round, 'thinking');
      parts.push(
        createPart('thinking', stringIn(thinking, 'text') ?? '', item ? { items: [item] } : {}),
      );
    }
    if (text?.type === 'string') {
      parts.push(createTextPart('text', text, { mirrors: copies?.texts ?? [], mayBeEmpty: true }));
    }
    const answers: HistoryPart[] = [];
    const calls = listIn(round, 'toolCalls');
    for (const call of calls?.items ?? []) {
      const callId = stringIn(call, 'id');
      const result = memberOf(results, callId ?? '');
      const own = calls
        ? [
            createItem(calls, call),
            ...(result && results?.type === 'object' ? [createItem(results, result)] : []),
          ]
        : [];
      const args = memberOf(call, 'arguments');
      const callDetails = { name: stringIn(call, 'name'), callId };
      parts.push(createCall(args, { items: own }, callDetails));
      for (const content of listIn(result, 'content')?.items ?? []) {
        append(answers, resultParts(content, own, callId));
      }
    }
    messages.push(createMessage('assistant', parts, { ...details, items }));
    if (answers.length > 0) messages.push(createMessage('tool', answers, details));
  }
  return messages;
}

function resultParts(
  content: JsonNode,
  items: readonly Item[],
  callId: string | undefined,
): HistoryPart[] {
  const value = memberOf(content, 'value');
  if (value?.type === 'string') {
    return [createTextPart('tool_result', value, { items }, { callId })];
  }
  const root = memberOf(value, 'node');
  const tree: ElementTree = { texts: [], leaves: new Map(), hasOthers: false };
  if (!root || !readTree(root, tree) || tree.texts.length === 0) {
    return [createPart('other', '', { items }, { callId })];
  }
  const written = tree.hasOthers
    ? (text: string, file: string) => `${textPart(text)},${withoutTexts(content, tree, file)}`
    : textPart;
  const details = { callId, isEditable: true };
  const text = createPart(
    'tool_result',
    tree.texts.join(''),
    { items, span: content, written },
    details,
  );
  return tree.hasOthers ? [text, createPart('image', '', { items }, { callId })] : [text];
}

/** `$mid` of a text among the contents of a result. */
const textMid = 21;
const textPart = (value: string): string => JSON.stringify({ $mid: textMid, value });

/** What a tree of prompt elements has. */
interface ElementTree {
  readonly texts: string[];
  /** The elements with a text, by the list that they are in. */
  readonly leaves: Map<JsonList, Set<JsonNode>>;
  /** Whether it has something else too, such as an image. */
  hasOthers: boolean;
}

/**
 * The texts of a tree of prompt elements, in which most tools of Copilot answer. A text starts a line if it says
 * so, or if it says that it need not but does not follow another text of its element.
 * @returns false if this is no such tree.
 */
function readTree(node: JsonNode, tree: ElementTree): boolean {
  const children = listIn(node, 'children');
  const type = numberIn(node, 'type');
  if (numberIn(node, 'ctor') === imageElement || type === opaqueElement) {
    tree.hasOthers = true;
    return true;
  }
  if (!children) return false;
  return children.items.every((child, at) => {
    const text = textOf(child);
    if (text === undefined) return readTree(child, tree);
    const own = tree.leaves.get(children) ?? new Set<JsonNode>();
    tree.leaves.set(children, own.add(child));
    addLeaf(child, text, textOf(children.items[at - 1]) !== undefined, tree.texts);
    return true;
  });
}

function addLeaf(leaf: JsonNode, text: string, follows: boolean, texts: string[]): void {
  if (text === '') return;
  const line = memberOf(leaf, 'lineBreakBefore');
  const isOnOwnLine = line !== undefined && (isTrueIn(leaf, 'lineBreakBefore') || !follows);
  if (isOnOwnLine && texts.at(-1)?.endsWith('\n') === false) texts.push('\n');
  texts.push(text);
}

/** The JSON of a content without the texts of its tree. */
function withoutTexts(content: JsonNode, { leaves }: ElementTree, file: string): string {
  const patches = [...leaves].flatMap(([{ items }, gone]) => cutItems(items, gone));
  return applyToSpans(file, patches, [content]).join('');
}

const textOf = (node: JsonNode | undefined) => stringIn(node, 'text');

/** `ctor` of an image in a tree of prompt elements. */
const imageElement = 3;
/** `type` of an element that only the model of a provider knows. */
const opaqueElement = 3;

interface Summaries {
  readonly byRound: ReadonlyMap<JsonNode, string>;
  /** The requests that note one, of themselves or of an earlier request. */
  readonly holders: ReadonlySet<JsonNode>;
}

/**
 * The summaries of rounds. The one of an earlier request, which can no longer be changed then, is noted in the
 * request during which it was made. Of several notes of a request the last counts; older ones have one alone.
 */
function summariesIn({ items }: JsonList): Summaries {
  const byRound = new Map<JsonNode, string>();
  const holders = new Set<JsonNode>();
  const rounds = new Map<string, JsonNode>();
  for (const request of items) {
    for (const round of roundsOf(request)?.items ?? [])
      rounds.set(stringIn(round, 'id') ?? '', round);
    const metadata = metadataOf(request);
    const noted = listIn(metadata, 'summaries')?.items.at(-1) ?? memberOf(metadata, 'summary');
    const round = rounds.get(stringIn(noted, 'toolCallRoundId') ?? '');
    const text = stringIn(noted, 'text');
    if (!round || !text) continue;
    byRound.set(round, text);
    holders.add(request);
  }
  return { byRound, holders };
}
