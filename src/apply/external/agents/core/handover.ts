import { isRecord, parseJson, textOf } from '../../../../base/typeGuards';
import type { WriteLabel } from '../../core/rootState';

/**
 * Agents whose hook of a prompt can add a text to it, with the name of that event. Copilot CLI drops what such a hook
 * prints.
 */
const promptEvents = {
  claude: 'UserPromptSubmit',
  codex: 'UserPromptSubmit',
  gemini: 'BeforeAgent',
  qwen: 'UserPromptSubmit',
} as const;

export type ReachedAgent = keyof typeof promptEvents;

/** A session that a message can be handed over to. */
export interface AgentSession {
  readonly agent: ReachedAgent;
  readonly session: string;
}

/** What agents take as context of a prompt, in characters. */
export const maxMessage = 10_000;

/** A message that has waited longer is out of date and is deleted. The hook programs have the same limit. */
export const maxWaitingMs = 24 * 60 * 60 * 1000;

/** The name of the file that the programs look for, which they check in the same way; undefined for ids of another form. */
export function messageName({ agent, session }: AgentSession): string | undefined {
  const name = `${agent}-${session}`;
  return session !== '' && name.length <= 150 && /^[A-Za-z0-9_-]+$/.test(name) ? name : undefined;
}

/** The sessions that wrote something and that can be reached. */
export function reachedSessions(labels: readonly WriteLabel[]): AgentSession[] {
  const found = new Map<string, AgentSession>();
  for (const { agent, session } of labels) {
    if (agent === undefined || session === undefined || !isReached(agent)) continue;
    const name = messageName({ agent, session });
    if (name !== undefined) found.set(name, { agent, session });
  }
  return [...found.values()];
}

const isReached = (agent: string): agent is ReachedAgent => Object.hasOwn(promptEvents, agent);

/** What the hook prints for a message. */
export function promptContext(agent: ReachedAgent, text: string): string {
  const output = { hookEventName: promptEvents[agent], additionalContext: text };
  return `${JSON.stringify({ hookSpecificOutput: output })}\n`;
}

/** The message in what {@link promptContext} made. */
export function messageIn(content: string): string | undefined {
  const read = parseJson(content);
  const output = isRecord(read) ? read['hookSpecificOutput'] : undefined;
  return isRecord(output) ? textOf(output['additionalContext']) : undefined;
}
