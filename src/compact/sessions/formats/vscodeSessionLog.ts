import { UnsupportedHistory } from '../history';
import type { HistoryFile, JsonRecord } from '../historyFile';
import { type JsonList, type JsonNode, listIn, memberOf, numberIn } from '../json';

export const sessionLabel = 'VS Code chat session';

export function damagedLog(what: string): UnsupportedHistory {
  return new UnsupportedHistory(
    sessionLabel,
    `the log is damaged: ${what}`,
    'Open the chat in VS Code and save it with Chat: Export Chat…',
  );
}

/**
 * Replays a session log. `{kind: 0, v}` sets the root, `{kind: 1, k, v}` sets a value, `{kind: 2, k, v, i}`
 * truncates a list to `i` items and appends, `{kind: 3, k}` deletes. `k` is a path of keys and indexes.
 */
export class SessionLog {
  root: JsonNode | undefined;

  apply({ node, span }: JsonRecord, file: HistoryFile): void {
    const kind = numberIn(node, 'kind');
    const value = memberOf(node, 'v');
    const path = (listIn(node, 'k')?.items ?? []).map(keyOf);
    const at = () => `line ${file.lineAt(span.start)}`;
    if (kind === 0) {
      this.root = value;
    } else if (kind === 1 || kind === 3) {
      const key = path.pop();
      const parent = this.#find(path);
      if (key === undefined && kind === 1) {
        this.root = value;
      } else if (
        key === undefined ||
        !parent ||
        !setAt(parent, key, kind === 1 ? value : undefined)
      ) {
        throw damagedLog(`${at()} changes something that is not there`);
      }
    } else if (kind === 2) {
      const list = this.#list(path);
      const keep = numberIn(node, 'i');
      if (list?.type !== 'list' || !isValidIndex(keep ?? list.items.length, list)) {
        throw damagedLog(`${at()} adds to something that is no list`);
      }
      if (keep !== undefined) list.items.length = keep;
      for (const item of value?.type === 'list' ? value.items : []) list.items.push(item);
      list.isChanged = true;
    } else {
      throw damagedLog(`${at()} is an entry of kind ${kind ?? 'without a number'}`);
    }
  }

  /** Marks each node on the path as changed, because a value below it is about to change. */
  #find(path: readonly (string | number)[]): JsonNode | undefined {
    let node = this.root;
    for (const key of path) {
      if (node) node.isChanged = true;
      node = childOf(node, key);
    }
    if (node) node.isChanged = true;
    return node;
  }

  /** The list at a path; a missing one is created empty. */
  #list(path: readonly (string | number)[]): JsonNode | undefined {
    const found = this.#find(path);
    const key = path.at(-1);
    if (found || key === undefined) return found;
    const list: JsonList = {
      type: 'list',
      start: 0,
      end: 0,
      keyStart: -1,
      isChanged: true,
      items: [],
    };
    const parent = this.#find(path.slice(0, -1));
    return parent && setAt(parent, key, list) ? list : undefined;
  }
}

function keyOf(node: JsonNode): string | number {
  if (node.type === 'string') return node.value;
  if (node.type === 'plain' && typeof node.value === 'number') return node.value;
  throw damagedLog('a path is no list of keys');
}

function childOf(node: JsonNode | undefined, key: string | number): JsonNode | undefined {
  if (node?.type === 'object') return node.members.get(String(key));
  return node?.type === 'list' && typeof key === 'number' ? node.items[key] : undefined;
}

function setAt(parent: JsonNode, key: string | number, value: JsonNode | undefined): boolean {
  if (parent.type === 'object') {
    if (value) parent.members.set(String(key), value);
    else parent.members.delete(String(key));
    return true;
  }
  if (parent.type !== 'list' || typeof key !== 'number' || !isValidIndex(key, parent)) return false;
  if (value) parent.items[key] = value;
  else if (key < parent.items.length) parent.items.splice(key, 1);
  return true;
}

function isValidIndex(at: number, list: JsonList): boolean {
  return Number.isInteger(at) && at >= 0 && at <= list.items.length;
}
