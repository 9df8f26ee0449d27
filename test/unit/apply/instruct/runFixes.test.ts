import assert from 'node:assert/strict';
import type { Problem } from '../../../../src/apply/instruct/problems';
import { type FixContext, runFixes } from '../../../../src/apply/instruct/runFixes';
import { english } from '../../../../src/base/sentence';
import { ServiceError } from '../../../../src/service/errors';
import { context, fenced, lineOf, play, task } from './playedModel';

const inEnglish = (): FixContext => ({ ...context(), t: english });

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

  it('says of each group what was not fixed, at its line of now and in one line', async () => {
    const third = [problem(lineOf('list[1]') + 1)];
    const seen: [number, number][] = [];
    const outcome = await runFixes(
      { ...task, groups: [...groups, third].toReversed() },
      play(`CANNOT: no,\n${'x'.repeat(400)}`, 'CANNOT: never.', longer).client,
      { ...inEnglish(), onGroup: (nth, count) => seen.push([nth, count]) },
    );
    assert.ok(outcome.kind === 'merged');
    assert.deepEqual(
      outcome.merged.findings.map(({ kind, severity, line, message }) => [
        kind,
        severity,
        line,
        message.length,
      ]),
      [
        [
          'notFixed',
          'warning',
          lineOf('list[1]') + 2,
          'The problems around this line are not fixed. '.length + 300,
        ],
        [
          'notFixed',
          'warning',
          lineOf('list[1]') + 1,
          'The problems around this line are not fixed. never.'.length,
        ],
      ],
    );
    assert.match(outcome.merged.findings[0]?.message ?? '', / no, xxx/);
    assert.deepEqual(seen, [
      [1, 1],
      [2, 1],
      [3, 1],
    ]);
  });

  it('adds up time and cost, which is unknown when one is', async () => {
    const costs = [{ usd: 1, isExact: true }, { usd: 2, isExact: false }, undefined];
    const author = async () => {
      const { client } = play(longer, second);
      let nth = 0;
      let ms = 0;
      const outcome = await runFixes(
        { ...task, groups },
        {
          ...client,
          chat: async (request, options) => {
            const { cost: _, ...answer } = await client.chat(request, options);
            const cost = costs[nth++];
            return { ...answer, ...(cost && { cost }) };
          },
        },
        { ...inEnglish(), now: () => (ms += 7) },
      );
      return outcome.author;
    };
    const { ms, ...both } = await author();
    assert.deepEqual(both, { model: context().model, cost: { usd: 3, isExact: false } });
    assert.equal(ms, 14);
    costs.splice(1, 1);
    assert.deepEqual((await author()).cost, undefined);
    costs.reverse();
    assert.deepEqual((await author()).cost, undefined);
  });

  it('is what the last group says when none changes anything', async () => {
    const words = await runFixes(
      { ...task, groups },
      play('CANNOT: no.', 'CANNOT: never.').client,
      inEnglish(),
    );
    assert.equal(words.kind === 'words' && words.answer, 'never.');
    const none = await runFixes({ ...task, groups: [] }, play().client, inEnglish());
    assert.deepEqual(none, { kind: 'words', answer: '', author: { model: '', ms: 0 } });
  });

  it('says that the service merged a part, with its model, and is certain only as a whole', async () => {
    const twice = fenced(
      '// ... existing code ...\nfoo(bar);\nbaz(qux);\n// ... existing code ...',
    );
    const { client } = play(twice, second);
    const byService = {
      ...client,
      apply: async () => ({ text: `${task.text}\nfoo(bar);\nbaz(qux);\n`, model: 'svc-v3-fast' }),
    };
    const outcome = await runFixes({ ...task, groups }, byService, {
      ...inEnglish(),
      engine: 'auto',
    });
    assert.ok(outcome.kind === 'merged');
    assert.equal(outcome.merged.engine, 'service');
    assert.equal(outcome.merged.model, 'svc-v3-fast');
    assert.equal(outcome.merged.certain, true);
    assert.match(outcome.update, /foo\(bar\);[^]*\nexport function second/);
    assert.match(outcome.merged.text, /list\[1\] \?\? 0[^]*baz\(qux\);\n$/);
  });

  it('stops when the user cancels, whatever is done', async () => {
    const { client } = play(longer);
    let nth = 0;
    const cancelled = Object.assign(new Error('stop'), { name: 'AbortError' });
    await assert.rejects(
      runFixes(
        { ...task, groups },
        {
          ...client,
          chat: async (request, options) => {
            if (nth++ > 0) throw cancelled;
            return client.chat(request, options);
          },
        },
        inEnglish(),
      ),
      cancelled,
    );
  });

  it('throws what the first call throws', async () => {
    await assert.rejects(
      runFixes({ ...task, groups }, play('!').client, inEnglish()),
      ServiceError,
    );
  });
});
