import { minFoundChars, TextFinder } from '../../base/text/textFinder';
import { applyPatches, type Patch } from './edit';
import type { HistoryFile } from './historyFile';
import type { JsonNode, JsonString } from './json';
import { writeLiteral } from './json/literal';

/** Takes the place of a removed line, so that the numbers of the other lines stay. */
export const removedNote = '[removed]';

/** Shorter lines are common, so that the same characters elsewhere need not be a copy. */
export const minCopyChars = minFoundChars;

/** Members by which tools tell messages apart and find a session. A line that is the same as one of them is no copy. */
const structural = new Set(
  'type role kind subtype status name model version timestamp id uuid parentUuid logicalParentUuid leafUuid parentId messageId messageID requestId sessionId sessionID session_id promptId tool_use_id toolUseId tool_call_id toolCallId call_id callId callID cwd root directory workspace workspaceDirectory workspace_root projectHash gitBranch'.split(
    ' ',
  ),
);

export interface ErasedCopies {
  /** The text of each file. */
  readonly texts: readonly string[];
  /** How many copies were replaced. */
  readonly count: number;
  /** How many of the lines are still in a text, as in the name of a member. */
  readonly left: number;
}

/** Replaces copies of lines wherever a file has them, also those within JSON in a string. */
export function eraseCopies(files: readonly HistoryFile[], lines: readonly string[]): ErasedCopies {
  const forms = formsOf(lines);
  if (forms.length === 0) return { texts: files.map(({ text }) => text), count: 0, left: 0 };
  const finder = new TextFinder(forms);
  const erasers = files.map(file => new Eraser(file, forms, finder));
  const texts = erasers.map(eraser => eraser.erase());
  return {
    texts,
    count: erasers.reduce((sum, { count }) => sum + count, 0),
    left: new Set(texts.flatMap(text => finder.foundIn(text))).size,
  };
}

/** The lines of which a text has no copy. Lines that are too short to be copies are left out. */
export function linesWithoutCopy(lines: readonly string[], text: string): string[] {
  const long = [...new Set(lines.map(line => line.trim()))].filter(
    line => line.length >= minCopyChars,
  );
  const copied = new Set(new TextFinder(long).foundIn(text));
  return long.filter((_, at) => !copied.has(at));
}

class Eraser {
  readonly #patches: Patch[] = [];
  count = 0;
  readonly #file: HistoryFile;
  readonly #forms: readonly string[];
  readonly #finder: TextFinder;

  constructor(file: HistoryFile, forms: readonly string[], finder: TextFinder) {
    this.#file = file;
    this.#forms = forms;
    this.#finder = finder;
  }

  erase(): string {
    const { lines, json, text } = this.#file;
    if (lines.length > 1 && json) this.#node(json);
    else for (const line of lines) this.#line(line);
    return applyPatches(text, this.#patches);
  }

  #line({ start, end, node }: HistoryFile['lines'][number]): void {
    if (node && node.type !== 'string') {
      this.#node(node);
      return;
    }
    const old = this.#file.text.slice(start, end);
    const text = this.#replaced(old);
    if (text !== old) this.#patches.push({ start, end, text });
  }

  #node(node: JsonNode): void {
    if (node.type === 'object') {
      for (const [name, member] of node.members) {
        if (member.type !== 'string' || !structural.has(name)) this.#node(member);
      }
    } else if (node.type === 'list') for (const item of node.items) this.#node(item);
    else if (node.type === 'string') this.#string(node);
  }

  #string({ start, end, value }: JsonString): void {
    const next = this.#replaced(value);
    if (next === value) return;
    const literal = this.#file.text.slice(start, end);
    this.#patches.push({ start, end, text: writeLiteral(literal, value, next) });
  }

  #replaced(value: string): string {
    let text = value;
    for (const at of this.#finder.foundIn(value)) {
      const form = this.#forms[at] ?? '';
      this.count += text.split(form).length - 1;
      text = text.replaceAll(form, removedNote);
    }
    return text;
  }
}

/** The lines as they stand in a text, in JSON within it, and in JSON within that; the longest first. */
function formsOf(lines: readonly string[]): string[] {
  const forms = new Set<string>();
  for (const line of lines) {
    let form = line.trim();
    if (form.length < minCopyChars || form === removedNote) continue;
    for (let depth = 0; depth < 3; depth++) {
      forms.add(form);
      form = JSON.stringify(form).slice(1, -1);
    }
  }
  return [...forms].sort((a, b) => b.length - a.length);
}
