// Notes for Splice what opencode does, so that Splice can say which session changed a file. A module for the plugin
// interface of opencode; the file in opencode's folder of plugins loads it, where it is still there.
// It passes names, ids and paths to the program that the hooks of other agents run, which leaves out all text.
// One note follows another, so that they are in the order of what happened. opencode waits for each, two seconds at most,
// and never fails by it.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = path.dirname(fileURLToPath(import.meta.url));
const [program, script] =
  process.platform === 'win32' ? ['node', 'splice-spool.cjs'] : ['sh', 'splice-spool.sh'];
const words = [path.join(folder, script), path.join(folder, 'events.jsonl'), 'opencode'];
const maxMs = 2000;
const writingTools = ['apply_patch', 'bash', 'edit', 'multiedit', 'patch', 'write'];

function run(event, fields) {
  return new Promise(resolve => {
    if (!existsSync(words[0])) {
      resolve();
      return;
    }
    const child = spawn(program, [...words, event], { stdio: ['pipe', 'ignore', 'ignore'] });
    const limit = setTimeout(resolve, maxMs);
    limit.unref();
    for (const end of ['error', 'close'])
      child.on(end, () => {
        clearTimeout(limit);
        resolve();
      });
    child.stdin.on('error', () => {}); // a program that ended early
    child.stdin.end(JSON.stringify(fields));
  });
}

export async function Splice({ directory }) {
  /** Sessions of subagents, with the session that started each. */
  const parents = new Map();
  let last = Promise.resolve();

  function note(names, session, fields = {}) {
    let root = session;
    while (parents.has(root)) root = parents.get(root);
    const isSubagent = root !== session;
    const about = {
      session_id: root,
      cwd: directory,
      ...(isSubagent ? { agent_id: session } : {}),
      ...fields,
    };
    last = last.then(() => run(names[isSubagent ? 1 : 0], about));
    return last;
  }

  async function noteCall(name, { tool, sessionID, callID }, args = {}) {
    if (!writingTools.includes(tool)) return;
    await note([name, name], sessionID, {
      tool_name: tool,
      tool_use_id: callID,
      tool_input: { filePath: args.filePath, patch: args.patchText },
    });
  }

  return {
    async event({ event: { type, properties } }) {
      if (type === 'session.created') {
        const { id, parentID } = properties.info;
        if (parentID !== undefined) parents.set(id, parentID);
      } else if (type === 'session.idle')
        await note(['Stop', 'SubagentStop'], properties.sessionID);
    },
    'chat.message': ({ sessionID }) => note(['UserPromptSubmit', 'SubagentStart'], sessionID),
    'tool.execute.before': (call, { args }) => noteCall('PreToolUse', call, args),
    'tool.execute.after': call => noteCall('PostToolUse', call, call.args),
  };
}
