import assert from 'node:assert/strict';
import {
  defaultEditModel,
  type EditProgress,
  runEdit,
} from '../../../../src/apply/instruct/runEdit';
import { ServiceError } from '../../../../src/service/errors';
import { context, fenced, foreign, good, lineOf, overCode, play, task, text } from './playedModel';

const over = fenced(overCode);

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

  it('tells the router what is to be done and no more of the file, and does without its choice', async () => {
    const { client } = play(good);
    const sent: unknown[] = [];
    const outcome = await runEdit(
      { ...task, instruction: 'y'.repeat(5000), problems: [] },
      {
        ...client,
        pickModel: async (request, options) => {
          sent.push([request.input.length, request.defaultModel, options.sending]);
          const { cost: _, ...pick } = await client.pickModel(request, options);
          return { ...pick, model: undefined };
        },
        chat: async (request, options) => {
          sent.push(options.sending);
          return client.chat(request, options);
        },
      },
      context({ model: 'auto', clearance: { secrets: 'withhold' } }),
    );
    assert.deepEqual(sent, [
      [4000, defaultEditModel, { purpose: 'pickModel', secrets: 'withhold' }],
      { purpose: 'edit', files: [], secrets: 'withhold' },
    ]);
    assert.deepEqual(outcome.author, { model: defaultEditModel, ms: 0 });
  });

  it('names the problems to the router', async () => {
    const at = { startLine: 4, startColumn: 1, endLine: 4, endColumn: 2 };
    const problems = [{ severity: 'error' as const, message: 'too short', related: [], ...at }];
    const { client, picks } = play(good);
    await runEdit({ ...task, problems }, client, context({ model: 'auto' }));
    assert.deepEqual(picks, [
      'Edit typescript code: return 0 for an empty list\n1. error, line 4, columns 1 to 2: too short',
    ]);
  });

  it('shows how much is thought and written, and waits that the service asks for', async () => {
    const { client } = play(good);
    const seen: EditProgress[] = [];
    let ms = 0;
    const outcome = await runEdit(
      task,
      {
        ...client,
        chat: async (request, options) => {
          const say = (words: string, reasoning: string) =>
            options.onDelta?.({ text: words, reasoning, toolCalls: [] });
          say('', 'hm');
          say('', 'well');
          say('a\nb', '');
          say('\nc\n', '');
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the edit reads only the time
          options.onWait?.({ retryAt: 99, attempt: 1 } as never);
          return client.chat(request, { ...options, onDelta: () => {} });
        },
      },
      context({ onProgress: one => seen.push(one), now: () => (ms += 5) }),
    );
    const model = defaultEditModel;
    assert.deepEqual(seen, [
      { phase: 'thinking', model, characters: 2, lines: 0 },
      { phase: 'thinking', model, characters: 6, lines: 0 },
      { phase: 'writing', model, characters: 3, lines: 2 },
      { phase: 'writing', model, characters: 6, lines: 4 },
      { phase: 'waiting', retryAt: 99 },
      { phase: 'merging' },
    ]);
    assert.equal(outcome.author.ms, 5);
  });

  it('warns of code for other files', async () => {
    const answer = `${good}\n\n**src/other.ts**\n${fenced('const b = 2;')}`;
    const outcome = await runEdit(task, play(answer).client, context());
    assert.ok(outcome.kind === 'merged');
    assert.deepEqual(
      outcome.merged.findings.map(({ kind, severity, line, message }) => [
        kind,
        severity,
        line,
        message,
      ]),
      [
        [
          'otherFile',
          'warning',
          1,
          'The model also wrote code for src/other.ts. That was left out.',
        ],
      ],
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
});
