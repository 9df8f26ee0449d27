import { type JsonList, parseJsonNode, stringIn } from './json';

/** An entry of the list in which a tool keeps its sessions: a JSON list of objects. */
export interface IndexRow {
  readonly path: string;
  readonly json: string;
  /** The member that tells rows apart. */
  readonly key: string;
}

/** The list with the row at its end; undefined when the text is no list. */
export function withRow(text: string | undefined, { json }: IndexRow): string | undefined {
  if (text === undefined || text.trim() === '') return `[${json}]`;
  const list = listOf(text);
  if (!list) return undefined;
  const last = list.items.at(-1);
  const at = last ? last.end : list.start + 1;
  return `${text.slice(0, at)}${last ? ',' : ''}${json}${text.slice(at)}`;
}

/** The list without the row; undefined when the text is no list. */
export function withoutRow(text: string, { json, key }: IndexRow): string | undefined {
  const list = listOf(text);
  const id = stringIn(parseJsonNode(json), key);
  if (!list || id === undefined) return undefined;
  const at = list.items.findIndex(item => stringIn(item, key) === id);
  const [before, row, after] = [list.items[at - 1], list.items[at], list.items[at + 1]];
  if (!row) return text;
  const start = before ? before.end : row.start;
  const end = before || !after ? row.end : after.start;
  return text.slice(0, start) + text.slice(end);
}

function listOf(text: string): JsonList | undefined {
  const node = parseJsonNode(text, text.startsWith('\uFEFF') ? 1 : 0);
  return node?.type === 'list' ? node : undefined;
}
