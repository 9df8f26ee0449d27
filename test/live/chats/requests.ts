import { isRecord } from '../../../src/base/typeGuards';
import { estimateTokens } from '../../../src/service';
import type { ModelLogEntry } from '../model/server';

type Body = ModelLogEntry['body'];

/** All texts of a request, in order. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isRecord(value) ? Object.values(value).flatMap(textsIn) : [];
}

export function tokensIn(body: Body): number {
  return textsIn(body).reduce((sum, text) => sum + estimateTokens(text), 0);
}

/** The conversation of a request; undefined for one of another kind. */
export function conversationOf(body: Body): readonly unknown[] | undefined {
  const list = body['messages'] ?? body['input'] ?? body['contents'];
  return Array.isArray(list) ? list : undefined;
}

/** Requests of the chat itself: with tools, unlike those for a title or a summary. */
export function isOfChat({ body }: ModelLogEntry): boolean {
  return (
    conversationOf(body) !== undefined && Array.isArray(body['tools']) && body['tools'].length > 0
  );
}

/** Ids of calls, and of results, in whatever protocol. */
export function pairsIn(value: unknown): { readonly calls: string[]; readonly results: string[] } {
  const calls: string[] = [];
  const results: string[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(visit);
    if (!isRecord(node)) return;
    const { type, role } = node;
    if (type === 'tool_use') calls.push(String(node['id']));
    else if (type === 'tool_result') results.push(String(node['tool_use_id']));
    else if (typeof type === 'string' && type.endsWith('_call'))
      calls.push(String(node['call_id']));
    else if (typeof type === 'string' && type.endsWith('_call_output'))
      results.push(String(node['call_id']));
    else if (role === 'tool') results.push(String(node['tool_call_id']));
    if (Array.isArray(node['tool_calls']))
      for (const call of node['tool_calls']) if (isRecord(call)) calls.push(String(call['id']));
    if (isRecord(node['functionCall'])) calls.push(String(node['functionCall']['name']));
    if (isRecord(node['functionResponse'])) results.push(String(node['functionResponse']['name']));
    Object.values(node).forEach(visit);
  };
  visit(value);
  return { calls: calls.sort(), results: results.sort() };
}
