import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseJson } from '../../src/base/typeGuards';

interface HookSettings {
  readonly hooks: Readonly<Record<string, readonly [{ hooks: readonly [{ command: string }] }]>>;
}

/** Runs the hook of an event from Claude Code's settings as Claude Code does. @param input without the event */
export function runHook(
  settingsFile: string,
  event: string,
  input: Readonly<Record<string, unknown>>,
): void {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by the extension
  const { hooks } = parseJson(readFileSync(settingsFile, 'utf8')) as HookSettings;
  const command = hooks[event]?.[0].hooks[0].command ?? assert.fail(`no hook of ${event}`);
  execFileSync('sh', ['-c', command], {
    input: JSON.stringify({ hook_event_name: event, ...input }),
  });
}
