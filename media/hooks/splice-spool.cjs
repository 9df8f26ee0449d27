// Notes for Splice that a coding agent did something, so that Splice can say which agent changed a file.
//   node splice-spool.cjs <file> <agent> [<event>]      with the event as JSON on the standard input
// One line is appended to <file>. It has names, ids, paths and the time: no prompt, no command, no content of a file.
// When a prompt is sent, a message that the user has handed over to this session is printed, once; see `handOver`.
// The agent never waits for this longer than two seconds and never fails by it: nothing else is printed, and it exits 0.
// splice-spool.sh does the same where there is a POSIX shell.
'use strict';
const fs = require('node:fs');
const nodePath = require('node:path');

const [file, agent, event] = process.argv.slice(2);
const maxInput = 16 * 1024 * 1024; // characters
const maxFile = 8 * 1024 * 1024; // bytes
const maxWaitingMs = 24 * 60 * 60 * 1000;

const kept =
  'hook_event_name hookEventName session_id sessionId conversation_id prompt_id turn_id turnId generation_id tool_name toolName tool_use_id agent_id cwd'.split(
    ' ',
  );
const inputs = ['tool_input', 'toolArgs', 'tool_args'];
const pathNames = ['file_path', 'filePath', 'notebook_path', 'absolute_path', 'path'];
const patches = ['command', 'input', 'patch'];

const isObject = value => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The files that fields name, and that patches among the inputs of a tool name. */
function pathsOf(fields, isInput) {
  const found = [];
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value !== 'string') continue;
    if (pathNames.includes(name)) found.push(value);
    if (isInput && patches.includes(name))
      for (const [, path] of value.matchAll(
        /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm,
      ))
        found.push(path);
  }
  return found;
}

function lineOf(text) {
  const data = JSON.parse(text);
  if (!isObject(data)) return undefined;
  const line = { agent, time: Date.now(), pid: process.ppid };
  for (const name of kept)
    if (typeof data[name] === 'string' && data[name].length <= (name === 'cwd' ? 1024 : 200))
      line[name] = data[name];
  if (event) line.hook_event_name = event;
  const named = Object.entries(data).flatMap(([name, value]) =>
    inputs.includes(name) && isObject(value)
      ? pathsOf(value, true)
      : pathsOf({ [name]: value }, false),
  );
  let length = 0;
  const paths = named.filter(path => path.length <= 1024 && (length += path.length) <= 1500);
  if (paths.length > 0) line.paths = paths;
  return line;
}

function append(line) {
  try {
    if (fs.statSync(file).size > maxFile) fs.renameSync(file, `${file}.1`);
  } catch {
    // It is new, or another one has just renamed it.
  }
  fs.appendFileSync(file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
}

/** The name that a message for this prompt would have. A subagent has the session of its parent. */
function messageFor({ hook_event_name: name, session_id: session, agent_id: subagent }) {
  if (!/^(?:UserPromptSubmit|BeforeAgent)$/.test(name) || subagent || !session) return undefined;
  const message = `${agent}-${session}`;
  return message.length <= 150 && /^[A-Za-z0-9_-]+$/.test(message) ? message : undefined;
}

/**
 * Prints messages/<agent>-<session> beside <file>, which the agent takes as context of the prompt. Of two programs, the
 * one that has renamed it prints it. It waits on if it could not be printed, and is not for a session that goes on after
 * a day.
 */
function handOver(name) {
  const waiting = nodePath.join(nodePath.dirname(file), 'messages', name);
  const claimed = `${waiting}.${process.pid}`;
  if (Date.now() - fs.statSync(waiting).mtimeMs > maxWaitingMs) throw new Error('too old');
  fs.renameSync(waiting, claimed);
  finish = error => {
    finish = exit;
    try {
      if (error) fs.linkSync(claimed, waiting);
    } catch {
      // A newer message waits by now.
    }
    fs.rmSync(claimed, { force: true });
    exit();
  };
  process.stdout.on('error', error => finish(error));
  process.stdout.write(fs.readFileSync(claimed), error => finish(error));
}

const exit = () => process.exit(0);
/** Ends the program; a message that it has not printed waits on. */
let finish = exit;
let text = '';
// What has come in by then is read first: on a busy machine, this program may have slept all the time.
setTimeout(() => setImmediate(() => finish(new Error('too late'))), 2000);
process.stdin.setEncoding('utf8');
process.stdin.on('data', part => {
  if (text.length <= maxInput) text += part;
});
process.stdin.on('error', exit);
process.stdin.on('end', () => {
  try {
    const line = text.length <= maxInput ? lineOf(text) : undefined;
    if (line) append(line);
    const name = line && messageFor(line);
    if (name) handOver(name);
    else exit();
  } catch {
    // The agent must not fail because of a label, and most often no message waits.
    finish(new Error('not printed'));
  }
});
