import { resumedBy } from '../edit';
import { type SharedBlock, textOfCall } from './conversation';
import { blockCount, clock, jsonLines, type SessionWriter } from './target';
import { callFor } from './tools';

const version = '0.169.0';

export const writeCodex: SessionWriter = (turns, { workspace, newId, now }) => {
  const id = newId();
  const time = clock(now, 1 + blockCount(turns) * 2);
  const rows: object[] = [];
  const add = (type: string, payload: object): void => {
    rows.push({ timestamp: time().toISOString(), type, payload });
  };
  const item = (payload: object): void => add('response_item', payload);
  add('session_meta', {
    id,
    timestamp: now.toISOString(),
    cwd: workspace,
    originator: 'codex_cli_rs',
    cli_version: version,
    source: 'cli',
  });
  const addBlock = (block: SharedBlock): void => {
    const own = block.type === 'call' ? callFor('codex', block.call) : undefined;
    if (block.type === 'text' || !own) {
      const text =
        block.type === 'text'
          ? block.text
          : textOfCall(block.call.name, block.call.input, block.call.result);
      item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] });
      add('event_msg', { type: 'agent_message', message: text });
      return;
    }
    const callId = `call_${newId().replaceAll('-', '')}`;
    const input = JSON.stringify(own.input);
    item({ type: 'function_call', name: own.name, arguments: input, call_id: callId });
    item({ type: 'function_call_output', call_id: callId, output: block.call.result });
  };
  for (const turn of turns) {
    if (turn.role === 'assistant') {
      turn.blocks.forEach(addBlock);
      continue;
    }
    const { text } = turn;
    item({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] });
    // The list of sessions has the first of these as its title.
    add('event_msg', { type: 'user_message', message: text, images: [] });
  }
  const stamp = now.toISOString().slice(0, 19).replaceAll(':', '-');
  const [year, month, day] = stamp.slice(0, 10).split('-');
  return resumedBy('codex resume', id, {
    path: `${year}/${month}/${day}/rollout-${stamp}-${id}.jsonl`,
    text: jsonLines(rows),
  });
};
