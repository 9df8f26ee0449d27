import { isRecord, parseJson, textOf } from '../../service/guards';

/** A call as the model wrote it. */
export interface WrittenCall {
  readonly name: string;
  /** Undefined where the arguments are no JSON object. */
  readonly args: Record<string, unknown> | undefined;
}

/**
 * Calls that stand in the text of an answer, because the service took them for prose:
 * `<tool_call>{"name": …, "arguments": …}</tool_call>`, or
 * `<function=grep_search><parameter=pattern>…</parameter></function>`.
 */
export function callsInText(text: string): WrittenCall[] {
  const calls: WrittenCall[] = [];
  for (const [, body = ''] of text.matchAll(/<tool_call>\s*(\{[^]*?\})\s*<\/tool_call>/g)) {
    const call = parseJson(body);
    if (!isRecord(call)) continue;
    const name = textOf(call['name']);
    if (name !== undefined) calls.push({ name, args: objectOf(call['arguments'] ?? call['args']) });
  }
  for (const [, name = '', body = ''] of text.matchAll(
    /<function=([\w-]+)>([^]*?)(?:<\/function>|<\/tool_call>|$)/g,
  )) {
    const args: Record<string, unknown> = {};
    for (const [, key = '', value = ''] of body.matchAll(
      /<parameter=([\w-]+)>\n?([^]*?)\n?<\/parameter>/g,
    ))
      args[key] = value;
    calls.push({ name, args });
  }
  return calls;
}

/** The arguments of a call: JSON text, an object already, or text that holds JSON twice. */
export function objectOf(value: unknown): Record<string, unknown> | undefined {
  if (isRecord(value)) return value;
  if (typeof value !== 'string') return value === undefined || value === null ? {} : undefined;
  if (value.trim() === '') return {};
  const parsed = parseJson(value);
  return typeof parsed === 'string' ? objectOf(parsed) : isRecord(parsed) ? parsed : undefined;
}
