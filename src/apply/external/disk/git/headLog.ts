/** The end of a log of git, with one character for each byte. */
export interface LogTail {
  /** Bytes of the whole log. */
  readonly size: number;
  /** Its last lines; all where it is short. */
  readonly text: string;
}

/** One line of the log of HEAD. */
export interface HeadEntry {
  readonly from: string;
  readonly to: string;
  /**
   * `commit`: the work tree went into a commit, and no file changed. `reset` and `move`: files may have become those of
   * `to`. `other`: neither, or what we do not know.
   */
  readonly kind: 'commit' | 'reset' | 'move' | 'other';
}

/**
 * By the start of the message. `rebase (continue)` commits what somebody made of a conflict, and `am` what somebody
 * sent, so that both count as written by others.
 */
const kinds: readonly (readonly [RegExp, HeadEntry['kind']])[] = [
  [/^(?:commit\b|am\b)/, 'commit'],
  [/^(?:rebase|pull)\b[^:]*\(continue\)/, 'commit'],
  [/^reset: /, 'reset'],
  [/^(?:checkout: |clone: |initial pull|merge |cherry-pick: |revert: |push$|push:)/, 'move'],
  [/^(?:pull\b|rebase\b)/, 'move'],
];

/**
 * The entries that came after an earlier look; undefined where that cannot be said, because the log was cut or has
 * grown too much.
 */
export function newEntries(before: LogTail | undefined, now: LogTail): HeadEntry[] | undefined {
  const size = before?.size ?? 0;
  // The place in `now.text` at which the earlier log ended.
  const start = now.text.length - (now.size - size);
  const known = lastLine(before?.text ?? '');
  if (now.size >= size && start >= 0 && now.text.slice(0, start).endsWith(known)) {
    return entriesIn(now.text.slice(start));
  }
  // Old entries have expired, and the log was written anew.
  const at = known === '' ? -1 : now.text.lastIndexOf(known);
  return at < 0 ? undefined : entriesIn(now.text.slice(at + known.length));
}

/** With its line break; as much of the log as a later look needs. */
export function lastLine(text: string): string {
  return text.slice(text.lastIndexOf('\n', text.length - 2) + 1);
}

/** `<from> <to> <name> <time> <zone>TAB<message>` in each line. */
function entriesIn(text: string): HeadEntry[] {
  return text.split('\n').flatMap(line => {
    const ids = /^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) /.exec(line);
    if (!ids) return [];
    const [, from = '', to = ''] = ids;
    const tab = line.indexOf('\t');
    const message = tab < 0 ? '' : line.slice(tab + 1);
    return [{ from, to, kind: kinds.find(([start]) => start.test(message))?.[1] ?? 'other' }];
  });
}
