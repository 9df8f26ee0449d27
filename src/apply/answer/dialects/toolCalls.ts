import { sentence } from '../../../base/sentence';
import { isRecord } from '../../../base/typeGuards';
import { type EditOperation, type EditPart, part, reasons } from '../operations';

/** Calls of edit tools, as agents write them down: JSON objects with a path and what happens to it. */

export type ToolArguments = Readonly<Record<string, unknown>>;

const keys = {
  path: 'path file_path filePath filepath file target_file targetFile filename file_name relative_path relative_workspace_path absolute_path TargetFile',
  content: 'content contents file_text fileText new_content file_content code_edit CodeContent',
  old: 'old_str old_string oldString oldStr oldText old_text old_code search find TargetContent',
  fresh:
    'new_str new_string newString newStr newText new_text new_code replace replacement ReplacementContent',
  edits: 'edits changes replacements ReplacementChunks files',
  patch: 'patch diff input patchText patch_text',
  from: 'from old_path oldPath source source_path',
  to: 'to new_path newPath destination destination_path target',
} as const;
const namesOf = Object.fromEntries(
  Object.entries(keys).map(([key, names]) => [key, names.split(' ')]),
);

const textNames = new Set(
  (['path', 'content', 'old', 'fresh', 'patch', 'from', 'to'] as const).flatMap(
    key => namesOf[key] ?? [],
  ),
);
/** Whether an argument of a tool is a text, whatever it looks like. */
export const isTextArgument = (name: string): boolean => textNames.has(name);

function textOf(args: ToolArguments, key: keyof typeof keys): string | undefined {
  for (const name of namesOf[key] ?? []) {
    const value = args[name];
    if (typeof value === 'string') return value;
  }
  return undefined;
}

const listOf = (args: ToolArguments, key: keyof typeof keys): readonly unknown[] | undefined =>
  (namesOf[key] ?? []).map(name => args[name]).find(Array.isArray);

/** How deep calls may be nested in lists and messages. */
const maxDepth = 6;

/**
 * The parts of a text that is JSON with calls of edit tools; undefined when it holds none.
 *
 * @param readPatch reads the text of a patch in a call.
 */
export function readToolCalls(
  text: string,
  readPatch: (text: string) => EditPart[],
): EditPart[] | undefined {
  const values = jsonValues(text);
  if (!values) return undefined;
  const parts = values.flatMap(value => partsOf(value, readPatch, 0));
  return parts.length > 0 ? parts : undefined;
}

const jsonKey = /"(\w{1,40})"\s{0,9}:/g;

/** A line that begins like the call of an edit tool, but is no JSON. */
export function damagedCall(line: string): EditPart[] | undefined {
  if (!line.includes('":')) return undefined;
  const names = [...line.matchAll(jsonKey)].map(([, name = '']) => name);
  const isCall = names.some(name => textNames.has(name) || name === 'arguments');
  return isCall && parsed(line) === undefined
    ? [part(line, { kind: 'none', reason: reasons.call })]
    : undefined;
}

/** One JSON value, or one on each line. */
function jsonValues(text: string): unknown[] | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  const whole = parsed(text);
  if (whole !== undefined) return [whole];
  const lines = text.split('\n').filter(line => line.trim() !== '');
  if (lines.length < 2) return undefined;
  const values = lines.map(parsed);
  return values.every(value => value !== undefined) ? values : undefined;
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

function partsOf(
  value: unknown,
  readPatch: (text: string) => EditPart[],
  depth: number,
): EditPart[] {
  if (depth > maxDepth) return [];
  if (Array.isArray(value)) return value.flatMap(item => partsOf(item, readPatch, depth + 1));
  if (!isRecord(value)) return [];
  const call = callIn(value);
  if (call) return partsOfCall(call.name, call.args, readPatch);
  const patch = patchForShell(value['command'] ?? value['cmd']);
  if (patch !== undefined) return readPatch(patch);
  return Object.values(value).flatMap(item =>
    typeof item === 'object' ? partsOf(item, readPatch, depth + 1) : [],
  );
}

/** The patch in a command for the terminal: `apply_patch <<'EOF'`, or a list of words that ends with it. */
function patchForShell(command: unknown): string | undefined {
  const words: readonly unknown[] = Array.isArray(command) ? command : [command];
  for (const word of words) {
    const start = typeof word === 'string' ? word.indexOf(patchStart) : -1;
    if (typeof word !== 'string' || start < 0) continue;
    const end = word.lastIndexOf(patchEnd);
    return word.slice(start, end < start ? undefined : end + patchEnd.length);
  }
  return undefined;
}

const patchStart = '*** Begin Patch';
const patchEnd = '*** End Patch';

function callIn(value: ToolArguments): { name: string; args: ToolArguments } | undefined {
  const name = [
    value['name'],
    value['tool'],
    value['tool_name'],
    value['toolName'],
    value['recipient_name'],
  ].find(item => typeof item === 'string');
  for (const key of ['arguments', 'input', 'parameters', 'args', 'params']) {
    const given = value[key];
    const args = typeof given === 'string' ? parsed(given) : given;
    if (typeof name === 'string' && isRecord(args)) return { name, args };
    // A patch as the only argument.
    if (
      typeof name === 'string' &&
      typeof given === 'string' &&
      given.startsWith('*** Begin Patch')
    ) {
      return { name, args: { patch: given } };
    }
  }
  const { operation } = value;
  if (isRecord(operation) && typeof operation['type'] === 'string') {
    return { name: operation['type'], args: operation };
  }
  const isBare =
    textOf(value, 'path') !== undefined &&
    (textOf(value, 'old') !== undefined ||
      textOf(value, 'content') !== undefined ||
      listOf(value, 'edits'));
  return isBare ? { name: typeof name === 'string' ? name : '', args: value } : undefined;
}

const removes = /delete|remove|unlink/i;
const moves = /rename|move/i;
const inserts = /^insert/i;
const creates = /create|write|add/i;
const looks = /^(?:read|view|list|ls|glob|grep|search|find|open|bash|run|execute|web)/i;

/** @param source the text of the call. */
export function partsOfCall(
  name: string,
  args: ToolArguments,
  readPatch: (text: string) => EditPart[],
  source = JSON.stringify({ name, arguments: args }, undefined, 1),
): EditPart[] {
  const command = typeof args['command'] === 'string' ? args['command'] : name;
  const path = textOf(args, 'path');
  const patch = textOf(args, 'patch');
  if (patch !== undefined && /^(?:\*\*\* |diff --git |--- |@@)/m.test(patch)) {
    return readPatch(patch).map(found => withPath(found, path));
  }
  const inShell = patchForShell(args['command'] ?? args['cmd']);
  if (inShell !== undefined) return readPatch(inShell);
  const nested = listOf(args, 'edits');
  if (nested && path === undefined) {
    return nested.flatMap(item => (isRecord(item) ? partsOfCall(name, item, readPatch) : []));
  }
  const operation = operationOf(command, path, args, nested);
  if (operation) return [part(source, operation)];
  // A call that only looks or runs something changes no file.
  return looks.test(command)
    ? []
    : [
        part(source, {
          kind: 'none',
          path,
          reason: sentence('The call of "{0}" is not an edit that can be read.', command),
        }),
      ];
}

function withPath({ source, operation }: EditPart, path: string | undefined): EditPart {
  const isNamed = operation.path !== undefined || path === undefined;
  return isNamed ? { source, operation } : { source, operation: { ...operation, path } };
}

function operationOf(
  command: string,
  path: string | undefined,
  args: ToolArguments,
  nested: readonly unknown[] | undefined,
): EditOperation | undefined {
  const from = textOf(args, 'from') ?? path;
  const to = textOf(args, 'to');
  if (moves.test(command) && from !== undefined && to !== undefined) {
    return { kind: 'rename', path: from, newPath: to };
  }
  if (path === undefined) return undefined;
  if (removes.test(command)) return { kind: 'delete', path };
  const fileLine = args['line'];
  const added = textOf(args, 'content');
  // Roo counts from 1, and puts the text in front of the line; 0 is the end of the file.
  if (inserts.test(command) && typeof fileLine === 'number' && added !== undefined) {
    return { kind: 'insert', path, line: fileLine === 0 ? 'end' : fileLine - 1, text: added };
  }
  const line = args['insert_line'] ?? args['insertLine'];
  const fresh =
    textOf(args, 'fresh') ??
    (typeof args['insert_text'] === 'string' ? args['insert_text'] : undefined);
  if (typeof line === 'number' && fresh !== undefined) {
    return { kind: 'insert', path, line, text: fresh };
  }
  if (nested) {
    const blocks = nested.flatMap(item => (isRecord(item) ? (blockIn(item) ?? []) : []));
    if (blocks.length === nested.length) return { kind: 'blocks', path, blocks };
  }
  const block = blockIn(args);
  if (block) {
    const isEverywhere =
      args['replace_all'] === true ||
      args['replaceAll'] === true ||
      args['allow_multiple'] === true;
    return { kind: 'blocks', path, blocks: [block], ...(isEverywhere && { isEverywhere }) };
  }
  const content = textOf(args, 'content') ?? newFileText(command, textOf(args, 'patch'));
  if (content === undefined) return undefined;
  // A tool of this kind takes a sketch of the change.
  return 'code_edit' in args
    ? { kind: 'snippet', path, text: content }
    : { kind: 'write', path, text: content };
}

/** A new file as a diff without a header. */
function newFileText(command: string, diff: string | undefined): string | undefined {
  if (diff === undefined || !creates.test(command)) return undefined;
  const lines = diff.split('\n');
  const areMarked = lines.every(line => line === '' || line.startsWith('+'));
  return areMarked ? lines.map(line => line.slice(1)).join('\n') : diff;
}

function blockIn(args: ToolArguments): { search: string; replace: string } | undefined {
  const search = textOf(args, 'old');
  const replace = textOf(args, 'fresh');
  return search === undefined || replace === undefined ? undefined : { search, replace };
}
