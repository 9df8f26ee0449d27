import { applyPatches, cut, type Patch } from './edit';
import type { TextSpan } from './history';
import type { JsonRecord } from './historyFile';
import { memberOf, stringIn } from './json';

/** Names of the members that link the lines of a session. */
export interface LinkKeys {
  readonly id: string;
  readonly parent: string;
}

/** The lines from the root to the last one. Lines that a rewind abandoned stay in the file. */
export function lastBranch(records: readonly JsonRecord[], keys: LinkKeys): JsonRecord[] {
  const byId = new Map<string, JsonRecord>();
  for (const record of records) {
    const id = stringIn(record.node, keys.id);
    if (id !== undefined) byId.set(id, record);
  }
  const branch = new Set<JsonRecord>();
  const parentOf = ({ node }: JsonRecord) => byId.get(stringIn(node, keys.parent) ?? '');
  let at = [...byId.values()].at(-1);
  for (; at && !branch.has(at); at = parentOf(at)) branch.add(at);
  return [...branch].reverse();
}

/** Makes each line the child of the one before it. */
export function linkLines(records: readonly JsonRecord[], keys: LinkKeys): Patch[] {
  let before: string | undefined;
  return records.flatMap(record => {
    const patches = setParent(record, keys.parent, before);
    before = stringIn(record.node, keys.id) ?? before;
    return patches;
  });
}

/** New parents of lines, by their id. */
export type Links = ReadonlyMap<JsonRecord, string | undefined>;

/**
 * Attaches the children of removed lines to the nearest kept ancestor.
 * @param links take the place of the parents that the lines name.
 */
export function relinkLines(
  records: readonly JsonRecord[],
  removed: ReadonlySet<TextSpan>,
  keys: LinkKeys,
  links: Links = new Map(),
): Patch[] {
  const parentOf = (record: JsonRecord) => links.get(record) ?? stringIn(record.node, keys.parent);
  const parents = new Map<string, string | undefined>();
  for (const record of records) {
    const id = stringIn(record.node, keys.id);
    if (id !== undefined && removed.has(record.span)) parents.set(id, parentOf(record));
  }
  return records.flatMap(record => {
    if (removed.has(record.span)) return [];
    const seen = new Set<string>();
    let kept = parentOf(record);
    for (; kept !== undefined && parents.has(kept) && !seen.has(kept); kept = parents.get(kept)) {
      seen.add(kept);
    }
    if (kept !== undefined && seen.has(kept)) kept = undefined;
    // Caches the result for other lines on the same path.
    for (const id of seen) parents.set(id, kept);
    if (kept === stringIn(record.node, keys.parent)) return [];
    const own = stringIn(record.node, keys.id);
    return setParent(record, keys.parent, kept === own ? undefined : kept);
  });
}

/** The text without some of the lines, and with the others linked by {@link relinkLines}. */
export function withoutLines(
  text: string,
  records: readonly JsonRecord[],
  removed: readonly JsonRecord[],
  keys: LinkKeys,
  links?: Links,
): string {
  const spans = removed.map(({ span }) => span);
  const patches = relinkLines(records, new Set(spans), keys, links);
  return applyPatches(text, [...patches, ...spans.map(cut)]);
}

export function setParent({ node }: JsonRecord, key: string, id: string | undefined): Patch[] {
  const member = memberOf(node, key);
  const text = JSON.stringify(id ?? null);
  if (member) return [{ start: member.start, end: member.end, text }];
  const start = node.start + 1;
  return [{ start, end: start, text: `${JSON.stringify(key)}:${text},` }];
}

export function endLine(line: string): string {
  return line.endsWith('\n') ? line : `${line}\n`;
}
