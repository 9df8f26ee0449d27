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

  it('throws what the first call throws', async () => {
    await assert.rejects(
      runFixes({ ...task, groups }, play('!').client, inEnglish()),
      ServiceError,
    );
  });
});
