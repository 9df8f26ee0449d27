import { createCall, createMessage, createPart, createTextPart } from '../blocks';
import { type HistoryMessage, type HistoryPart, unknownEntry } from '../history';
import { isTrueIn, type JsonNode, listIn, memberOf, stringIn } from '../json';

const label = 'Zed';

/** A message of the versions before 0.3.0 of a thread. */
export function readOldZedMessage(node: JsonNode): HistoryMessage[] {
  const role = stringIn(node, 'role');
  if (role === 'system') return [];
  if (role !== 'user' && role !== 'assistant') throw unknownEntry(label, 'A role', role);
  const results = (listIn(node, 'tool_results')?.items ?? []).flatMap(result =>
    zedResultParts(memberOf(result, 'content'), stringIn(result, 'tool_use_id')),
  );
  const answered = results.length > 0 ? [createMessage('tool', results, { span: node })] : [];
  // In the first versions, what follows a call has its results, and its text is not sent.
  if (role === 'user' && answered.length > 0) return answered;
  const said = [...segmentsOf(node), ...callsOf(node)];
  // A text that Zed sent in the name of the user.
  const own = isTrueIn(node, 'is_hidden') && role === 'user' ? 'tool' : role;
  return [...(said.length > 0 ? [createMessage(own, said, { span: node })] : []), ...answered];
}

function segmentsOf(node: JsonNode): HistoryPart[] {
  const parts = (listIn(node, 'segments')?.items ?? []).flatMap(readSegment);
  const text = memberOf(node, 'text');
  if (text) parts.push(createTextPart('text', text, {}));
  const context = memberOf(node, 'context');
  if (context?.type === 'string' && context.value.trim() !== '') {
    parts.push(createTextPart('context', context, {}));
  }
  return parts;
}

function readSegment(segment: JsonNode): HistoryPart[] {
  const type = stringIn(segment, 'type');
  if (type === 'RedactedThinking') return [createPart('encrypted', '', {})];
  if (type === 'thinking') return [createPart('thinking', stringIn(segment, 'text') ?? '', {})];
  const text = memberOf(segment, 'text');
  if (type !== 'text' || !text) throw unknownEntry(label, 'A segment', type);
  return [createTextPart('text', text, {})];
}

function callsOf(node: JsonNode): HistoryPart[] {
  return (listIn(node, 'tool_uses')?.items ?? []).map(call => {
    const details = { name: stringIn(call, 'name'), callId: stringIn(call, 'id') };
    return createCall(memberOf(call, 'input'), {}, details);
  });
}

/** The content of a result: a text, an image, or a list of these; the names of members vary in case. */
export function zedResultParts(
  content: JsonNode | undefined,
  callId: string | undefined,
): HistoryPart[] {
  const list = content?.type === 'list' ? content.items : content ? [content] : [];
  // A result without content still answers its call.
  if (list.length === 0) return [createPart('other', '', {}, { callId })];
  return list.map(one => {
    const text = one.type === 'string' ? one : (memberOf(one, 'Text') ?? memberOf(one, 'text'));
    return text
      ? createTextPart('tool_result', text, {}, { callId })
      : createPart('image', '', {}, { callId });
  });
}
