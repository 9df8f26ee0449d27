/** What the scripted model wants done, whatever the agent calls its tools. */
export type Action =
  | { readonly do: 'read'; readonly path: string }
  | { readonly do: 'edit'; readonly path: string; readonly old: string; readonly new: string }
  | { readonly do: 'write'; readonly path: string; readonly text: string }
  | { readonly do: 'run'; readonly command: string }
  | { readonly do: 'patch'; readonly patch: string }
  | { readonly do: 'delegate'; readonly prompt: string };

/** One answer of the model. */
export interface Step {
  readonly actions?: readonly Action[];
  /** The answer is held back until this has settled. */
  before?(): Promise<void>;
}

/** The answers of one turn. After the last one comes a text, which ends the turn. */
export type Script = readonly Step[];

/** A message of a conversation, in whatever protocol it came. */
export type Message =
  | { readonly from: 'user'; readonly text: string }
  | { readonly from: 'model'; readonly isCall: boolean }
  | { readonly from: 'tool' };

/** A tool that the agent offers, with the JSON schema of its input; none for a tool that takes text. */
export interface Tool {
  readonly name: string;
  readonly schema: Schema | undefined;
}

export interface Schema {
  readonly properties?: Readonly<Record<string, Property>>;
  readonly required?: readonly string[];
}

interface Property {
  readonly type?: string;
  readonly enum?: readonly unknown[];
}

export interface ToolCall {
  readonly name: string;
  /** A text for a tool without a schema. */
  readonly input: Readonly<Record<string, unknown>> | string;
}

const mark = /SCRIPT:([\w-]+)/g;

/** The name of the script that a prompt asks for goes into the prompt, so that the model keeps no state. */
export const promptFor = (name: string): string => `Follow SCRIPT:${name} to its end.`;

/** What comes next: the step after those that the conversation has; undefined when the turn is to end. */
export function nextStep(
  messages: readonly Message[],
  scripts: ReadonlyMap<string, Script>,
): Step | undefined {
  let script: Script | undefined;
  let done = 0;
  let wasCall = false;
  for (const message of messages) {
    const isCall = message.from === 'model' && message.isCall;
    if (isCall && !wasCall) done += 1;
    wasCall = isCall;
    const name = message.from === 'user' ? [...message.text.matchAll(mark)].at(-1)?.[1] : undefined;
    if (name === undefined) continue;
    script = scripts.get(name);
    done = 0;
  }
  return script?.[done];
}

interface ToolPattern {
  readonly names: RegExp;
  /** Patterns of argument names, with the values. */
  readonly values: readonly (readonly [RegExp, unknown])[];
}

/** What agents call the tool for an action and its arguments. */
function toolPattern(action: Action): ToolPattern {
  switch (action.do) {
    case 'read':
      return { names: /^(?:read|read_file|view)$/i, values: [[/path/i, action.path]] };
    case 'edit':
      return {
        names: /^(?:edit|replace)$/i,
        values: [
          [/path/i, action.path],
          [/^old/i, action.old],
          [/^new/i, action.new],
        ],
      };
    case 'write':
      return {
        names: /^(?:write|write_file|create)$/i,
        values: [
          [/path/i, action.path],
          [/content|text/i, action.text],
        ],
      };
    case 'run':
      return {
        names:
          /^(?:bash|execute|run_shell_command|run_terminal_command|exec_command|execute_bash|shell_command|run_commands)$/i,
        values: [
          [/^(?:command|cmd)$/i, action.command],
          [/^commands$/i, [action.command]],
        ],
      };
    case 'patch':
      return { names: /^apply_patch$/, values: [[/^(?:input|patch)/i, action.patch]] };
    case 'delegate':
      return {
        names: /^(?:agent|task)$/i,
        values: [
          [/^prompt$/, action.prompt],
          [/^subagent_type$/, 'general-purpose'],
        ],
      };
    default:
      return action satisfies never;
  }
}

/** The call of the agent's own tool that does the action. */
export function toolCall(action: Action, tools: readonly Tool[]): ToolCall {
  const { names, values } = toolPattern(action);
  const tool = tools.find(({ name }) => names.test(name));
  const code = tools.find(({ name, schema }) => name === 'exec' && !schema);
  if (!tool && code) return { name: code.name, input: codeFor(action) };
  if (!tool)
    throw new Error(`no tool to ${action.do} among ${tools.map(({ name }) => name).join(', ')}`);
  if (!tool.schema) return { name: tool.name, input: action.do === 'patch' ? action.patch : '' };
  const input: Record<string, unknown> = {};
  for (const [key, property] of Object.entries(tool.schema.properties ?? {})) {
    const value = values.find(([pattern]) => pattern.test(key));
    if (value) input[key] = value[1];
    else if (tool.schema.required?.includes(key)) input[key] = anyValue(property);
  }
  return { name: tool.name, input };
}

/** For models of Codex that call its tools from JavaScript. */
function codeFor(action: Action): string {
  if (action.do === 'patch') return `await tools.apply_patch(${JSON.stringify(action.patch)});`;
  if (action.do === 'run')
    return `await tools.exec_command({ cmd: ${JSON.stringify(action.command)} });`;
  throw new Error(`no code to ${action.do}`);
}

function anyValue({ type, enum: choices }: Property): unknown {
  if (choices) return choices[0];
  switch (type) {
    case 'boolean':
      return false;
    case 'number':
    case 'integer':
      return 30;
    case 'array':
      return [];
    case 'object':
      return {};
    default:
      return 'scripted';
  }
}
