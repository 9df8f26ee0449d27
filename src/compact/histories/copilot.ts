import { argumentsText, joinAssistant, messageOf, partOf, textPart } from './blocks';
import type { HistoryFile } from './file';
import {
  type History,
  type HistoryFormat,
  type HistoryMessage,
  type HistoryPart,
  UnsupportedHistory,
} from './history';
import { type JsonNode, listIn, memberOf, stringIn } from './json';

const label = 'Copilot transcript';

/** Of VS Code and of the command line: events that are never read back, so that nothing is written. */
function read(file: HistoryFile): History {
  const { records, isCut } = file.recordsFor(label);
  const messages = joinAssistant(records.flatMap(({ node }) => readEvent(node)));
  if (messages.length === 0)
    throw new UnsupportedHistory(
      label,
      'the transcript has no messages',
      'Choose another session.',
    );
  const start = records.find(({ node }) => stringIn(node, 'type') === 'session.start')?.node;
  const about = memberOf(start, 'data');
  const sessionId = stringIn(about, 'sessionId');
  const workspace = stringIn(memberOf(about, 'context'), 'cwd');
  const startedAt = stringIn(about, 'startTime') ?? stringIn(start, 'timestamp');
  return {
    tool: 'copilot',
    label,
    sessionId,
    workspace,
    startedAt,
    messages,
    isCut,
    notes: [],
    file,
    beside: [],
  };
}

function readEvent(node: JsonNode): HistoryMessage[] {
  const data = memberOf(node, 'data');
  const content = memberOf(data, 'content');
  const details = { id: stringIn(node, 'id'), at: stringIn(node, 'timestamp'), place: node };
  const text = content?.type === 'string' ? [textPart('text', content, {})] : [];
  switch (stringIn(node, 'type')) {
    case 'user.message':
      return [messageOf('user', text, details)];
    case 'system.message':
      return [messageOf('system', text, details)];
    case 'assistant.message':
      return [messageOf('assistant', [...thinkingOf(data), ...text, ...callsOf(data)], details)];
    case 'tool.execution_complete':
      return [messageOf('tool', [resultOf(data)], details)];
    default:
      // Turns, hooks and starts of tools have nothing that the others have not.
      return [];
  }
}

function thinkingOf(data: JsonNode | undefined): HistoryPart[] {
  const text = stringIn(data, 'reasoningText');
  return text === undefined ? [] : [partOf('thinking', text, {})];
}

function callsOf(data: JsonNode | undefined): HistoryPart[] {
  return (listIn(data, 'toolRequests')?.items ?? []).map(call => {
    const args = memberOf(call, 'arguments');
    const details = { name: stringIn(call, 'name'), callId: stringIn(call, 'toolCallId') };
    return partOf('tool_call', argumentsText(args), {}, details);
  });
}

function resultOf(data: JsonNode | undefined): HistoryPart {
  const callId = stringIn(data, 'toolCallId');
  const result = memberOf(data, 'result');
  const text =
    memberOf(result, 'content') ?? memberOf(memberOf(data, 'error'), 'message') ?? result;
  return text?.type === 'string'
    ? textPart('tool_result', text, {}, { callId })
    : partOf('other', '', {}, { callId });
}

export const copilot: HistoryFormat = {
  id: 'copilot',
  label,
  isReadOnly: true,
  detect: file =>
    file.head.some(
      node =>
        /^(?:session\.start|user\.message)$/.test(stringIn(node, 'type') ?? '') &&
        memberOf(node, 'data')?.type === 'object',
    ),
  read,
};
