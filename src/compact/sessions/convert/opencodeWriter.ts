import type { NewSession } from '../history';
import { type SharedBlock, textOfCall } from './conversation';
import { clock, type SessionWriter } from './target';
import { callFor } from './tools';

const version = '1.18.33';
/** A part of the name of an id: its first 12 digits sort by time. */
type Kind = 'ses' | 'msg' | 'prt';

export const writeOpencode: SessionWriter = (turns, about) => {
  const { workspace, title, newId, now } = about;
  let count = 0;
  const idOf = (kind: Kind): string => {
    const order = (now.getTime() * 4096 + count++) % 2 ** 48;
    const random = newId().replaceAll('-', '').slice(-14);
    return `${kind}_${order.toString(16).padStart(12, '0')}${random}`;
  };
  const time = clock(now, turns.length);
  const sessionID = idOf('ses');
  // Not known: the user chooses one in the tool, or names it on the command line.
  const model = { providerID: 'other', modelID: 'other' };
  const messages: object[] = [];
  let parentID = '';
  const addUser = (text: string): void => {
    const id = idOf('msg');
    parentID = id;
    const info = { id, sessionID, role: 'user', agent: 'build', model };
    const part = { id: idOf('prt'), sessionID, messageID: id, type: 'text', text };
    messages.push({ info: { ...info, time: { created: time().getTime() } }, parts: [part] });
  };
  const addAssistant = (blocks: readonly SharedBlock[]): void => {
    const id = idOf('msg');
    const created = time().getTime();
    const parts = blocks.map(block => ({
      id: idOf('prt'),
      sessionID,
      messageID: id,
      ...partOf(block, created, newId),
    }));
    const info = {
      id,
      sessionID,
      role: 'assistant',
      parentID,
      ...model,
      mode: 'build',
      agent: 'build',
      path: { cwd: workspace, root: workspace },
      cost: 0,
      tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
      time: { created, completed: created },
      finish: 'stop',
    };
    messages.push({ info, parts });
  };
  for (const turn of turns) {
    if (turn.role === 'user') addUser(turn.text);
    else addAssistant(turn.blocks);
  }
  const stamp = now.getTime();
  const info = {
    id: sessionID,
    slug: `continued-${newId().slice(0, 8)}`,
    projectID: 'global',
    directory: workspace,
    title,
    version,
    time: { created: stamp, updated: stamp },
  };
  const path = `session-${newId()}.json`;
  return imported(path, JSON.stringify({ info, messages }, null, 1), sessionID);
};

function partOf(block: SharedBlock, at: number, newId: () => string): object {
  const own = block.type === 'call' ? callFor('opencode', block.call) : undefined;
  if (block.type === 'text') return { type: 'text', text: block.text };
  if (!own) {
    const { name, input, result } = block.call;
    return { type: 'text', text: textOfCall(name, input, result) };
  }
  return {
    type: 'tool',
    tool: own.name,
    callID: `call_${newId().replaceAll('-', '')}`,
    state: {
      status: 'completed',
      input: own.input,
      output: block.call.result,
      title: own.name,
      metadata: {},
      time: { start: at, end: at },
    },
  };
}

function imported(path: string, text: string, id: string): NewSession {
  const shell = `opencode import ${path}`;
  const sentence = `Run “${shell}” in the folder of the session, then “opencode --session ${id}”.`;
  return { files: [{ path, text }], continueBy: { sentence, shell } };
}
