import { parseJson } from '../../../src/base/typeGuards';
import { isRecord } from './routing';
import type { ChatAnswer, ChatMessage, ChatRequest } from './turn';

/** The first user message of a search, whatever its two tags are called. */
export interface SearchTask {
  /** Absolute paths, the root first. */
  readonly structure: readonly string[];
  readonly query: string;
}

/** @returns nothing when the message does not hold the two blocks. */
export function searchTask(text: string): SearchTask | undefined {
  const blocks = [...text.matchAll(/<(\w+)>([^]*?)<\/\1>/g)].map(match => match[2]?.trim() ?? '');
  const [structure, query] = blocks;
  if (!structure || !query) return undefined;
  return { structure: structure.split(/\r?\n/).filter(line => line !== ''), query };
}

const mostFiles = 4;
/** Lines around a hit. */
const around = { read: 12, answer: 4 };

/**
 * Plays the search model: looks for the words of the query, reads the files with the best hits near
 * them, then hands in the lines around those hits that it has read.
 */
export function scriptedSearch({ messages }: ChatRequest): ChatAnswer {
  const task = searchTask(messages.find(({ role }) => role === 'user')?.text ?? '');
  if (!task) return { text: 'There is nothing to search for.' };
  const [root = '.'] = task.structure;
  const words = searchWords(task.query);
  const turns = messages.filter(({ role }) => role === 'assistant').length;
  const lastWords = messages.findLast(({ role }) => role === 'user')?.text ?? '';
  const mustFinish = /\bMUST call the finish tool\b/i.test(lastWords);
  if (turns === 0 && !mustFinish)
    return {
      toolCalls: [
        ...words.map(word => call('grep_search', { pattern: escaped(word), limit: 50 })),
        call('list_directory', { command: `ls ${root}` }),
      ],
    };
  const best = bestFiles(resultsOf(messages, 'grep_search'));
  if (turns === 1 && !mustFinish)
    return {
      toolCalls:
        best.length > 0
          ? best.map(({ path, lines }) =>
              call('read', { path, lines: rangesText(rangesAround(lines, around.read)) }),
            )
          : [call('glob', { pattern: `**/*${words[0] ?? ''}*` })],
    };
  if (best.length === 0) {
    const files = resultsOf(messages, 'glob').flatMap(({ text }) => pathsIn(text));
    return { toolCalls: [call('finish', { files: files.slice(0, mostFiles).join('\n') })] };
  }
  const read = linesRead(messages);
  const spans = best.map(({ path, lines }) => {
    const known = lines.filter(line => read.get(path)?.has(line) !== false);
    return `${path}:${rangesText(rangesAround(known.length > 0 ? known : lines, around.answer))}`;
  });
  return { toolCalls: [call('finish', { files: spans.join('\n') })] };
}

const call = (name: string, given: object) => ({ name, arguments: given });

const escaped = (word: string): string => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const common = new Set(
  'the a an of to in on is are was where what which how does do find show me all that this with for from and or code file files function implemented used defined it'.split(
    ' ',
  ),
);

const weight = (word: string): number => (/[a-z][A-Z]|_/.test(word) ? 100 : 0) + word.length;

/** Identifiers before plain words, long ones first, at most five. */
function searchWords(query: string): string[] {
  const words = [...new Set(query.match(/[\p{L}_$][\p{L}\p{N}_$]{2,}/gu) ?? [])];
  return words
    .filter(word => !common.has(word.toLowerCase()))
    .sort((a, b) => weight(b) - weight(a))
    .slice(0, 5);
}

interface ToolResult {
  readonly given: Readonly<Record<string, unknown>>;
  readonly text: string;
}

function resultsOf(messages: readonly ChatMessage[], name: string): ToolResult[] {
  const calls = messages.flatMap(({ toolCalls }) => toolCalls).filter(made => made.name === name);
  return calls.flatMap(made => {
    const result = messages.find(({ toolCallId }) => toolCallId === made.id);
    const given = parseJson(made.arguments);
    return result ? [{ given: isRecord(given) ? given : {}, text: result.text }] : [];
  });
}

interface FileHits {
  readonly path: string;
  readonly lines: readonly number[];
}

/** The files that most words were found in; a rare word says more than a frequent one. */
function bestFiles(results: readonly ToolResult[]): FileHits[] {
  const files = new Map<string, { score: number; lines: Map<number, number> }>();
  for (const { text } of results) {
    const hits = [...text.matchAll(/^(.+?):(\d+):/gm)];
    const found = new Set<string>();
    for (const [, path = '', line] of hits) {
      const file = files.get(path) ?? { score: 0, lines: new Map<number, number>() };
      files.set(path, file);
      if (!found.has(path)) file.score += 1 + 1 / hits.length;
      found.add(path);
      file.lines.set(Number(line), (file.lines.get(Number(line)) ?? 0) + 1 / hits.length);
    }
  }
  return [...files]
    .sort(([pathA, a], [pathB, b]) => b.score - a.score || (pathA < pathB ? -1 : 1))
    .slice(0, mostFiles)
    .map(([path, { lines }]) => ({
      path,
      lines: [...lines]
        .sort((a, b) => b[1] - a[1] || a[0] - b[0])
        .slice(0, 5)
        .map(([line]) => line)
        .sort((a, b) => a - b),
    }));
}

/** Lines of a result that are nothing but an absolute path. */
function pathsIn(text: string): string[] {
  return text.split(/\r?\n/).filter(line => /^(?:\/|[A-Za-z]:\\)[^:]*$/.test(line));
}

/** Lines that `read` gave back, by the path as it was asked for. */
function linesRead(messages: readonly ChatMessage[]): Map<string, Set<number>> {
  const read = new Map<string, Set<number>>();
  for (const { given, text } of resultsOf(messages, 'read'))
    read.set(
      String(given['path']),
      new Set([...text.matchAll(/^(\d+)\|/gm)].map(match => Number(match[1]))),
    );
  return read;
}

function rangesAround(lines: readonly number[], more: number): [number, number][] {
  const ranges: [number, number][] = [];
  for (const line of lines) {
    const last = ranges.at(-1);
    if (last && line - more <= last[1] + 1) last[1] = line + more;
    else ranges.push([Math.max(1, line - more), line + more]);
  }
  return ranges;
}

function rangesText(ranges: readonly [number, number][]): string {
  return ranges.map(([from, to]) => `${from}-${to}`).join(',');
}
