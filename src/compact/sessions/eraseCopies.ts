import { applyPatches, type Patch } from './edit';
import { HistoryFile } from './historyFile';
import { type JsonNode, type JsonString, parseJsonNode } from './json';
import { writeLiteral } from './json/literal';

/** Takes the place of a removed line, so that the numbers of the other lines stay. */
export const removedNote = '[removed]';

/** Shorter lines are common, so that the same characters elsewhere need not be a copy. */
export const minCopyChars = 8;

/** Members by which tools tell messages apart and find a session. A line that is the same as one of them is no copy. */
const structural = new Set(
  'type role kind subtype status name model version timestamp id uuid parentUuid logicalParentUuid leafUuid parentId messageId messageID requestId sessionId sessionID session_id promptId tool_use_id toolUseId tool_call_id toolCallId call_id callId callID cwd root directory workspace workspaceDirectory workspace_root projectHash gitBranch'.split(
    ' ',
  ),
);

/** Replaces copies of lines wherever a file has them, also those within JSON in a string. */
export function eraseCopies(
  text: string,
  lines: readonly string[],
): { readonly text: string; readonly count: number } {
  const forms = formsOf(lines);
  if (forms.length === 0) return { text, count: 0 };
  const eraser = new Eraser(text, forms);
  const file = new HistoryFile('', text);
  const whole = file.lines.length > 1 ? parseJsonNode(text, file.start) : undefined;
  if (whole) eraser.node(whole);
  else for (const { start, end } of file.lines) eraser.line(start, end);
  return { text: applyPatches(text, eraser.patches), count: eraser.count };
}

/** How many of the lines are still in a text, as in the name of a member. */
export function countOfLeft(texts: readonly string[], lines: readonly string[]): number {
  return formsOf(lines).filter(form => texts.some(text => text.includes(form))).length;
}

class Eraser {
  readonly patches: Patch[] = [];
  count = 0;
  readonly #text: string;
  readonly #forms: readonly string[];

  constructor(text: string, forms: readonly string[]) {
    this.#text = text;
    this.#forms = forms;
  }

  line(start: number, end: number): void {
    const node = parseJsonNode(this.#text, start, end);
    if (node && node.type !== 'string') {
      this.node(node);
      return;
    }
    const old = this.#text.slice(start, end);
    const text = this.#replaced(old);
    if (text !== old) this.patches.push({ start, end, text });
  }

  node(node: JsonNode): void {
    if (node.type === 'object') {
      for (const [name, member] of node.members) {
        if (member.type !== 'string' || !structural.has(name)) this.node(member);
      }
    } else if (node.type === 'list') for (const item of node.items) this.node(item);
    else if (node.type === 'string') this.#string(node);
  }

  #string({ start, end, value }: JsonString): void {
    const next = this.#replaced(value);
    if (next === value) return;
    this.patches.push({
      start,
      end,
      text: writeLiteral(this.#text.slice(start, end), value, next),
    });
  }

  #replaced(value: string): string {
    let text = value;
    for (const form of this.#forms) {
      if (!text.includes(form)) continue;
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
