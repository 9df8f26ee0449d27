import assert from 'node:assert/strict';
import type { EditTask } from '../../../../src/apply/instruct/prompt';
import {
  defaultEditModel,
  type EditClient,
  type EditContext,
} from '../../../../src/apply/instruct/runEdit';
import { english } from '../../../../src/base/sentence';
import { ServiceError } from '../../../../src/service/errors';
import type { ChatRequest } from '../../../../src/service/wire/chat/chatRequest';

/** A file of two functions, what models answer when they edit it, and a client that plays the answers. */

export const text = `import { a } from './a';

export function first(list: number[]): number {
  return list[0];
}

export function second(list: number[]): number {
  return list[1];
}
`;
export const task: EditTask = {
  path: 'src/list.ts',
  languageId: 'typescript',
  text,
  instruction: 'return 0 for an empty list',
};
export const fenced = (code: string) => `\`\`\`ts\n${code}\n\`\`\``;
export const good = fenced(`// ... existing code ...
export function first(list: number[]): number {
  return list[0] ?? 0;
}
// ... existing code ...`);
export const foreign = fenced(
  '// ... existing code ...\nfoo(bar);\nbaz(qux);\n// ... existing code ...',
);

/** Another function in the place of the first one. */
export const overCode = 'export const nothing =\n  null;\nexport const more = 1;';

export interface Played {
  readonly requests: ChatRequest[];
  readonly picks: string[];
  readonly client: EditClient;
}

/** Plays the answers one after the other; `!kind` fails with that error, `cut:` and `calls:` end otherwise. */
export function play(...answers: string[]): Played {
  const requests: ChatRequest[] = [];
  const picks: string[] = [];
  const client: EditClient = {
    isReady: async () => true,
    apply: async ({ update }) => ({
      text: update === overCode ? text.replace(/export function first[^]*?\n\}/, overCode) : update,
      model: 'svc-v3-fast',
    }),
    pickModel: async ({ input }) => {
      picks.push(input);
      return {
        model: 'svc-picked',
        provider: undefined,
        difficulty: 'easy',
        confidence: 1,
        signals: {},
        attempts: 1,
        ms: 1,
        cost: { usd: 0.005, isExact: true },
      };
    },
    chat: async (request, { onDelta }) => {
      requests.push(request);
      const answer = answers.shift() ?? assert.fail('asked once more than expected');
      if (answer.startsWith('!')) throw new ServiceError('rateLimited', answer);
      const isCut = answer.startsWith('cut:');
      const isCalls = answer.startsWith('calls:');
      onDelta?.({ text: '', reasoning: 'hm', toolCalls: [] });
      onDelta?.({ text: answer, reasoning: '', toolCalls: [] });
      return {
        text: isCut || isCalls ? answer.slice(answer.indexOf(':') + 1) : answer,
        reasoning: 'hm',
        toolCalls: [],
        finishReason: isCut ? 'length' : isCalls ? 'tool_calls' : 'stop',
        isCut,
        model: request.model,
        usage: undefined,
        tier: undefined,
        logprobs: undefined,
        attempts: 1,
        ms: 5,
        cost: { usd: 0.001, isExact: true },
      };
    },
  };
  return { requests, picks, client };
}

export const context = (more: Partial<EditContext> = {}): EditContext => ({
  signal: new AbortController().signal,
  now: () => 0,
  model: defaultEditModel,
  engine: 'local',
  mergeModel: 'auto',
  t: english,
  ...more,
});

export const lineOf = (part: string) => text.split('\n').findIndex(line => line.includes(part)) + 1;
