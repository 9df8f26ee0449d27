import { type SharedBlock, textOfCall } from './conversation';
import { clock, type SessionWriter } from './target';

/** An export of a chat, which VS Code opens as a new one. It shows calls as text: their tools are not those of VS Code. */
export const writeVscodeChat: SessionWriter = (turns, { newId, now }) => {
  const time = clock(now, turns.length);
  const requests: object[] = [];
  let response: object[] | undefined;
  const ask = (text: string): void => {
    response = [];
    requests.push({
      requestId: `request_${newId()}`,
      // With parts, each of them would have to say where it stands.
      message: text,
      variableData: { variables: [] },
      response,
      responseId: `response_${newId()}`,
      timestamp: time().getTime(),
    });
  };
  for (const turn of turns) {
    if (turn.role === 'user') {
      ask(turn.text);
      continue;
    }
    // A chat begins with a question.
    if (!response) ask('…');
    response?.push({ value: turn.blocks.map(textOf).join('\n\n') });
  }
  const chat = { responderUsername: 'Assistant', initialLocation: 'panel', requests };
  return {
    files: [{ path: `chat-${newId()}.json`, text: `${JSON.stringify(chat, null, 1)}\n` }],
    continueBy: {
      sentence: 'Open it in the Chat view.',
      command: 'workbench.action.chat.import',
    },
  };
};

function textOf(block: SharedBlock): string {
  if (block.type === 'text') return block.text;
  const { name, input, result } = block.call;
  const text = textOfCall(name, input, result);
  // Longer than any fence within.
  const fence = '`'.repeat(
    Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)),
  );
  return `${fence}\n${text}\n${fence}`;
}
