import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { importsEnd } from '../../../../src/apply/instruct/mergeAnswer';
import { modelRows } from '../../../../src/apply/instruct/modelRows';
import type { Problem } from '../../../../src/apply/instruct/problems';
import type { EditTask } from '../../../../src/apply/instruct/prompt';
import {
  defaultEditModel,
  type EditClient,
  type EditContext,
  type EditProgress,
  runEdit,
} from '../../../../src/apply/instruct/runEdit';
import { type FixContext, runFixes } from '../../../../src/apply/instruct/runFixes';
import { english } from '../../../../src/base/sentence';
import { ServiceError } from '../../../../src/service/errors';
import { fallbackModels } from '../../../../src/service/wire/catalogue';
import type { ChatRequest } from '../../../../src/service/wire/chat/chatRequest';

const text = `import { a } from './a';

export function first(list: number[]): number {
  return list[0];
}

export function second(list: number[]): number {
  return list[1];
}
`;
const task: EditTask = {
  path: 'src/list.ts',
  languageId: 'typescript',
  text,
  instruction: 'return 0 for an empty list',
};
const fenced = (code: string) => `\`\`\`ts\n${code}\n\`\`\``;
const good = fenced(`// ... existing code ...
export function first(list: number[]): number {
  return list[0] ?? 0;
}
// ... existing code ...`);
const foreign = fenced('// ... existing code ...\nfoo(bar);\nbaz(qux);\n// ... existing code ...');

/** Another function in the place of the first one. */
const overCode = 'export const nothing =\n  null;\nexport const more = 1;';
const over = fenced(overCode);

interface Played {
  readonly requests: ChatRequest[];
  readonly picks: string[];
  readonly client: EditClient;
}

/** Plays the answers one after the other; `!kind` fails with that error, `cut:` and `calls:` end otherwise. */
function play(...answers: string[]): Played {
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

const inEnglish = (): FixContext => ({ ...context(), t: english });
const context = (more: Partial<EditContext> = {}): EditContext => ({
  signal: new AbortController().signal,
  now: () => 0,
  model: defaultEditModel,
  engine: 'local',
  mergeModel: 'auto',
  ...more,
});

const lineOf = (part: string) => text.split('\n').findIndex(line => line.includes(part)) + 1;

describe('an edit by a chat model', () => {
  it('is merged, with the model and the cost', async () => {
    const { client, requests } = play(good);
    const seen: EditProgress['phase'][] = [];
    const outcome = await runEdit(
      task,
      client,
      context({ onProgress: ({ phase }) => seen.push(phase) }),
    );
    assert.ok(outcome.kind === 'merged');
    assert.equal(outcome.merged.text, text.replace('list[0];', 'list[0] ?? 0;'));
    assert.deepEqual(outcome.author, {
      model: defaultEditModel,
      ms: 0,
      cost: { usd: 0.001, isExact: true },
    });
    assert.deepEqual(seen, ['thinking', 'writing', 'merging']);
    assert.equal(requests.length, 1);
  });

  it('is asked for once more when it does not fit, with the reason', async () => {
    const { client, requests } = play(foreign, good);
    const outcome = await runEdit(task, client, context());
    assert.ok(outcome.kind === 'merged');
    assert.deepEqual(outcome.author.cost, { usd: 0.002, isExact: true });
    const roles = requests[1]?.messages.map(({ role }) => role);
    assert.deepEqual(roles, ['system', 'user', 'assistant', 'user']);
    assert.match(
      JSON.stringify(requests[1]?.messages.at(-1)),
      /could not be merged into the file: .*list\.ts/,
    );
  });

  it('fails after the second answer that does not fit', async () => {
    const { client, requests } = play(foreign, foreign);
    const outcome = await runEdit(task, client, context());
    assert.ok(outcome.kind === 'failed');
    assert.match(outcome.reason, /list\.ts/);
    assert.equal(outcome.answer, foreign);
    assert.equal(requests.length, 2);
  });

  it('is asked for once more when the audit calls the merge wrong, and then shown with what is wrong', async () => {
    const { client, requests } = play(foreign, foreign);
    const outcome = await runEdit(task, client, context({ engine: 'service' }));
    assert.equal(requests.length, 2);
    assert.match(JSON.stringify(requests[1]?.messages.at(-1)), /line \d+ of the merged file: /);
    assert.ok(outcome.kind === 'merged');
    assert.ok(outcome.merged.findings.some(({ severity }) => severity === 'error'));
  });

  it('is not asked for again when the answer was cut or is words', async () => {
    const calls = await runEdit(task, play(`calls:${good}`).client, context());
    assert.ok(calls.kind === 'failed');
    assert.match(calls.reason, /not complete; the service ended it with "tool_calls"/);
    const cut = await runEdit(task, play(`cut:${good.slice(0, 60)}`).client, context());
    assert.ok(cut.kind === 'failed' && /cut off/.test(cut.reason));
    const words = await runEdit(task, play('CANNOT: there is no list.').client, context());
    assert.deepEqual(words.kind === 'words' && words.answer, 'there is no list.');
  });

  it('asks the router for a model when the setting says auto, and counts its price', async () => {
    const { client, picks, requests } = play(good);
    const outcome = await runEdit(task, client, context({ model: 'auto' }));
    assert.equal(requests[0]?.model, 'svc-picked');
    assert.match(picks[0] ?? '', /^Edit typescript code: return 0 for an empty list$/);
    assert.ok(
      outcome.kind === 'merged' && Math.abs((outcome.author.cost?.usd ?? 0) - 0.006) < 1e-9,
    );
  });

  it('refuses a selection that fits no prompt before anything is sent', async () => {
    const long = `${'const value = compute(1, 2, 3);\n'.repeat(9000)}x`;
    const { client, requests } = play();
    await assert.rejects(
      runEdit({ ...task, text: long, range: { startLine: 1, endLine: 8000 } }, client, context()),
      (error: unknown) =>
        error instanceof ServiceError &&
        error.kind === 'limit' &&
        /Select fewer lines/.test(error.message),
    );
    assert.equal(requests.length, 0);
  });
});

describe('an edit of a selection', () => {
  const range = { startLine: lineOf('first('), endLine: lineOf('first(') + 2 };
  const within = async (answer: string) => {
    const outcome = await runEdit({ ...task, range }, play(answer, answer).client, context());
    return outcome;
  };

  it('changes its lines', async () => {
    const outcome = await within(good);
    assert.ok(outcome.kind === 'merged');
    assert.equal(outcome.merged.text, text.replace('list[0];', 'list[0] ?? 0;'));
    assert.deepEqual(outcome.merged.findings, []);
  });

  it('is replaced by a snippet without markers', async () => {
    const outcome = await within(
      fenced('export const first = ([head = 0]: number[]): number => head;'),
    );
    assert.ok(outcome.kind === 'merged');
    assert.match(outcome.merged.text, /\nexport const first = .*\n\nexport function second/);
  });

  it('may bring an import, and the review says so', async () => {
    const outcome = await within(
      fenced(`import { a } from './a';
import { b } from './b';
// ... existing code ...
export function first(list: number[]): number {
  return b(list[0]);
}
// ... existing code ...`),
    );
    assert.ok(outcome.kind === 'merged', JSON.stringify(outcome));
    assert.match(
      outcome.merged.text,
      /^import \{ a \} from '\.\/a';\nimport \{ b \} from '\.\/b';\n/,
    );
    assert.match(outcome.merged.text, /return b\(list\[0\]\);/);
    assert.deepEqual(
      outcome.merged.findings.map(({ kind }) => kind),
      ['importChanged'],
    );
  });

  it('leaves out what lies elsewhere, and the review says so', async () => {
    const outcome = await within(
      fenced(`// ... existing code ...
export function first(list: number[]): number {
  return list[0] ?? 0;
}

export function second(list: number[]): number {
  return list[1] ?? 0;
}
// ... existing code ...`),
    );
    assert.ok(outcome.kind === 'merged', JSON.stringify(outcome));
    assert.equal(outcome.merged.text, text.replace('list[0];', 'list[0] ?? 0;'));
    assert.match(
      outcome.merged.findings[0]?.message ?? '',
      /1 line outside of the selection\. That was left out/,
    );
  });

  it('fails when nothing of the edit lies in it', async () => {
    const outcome = await within(
      fenced(
        '// ... existing code ...\nexport function second(list: number[]): number {\n  return list[1] ?? 0;\n}\n',
      ),
    );
    assert.ok(outcome.kind === 'failed', JSON.stringify(outcome));
    assert.match(outcome.reason, /outside the selection/);
  });

  it('fails when a change goes over its border', async () => {
    const outcome = await runEdit(
      { ...task, range: { startLine: range.startLine + 1, endLine: range.startLine + 1 } },
      play(over, over).client,
      context({ engine: 'service' }),
    );
    assert.ok(outcome.kind === 'failed', JSON.stringify(outcome));
    assert.match(
      outcome.reason,
      /changes lines 3 to 5 in one piece, but only lines 4 to 4 are selected/,
    );
  });

  const heads: [string, string, number][] = [
    ['no import', 'a();\n', 0],
    ['comments and an import', "// x\n\nimport a from 'a';\n\nrun();", 4],
    ['an import of several lines', "import {\n  a,\n} from 'a';\nrun();", 3],
    ['a doc string', '"""What\nit does."""\nimport os\nfrom a import (\n  b,\n)\nrun()', 6],
    ['includes', '#include <a.h>\nint main() {}', 1],
  ];
  for (const [name, head, rows] of heads)
    it(`knows where the imports end: ${name}`, () =>
      assert.equal(importsEnd(head.split('\n')), rows));
});

const problem = (line: number): Problem => ({
  severity: 'error',
  message: 'may be undefined',
  startLine: line,
  startColumn: 1,
  endLine: line,
  endColumn: 2,
  related: [],
});

describe('fixing problems in groups', () => {
  const groups = [[problem(lineOf('list[0]'))], [problem(lineOf('list[1]'))]];
  const longer = fenced(`// ... existing code ...
export function first(list: number[]): number {
  const [head] = list;
  return head ?? 0;
}
// ... existing code ...`);
  const second = fenced(`// ... existing code ...
export function second(list: number[]): number {
  return list[1] ?? 0;
}`);

  it('gives one text, and later groups their lines of now', async () => {
    const { client, requests } = play(longer, second);
    const outcome = await runFixes({ ...task, groups }, client, inEnglish());
    assert.ok(outcome.kind === 'merged', JSON.stringify(outcome));
    assert.match(outcome.merged.text, /return head \?\? 0;[^]*return list\[1\] \?\? 0;/);
    assert.match(JSON.stringify(requests[1]), new RegExp(`error, line ${lineOf('list[1]') + 1},`));
    assert.deepEqual(outcome.author.cost, { usd: 0.002, isExact: true });
  });

  it('keeps what one group gave when another one fails', async () => {
    const refused = await runFixes(
      { ...task, groups },
      play('CANNOT: no.', second).client,
      inEnglish(),
    );
    assert.ok(refused.kind === 'merged');
    assert.match(
      refused.merged.findings[0]?.message ?? '',
      /around this line are not fixed\. no\./,
    );
    const broken = await runFixes({ ...task, groups }, play(longer, '!').client, inEnglish());
    assert.ok(broken.kind === 'merged');
    assert.match(
      broken.merged.findings[0]?.message ?? '',
      /from here on are not fixed\. The service has had too many/,
    );
  });

  it('throws what the first call throws', async () => {
    await assert.rejects(
      runFixes({ ...task, groups }, play('!').client, inEnglish()),
      ServiceError,
    );
  });
});

const t = (message: string, ...values: (string | number)[]) =>
  message.replaceAll(/\{(\d)\}/g, (_, n: string) => `${values[Number(n)]}`);

describe('the models for edits', () => {
  it('are the router and the chat models, with speed and price', () => {
    const rows = modelRows(
      {
        models: [
          ...fallbackModels,
          { id: 'svc-v3-fast', use: 'apply', isBeta: false, features: [] },
        ],
      },
      'svc-dsv4flash',
      0.005,
      t,
    );
    assert.deepEqual(
      [rows[0]?.model, rows[1]?.model, rows[2]?.model, rows.at(-1)?.model],
      ['svc-dsv4flash', 'auto', 'svc-gemma4-31b', 'svc-glm53-744b'],
    );
    assert.equal(rows.length, fallbackModels.length + 1);
    assert.deepEqual(
      rows.find(({ model }) => model === defaultEditModel),
      {
        label: 'svc-qwen35-397b',
        description: 'default',
        detail: '~180 tok/s · $0.50 in, $3.50 out per million tokens · window of 262k',
        model: 'svc-qwen35-397b',
      },
    );
    assert.equal(rows[0]?.description, 'in use');
    assert.match(rows[0]?.detail ?? '', /~150 tok\/s .* window of 1M · beta$/);
    assert.match(rows.at(-1)?.detail ?? '', /^price unknown/);
  });

  it('have the default of package.json', () =>
    assert.match(
      readFileSync('package.json', 'utf8'),
      new RegExp(
        `"splice\\.edit\\.model": \\{\\s+"type": "string",\\s+"default": "${defaultEditModel}"`,
      ),
    ));
});
