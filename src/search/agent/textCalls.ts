import { taggedParts } from '../../base/text/scan';
import { isRecord, parseJson, textOf } from '../../base/typeGuards';

/** A call as the model wrote it. */
export interface WrittenCall {
  readonly name: string;
  /** Undefined where the arguments are no JSON object. */
  readonly args: Record<string, unknown> | undefined;
}

/**
 * Finds calls in the text of an answer that the service did not recognize as such:
 * `<tool_call>{"name": …, "arguments": …}</tool_call>`, or
 * `<function=grep_search><parameter=pattern>…</parameter></function>`.
 */
export function callsInText(text: string): WrittenCall[] {
  const calls: WrittenCall[] = [];
  const objects = taggedParts(text, /<tool_call>\s*(?=\{)/g, /\}\s*<\/tool_call>/g);
  for (const { body } of objects) {
    const call = parseJson(`${body}}`);
    if (!isRecord(call)) continue;
    const name = textOf(call['name']);
    if (name !== undefined) calls.push({ name, args: objectOf(call['arguments'] ?? call['args']) });
  }
  const functions = taggedParts(text, /<function=([\w-]+)>/g, /<\/(?:function|tool_call)>/g, {
    endsAtEnd: true,
  });
  for (const { opening, body } of functions) {
    const args: Record<string, unknown> = {};
    for (const { opening: key, body: value } of taggedParts(
      body,
      /<parameter=([\w-]+)>\n?/g,
      /\n?<\/parameter>/g,
    )) {
      args[key[1] ?? ''] = value;
    }
    calls.push({ name: opening[1] ?? '', args });
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
