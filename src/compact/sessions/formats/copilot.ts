import { argumentsText, createMessage, createPart, createTextPart, joinAssistant } from '../blocks';
import {
  type History,
  type HistoryFormat,
  type HistoryMessage,
  type HistoryPart,
  UnsupportedHistory,
} from '../history';
import type { HistoryFile } from '../historyFile';
import { type JsonNode, listIn, memberOf, stringIn } from '../json';

const label = 'Copilot transcript';

/** Transcripts of Copilot in VS Code and on the command line. Neither tool reads them back, so none is written. */
function read(file: HistoryFile): History {
  const { records, isCut } = file.recordsFor(label);
  const messages = joinAssistant(records.flatMap(({ node }) => readEvent(node)));
  if (messages.length === 0) {
    throw new UnsupportedHistory(
      label,
      'the transcript has no messages',
      'Choose another session.',
    );
  }
  const start = records.find(({ node }) => stringIn(node, 'type') === 'session.start')?.node;
  const about = memberOf(start, 'data');
  const session = {
    sessionId: stringIn(about, 'sessionId'),
    workspace: stringIn(memberOf(about, 'context'), 'cwd'),
    startedAt: stringIn(about, 'startTime') ?? stringIn(start, 'timestamp'),
  };
  return { tool: 'copilot', label, ...session, messages, isCut, notes: [], file, companions: [] };
}

function readEvent(node: JsonNode): HistoryMessage[] {
  const data = memberOf(node, 'data');
  const content = memberOf(data, 'content');
  const details = { id: stringIn(node, 'id'), at: stringIn(node, 'timestamp'), span: node };
  const text = content?.type === 'string' ? [createTextPart('text', content, {})] : [];
  switch (stringIn(node, 'type')) {
    case 'user.message':
      return [createMessage('user', text, details)];
    case 'system.message':
      return [createMessage('system', text, details)];
    case 'assistant.message':
      return [
        createMessage('assistant', [...thinkingOf(data), ...text, ...callsOf(data)], details),
      ];
    case 'tool.execution_complete':
      return [createMessage('tool', [resultOf(data)], details)];
    default:
      // Events of turns, hooks and tool starts only repeat what the others contain.
      return [];
  }
}

function thinkingOf(data: JsonNode | undefined): HistoryPart[] {
  const text = stringIn(data, 'reasoningText');
  return text === undefined ? [] : [createPart('thinking', text, {})];
}

function callsOf(data: JsonNode | undefined): HistoryPart[] {
  return (listIn(data, 'toolRequests')?.items ?? []).map(call => {
    const args = memberOf(call, 'arguments');
    const details = { name: stringIn(call, 'name'), callId: stringIn(call, 'toolCallId') };
    return createPart('tool_call', argumentsText(args), {}, details);
  });
}

function resultOf(data: JsonNode | undefined): HistoryPart {
  const callId = stringIn(data, 'toolCallId');
  const result = memberOf(data, 'result');
  const text =
    memberOf(result, 'content') ?? memberOf(memberOf(data, 'error'), 'message') ?? result;
  return text?.type === 'string'
    ? createTextPart('tool_result', text, {}, { callId })
    : createPart('other', '', {}, { callId });
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
