import { resumedBy } from '../edit';
import { geminiFolderName } from '../sessionFolders';
import { type SharedBlock, textOfCall } from './conversation';
import { blockCount, clock, jsonLines, type SessionWriter } from './target';
import { callFor } from './tools';

export const writeGemini: SessionWriter = (turns, { workspace, title, newId, now }) => {
  const sessionId = newId();
  const time = clock(now, blockCount(turns));
  const rows: object[] = [
    {
      sessionId,
      projectHash: geminiFolderName(workspace),
      startTime: now.toISOString(),
      lastUpdated: now.toISOString(),
      kind: 'main',
      summary: title,
    },
  ];
  const add = (type: 'user' | 'gemini', timestamp: string, more: object): void => {
    rows.push({ id: newId(), timestamp, type, ...more });
  };
  const addBlock = (block: SharedBlock): void => {
    const timestamp = time().toISOString();
    const own = block.type === 'call' ? callFor('gemini', block.call) : undefined;
    if (block.type === 'text' || !own) {
      const content =
        block.type === 'text'
          ? block.text
          : textOfCall(block.call.name, block.call.input, block.call.result);
      add('gemini', timestamp, { content, thoughts: [] });
      return;
    }
    const { name } = own;
    const id = `${name}-${newId()}`;
    const result = [{ functionResponse: { id, name, response: { output: block.call.result } } }];
    const call = { id, name, args: own.input, result, status: 'success', timestamp };
    add('gemini', timestamp, { content: '', thoughts: [], toolCalls: [call] });
  };
  for (const turn of turns) {
    if (turn.role === 'user') add('user', time().toISOString(), { content: [{ text: turn.text }] });
    else turn.blocks.forEach(addBlock);
  }
  const stamp = now.toISOString().slice(0, 16).replaceAll(':', '-');
  return resumedBy('gemini --resume', sessionId, {
    path: `session-${stamp}-${sessionId.slice(0, 8)}.jsonl`,
    text: jsonLines(rows),
  });
};
