import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { hookScripts } from '../../src/apply/external/agents/core/hookFiles';
import { parseJson } from '../../src/base/typeGuards';

interface HookSettings {
  readonly hooks: Readonly<Record<string, readonly [{ hooks: readonly [{ command: string }] }]>>;
}

/** Runs the hook of an event from Claude Code's settings as Claude Code does. @param input without the event @returns what it printed */
export function runHook(
  settingsFile: string,
  event: string,
  input: Readonly<Record<string, unknown>>,
): string {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by the extension
  const { hooks } = parseJson(readFileSync(settingsFile, 'utf8')) as HookSettings;
  const command = hooks[event]?.[0].hooks[0].command ?? assert.fail(`no hook of ${event}`);
  return execFileSync('sh', ['-c', command], {
    input: JSON.stringify({ hook_event_name: event, ...input }),
    encoding: 'utf8',
  });
}

const shipped = path.resolve('media/hooks');

export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** Runs a program with an input; an input that is undefined never ends. */
function runProgram(
  command: string,
  args: readonly string[],
  input: string | undefined,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args);
    let output = '';
    child.stdout.on('data', part => (output += String(part)));
    child.stderr.on('data', part => (output += String(part)));
    child.stdin.on('error', reject);
    child.on('error', reject);
    child.on('close', code => resolve({ code, output }));
    if (input !== undefined) child.stdin.end(input);
  });
}

const wordsOf = [
  [process.execPath, path.join(shipped, hookScripts.windows)],
  // POSIX shells are not on Windows.
  ...(process.platform === 'win32' ? [] : [['sh', path.join(shipped, hookScripts.posix)]]),
];

/** The two programs, which do the same. */
export const hookPrograms = wordsOf.map(([command = '', script = '']) => ({
  name: path.basename(script),
  command,
  script,
  start: async (args: readonly string[], input: string | undefined): Promise<Ended> =>
    runProgram(command, [script, ...args], input),
}));
