import { isRecord } from './routing';
import {
  type ChatAnswer,
  type ChatMessage,
  type ChatRequest,
  type Effort,
  lastText,
  type ToolDefinition,
} from './turn';

/**
 * Plays a chat model: the same request gets the same answer. It follows a few orders in the last user
 * message, so that a test can steer it:
 * - `use tool NAME with {…}` calls the tool, several times for several such orders;
 * - `say "…"` answers with exactly these words;
 * - `write N words` gives a long answer.
 */
export function scriptedChat(request: ChatRequest): ChatAnswer {
  const prompt = lastText(request.messages, 'user');
  const reasoning = request.effort ? { reasoning: thoughts(prompt, request.effort) } : {};
  const last = request.messages.at(-1);
  if (last?.role === 'tool') return { ...reasoning, text: aboutResults(request.messages) };
  const toolCalls = orderedCalls(request, prompt);
  if (toolCalls.length > 0) return { ...reasoning, toolCalls };
  const { jsonSchema } = request;
  if (jsonSchema) {
    const value = isRecord(jsonSchema['properties'])
      ? sampleOf(jsonSchema, 'answer', prompt)
      : { answer: aboutPrompt(prompt) };
    return { ...reasoning, text: JSON.stringify(value) };
  }
  return { ...reasoning, text: said(prompt) ?? aboutPrompt(prompt) };
}

function orderedCalls(
  { tools, toolChoice }: ChatRequest,
  prompt: string,
): { name: string; arguments: object | string }[] {
  if (tools.length === 0 || toolChoice === 'none') return [];
  const calls: { name: string; arguments: object | string }[] = [];
  for (const { 1: name, index } of prompt.matchAll(/\buse (?:the )?tool [`"]?([\w.-]+)[`"]?/gi)) {
    const tool = tools.find(candidate => candidate.name === name);
    if (!tool) continue;
    const rest = prompt.slice(index).replace(/^\s*use (?:the )?tool \S+/i, '');
    const given = /^\s*with\s*(?=\{)/i.exec(rest);
    calls.push({
      name: tool.name,
      arguments: given ? firstObject(rest.slice(given[0].length)) : argumentsOf(tool, prompt),
    });
  }
  if (calls.length > 0 || toolChoice === 'auto') return calls;
  const forced = tools.find(({ name }) => name === toolChoice) ?? tools[0];
  return forced ? [{ name: forced.name, arguments: argumentsOf(forced, prompt) }] : [];
}

function argumentsOf({ name, parameters }: ToolDefinition, prompt: string): object {
  const value = sampleOf(parameters, name, prompt);
  return isRecord(value) ? value : {};
}

/** The text of the first `{…}`, brackets in strings not counted; handed on as it is, valid or not. */
function firstObject(text: string): string {
  let depth = 0;
  let isString = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (isString) {
      if (sign === '\\') at++;
      else if (sign === '"') isString = false;
    } else if (sign === '"') isString = true;
    else if (sign === '{') depth++;
    else if (sign === '}' && --depth === 0) return text.slice(0, at + 1);
  }
  return text;
}

/** Names the tools whose results came last, and what they say. */
function aboutResults(messages: readonly ChatMessage[]): string {
  const from = messages.findLastIndex(({ role }) => role === 'assistant');
  const calls = messages[from]?.toolCalls ?? [];
  return messages
    .slice(from + 1)
    .filter(({ role }) => role === 'tool')
    .map(({ text, toolCallId }) => {
      const name = calls.find(({ id }) => id === toolCallId)?.name ?? 'a tool';
      const shown = text.length > 600 ? `${text.slice(0, 600)}…` : text;
      return `The tool ${name} answered: ${shown}`;
    })
    .join('\n\n');
}

function said(prompt: string): string | undefined {
  const exact = /\bsay "([^"]*)"/i.exec(prompt);
  if (exact) return exact[1];
  const count = /\bwrite (\d{1,5}) words\b/i.exec(prompt)?.[1];
  if (count === undefined) return undefined;
  const words = topicsOf(prompt);
  return Array.from({ length: Number(count) }, (_, n) => words[n % words.length] ?? 'word').join(
    ' ',
  );
}

function aboutPrompt(prompt: string): string {
  const topics = topicsOf(prompt);
  if (topics.length === 0) return 'There is nothing to answer in this message.';
  const lines = /```[^\n]*\n([^]*?)```/.exec(prompt)?.[1]?.split('\n').length;
  const [first = '', ...others] = topics;
  return [
    `This is about ${listOf(topics)}.`,
    lines === undefined ? '' : `The code in the message has ${lines - 1} lines.`,
    others.length > 0
      ? `Begin with \`${first}\`, then look at how it works together with ${listOf(others)}.`
      : `Begin with \`${first}\`.`,
  ]
    .filter(sentence => sentence !== '')
    .join(' ');
}

function thoughts(prompt: string, effort: Effort): string {
  const topics = topicsOf(prompt);
  const steps = [
    `The question names ${listOf(topics) || 'nothing'}.`,
    'An answer in a few sentences is enough.',
    ...topics.map(topic => `What is known about ${topic} fits the question.`),
    'Nothing speaks against this answer.',
  ];
  return steps.slice(0, { low: 1, medium: 3, high: steps.length }[effort]).join(' ');
}

const common = new Set(
  'this that with from have what which when where would could should about into your please there their then them will does how why the and for are you can'.split(
    ' ',
  ),
);

const weight = (word: string): number =>
  (/[a-z][A-Z]|_|\.\w/.test(word) ? 20 : 0) + Math.min(word.length, 12);

/** The words that say most: identifiers first, then long words, each once, at most four. */
function topicsOf(prompt: string): string[] {
  const words = [...new Set(prompt.replace(/```[^]*?```/g, ' ').match(/[A-Za-z_][\w.]*\w/g) ?? [])];
  return words
    .filter(word => word.length > 2 && !common.has(word.toLowerCase()))
    .map((word, at) => ({ word, at }))
    .sort((a, b) => weight(b.word) - weight(a.word) || a.at - b.at)
    .slice(0, 4)
    .sort((a, b) => a.at - b.at)
    .map(({ word }) => word);
}

function listOf(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

/** A value that fits a JSON schema: of an object, its required properties, or all when none is required. */
function sampleOf(
  schema: unknown,
  name: string,
  prompt: string,
  root = schema,
  depth = 0,
): unknown {
  if (!isRecord(schema) || depth > 12) return null;
  const next = (inner: unknown, innerName = name): unknown =>
    sampleOf(inner, innerName, prompt, root, depth + 1);
  const reference = schema['$ref'];
  if (typeof reference === 'string') return next(resolve(reference, root));
  for (const key of ['const', 'default']) if (key in schema) return schema[key];
  for (const key of ['enum', 'examples']) if (Array.isArray(schema[key])) return schema[key][0];
  for (const key of ['anyOf', 'oneOf', 'allOf'])
    if (Array.isArray(schema[key])) return next(schema[key][0]);
  const types: unknown[] = [schema['type']].flat();
  switch (types.find(type => type !== 'null') ?? 'object') {
    case 'string':
      return textFor(schema, name, prompt);
    case 'integer':
    case 'number':
      return typeof schema['minimum'] === 'number' ? schema['minimum'] : 1;
    case 'boolean':
      return true;
    case 'array': {
      const least = typeof schema['minItems'] === 'number' ? schema['minItems'] : 1;
      return Array.from({ length: least }, () => next(schema['items'] ?? { type: 'string' }));
    }
    default: {
      const properties = isRecord(schema['properties']) ? schema['properties'] : {};
      const { required } = schema;
      const names = Array.isArray(required) ? required.map(String) : Object.keys(properties);
      return Object.fromEntries(names.map(key => [key, next(properties[key], key)]));
    }
  }
}

function textFor(schema: Record<string, unknown>, name: string, prompt: string): string {
  const text = topicsOf(prompt).join(' ') || name || 'text';
  const { maxLength, minLength } = schema;
  const cut = typeof maxLength === 'number' ? text.slice(0, maxLength) : text;
  return typeof minLength === 'number' ? cut.padEnd(minLength, '.') : cut;
}

/** `#/$defs/Name` */
function resolve(reference: string, root: unknown): unknown {
  return reference
    .replace(/^#\/?/, '')
    .split('/')
    .filter(part => part !== '')
    .reduce<unknown>((inner, part) => (isRecord(inner) ? inner[part] : undefined), root);
}
