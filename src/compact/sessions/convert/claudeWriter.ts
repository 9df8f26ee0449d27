import { estimateTokens } from '../../../service';
import { resumedBy } from '../edit';
import { type SharedBlock, textOfCall } from './conversation';
import { blockCount, clock, jsonLines, type SessionWriter } from './target';
import { callFor } from './tools';

/** Tokens of the instructions and tools of version 2.1. */
const usualOverhead = 20_000;
const version = '2.1.330';
const model = 'claude-sonnet-4-5';

export const writeClaude: SessionWriter = (turns, { workspace, newId, now }) => {
  const sessionId = newId();
  const time = clock(now, blockCount(turns) * 2);
  const rows: object[] = [];
  let parentUuid: string | null = null;
  let size = usualOverhead;
  const add = (type: 'user' | 'assistant', message: object): void => {
    const uuid = newId();
    rows.push({
      parentUuid,
      isSidechain: false,
      userType: 'external',
      entrypoint: 'cli',
      cwd: workspace,
      sessionId,
      version,
      type,
      message,
      uuid,
      timestamp: time().toISOString(),
    });
    parentUuid = uuid;
    size += estimateTokens(JSON.stringify(message));
  };
  const say = (content: object, stop: string): void =>
    add('assistant', {
      id: `msg_${newId().replaceAll('-', '')}`,
      type: 'message',
      role: 'assistant',
      model,
      content: [content],
      stop_reason: stop,
      stop_sequence: null,
      usage: {
        input_tokens: size,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        output_tokens: estimateTokens(JSON.stringify(content)),
      },
    });
  const addBlock = (block: SharedBlock): void => {
    const own = block.type === 'call' ? callFor('claudeCode', block.call) : undefined;
    if (block.type === 'text' || !own) {
      const text =
        block.type === 'text'
          ? block.text
          : textOfCall(block.call.name, block.call.input, block.call.result);
      say({ type: 'text', text }, 'end_turn');
      return;
    }
    const id = `toolu_${newId().replaceAll('-', '')}`;
    say({ type: 'tool_use', id, name: own.name, input: own.input }, 'tool_use');
    add('user', {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: id, content: block.call.result }],
    });
  };
  for (const turn of turns) {
    if (turn.role === 'user') add('user', { role: 'user', content: turn.text });
    else turn.blocks.forEach(addBlock);
  }
  return resumedBy('claude --resume', sessionId, {
    path: `${sessionId}.jsonl`,
    text: jsonLines(rows),
  });
};
