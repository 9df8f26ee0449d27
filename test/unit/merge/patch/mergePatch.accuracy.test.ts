import assert from 'node:assert/strict';
import { createPatch } from 'diff';
import { written } from '../../../../src/base/sentence';
import { applyUnifiedDiff, mergePatch } from '../../../../src/merge/patch/mergePatch';
import { type Attempt, attemptAll } from '../../../bench/accuracy';
import { assertApproved } from '../../../support/unit/approved';

const attempts = attemptAll().filter(({ style }) => style === 'two lines of context');

/** A diff with as many lines of context, from the first hunk header on. */
const diffOf = ({ original, wanted }: Attempt, context: number): string =>
  createPatch('f', original, wanted, '', '', { context }).split('\n').slice(4).join('\n');

/** What models make of a diff. */
const forms: Record<string, (diff: string, attempt: Attempt) => string> = {
  'as it is': diff => diff,
  'with file headers in a fence': diff => `\`\`\`diff\n--- a/f\n+++ b/f\n${diff}\`\`\`\n`,
  'with wrong numbers': diff =>
    diff.replace(/^@@ -(\d+),\d+ \+(\d+),\d+/gm, (_, a, b) => `@@ -${+a + 7},9 +${+b + 7},9`),
  'without numbers': diff => diff.replace(/^@@.*@@/gm, '@@'),
  'with stripped blanks': diff => diff.replace(/^ $/gm, ''),
  'with trailing blanks': diff => diff.replace(/^( .*\S)$/gm, '$1  '),
  'without the marks of context': diff => diff.replace(/^ (?=\S)/gm, ''),
  'with a marker for lines left out': diff =>
    diff.replace(/^@@/gm, ' // ... existing code ...\n@@'),
  'with words around it': diff => `Here is the change:\n\n${diff}\nThat is all.`,
  'for another file': diff => diff.replace(/^([ -]).*\S.*$/gm, '$1other $&'),
  'with one line of context changed': diff => diff.replace(/^ .*\S.*$/m, ' something else'),
  'as a patch of blocks': (diff, { title }) =>
    `*** Begin Patch\n*** Update File: ${title.split(',')[0]}\n${diff.replace(/^@@.*@@/gm, '@@')}*** End Patch\n`,
};

/** A search/replace block per hunk. */
const blocksOf = (diff: string): string =>
  diff
    .split(/^@@.*\n/m)
    .slice(1)
    .map(hunk => {
      const side = (marks: string): string =>
        hunk
          .split('\n')
          .filter(line => line !== '' && marks.includes(line[0] ?? ''))
          .map(line => `${line.slice(1)}\n`)
          .join('');
      return `<<<<<<< SEARCH\n${side(' -')}=======\n${side(' +')}>>>>>>> REPLACE\n`;
    })
    .join('\n');

const outcomeOf = (
  { wanted }: Attempt,
  result: ReturnType<typeof applyUnifiedDiff> | undefined,
): string =>
  result === undefined
    ? 'no patch'
    : result.kind === 'refused'
      ? `refused: ${written(result.reason)}`
      : `${result.text === wanted ? 'right' : 'wrong'}, ${result.certain ? 'certain' : 'not certain'}`;

describe('patches of the set of the benchmark', () => {
  // Without context, a wrong number is all that there is to go by.
  for (const context of [1, 3])
    it(`are never certain and wrong, with ${context} lines of context`, () => {
      for (const [name, form] of Object.entries(forms))
        for (const attempt of attempts) {
          const diff = form(diffOf(attempt, context), attempt);
          const outcome = outcomeOf(attempt, mergePatch(attempt.original, diff));
          assert.notEqual(outcome, 'wrong, certain', `${attempt.title}, ${name}`);
        }
    });

  it('apply exactly as they are', () => {
    for (const attempt of attempts) {
      const result = applyUnifiedDiff(attempt.original, diffOf(attempt, 3));
      assert.equal(outcomeOf(attempt, result), 'right, certain', attempt.title);
      const text = attempt.original.replaceAll('\n', '\r\n');
      const other = applyUnifiedDiff(text, diffOf(attempt, 3));
      assert.equal(other.kind === 'merged' && other.text, attempt.wanted.replaceAll('\n', '\r\n'));
    }
  });

  it('end as they did in every form', () => {
    const lines = Object.entries(forms).flatMap(([name, form]) =>
      [0, 1, 3].flatMap(context => {
        const outcomes = new Map<string, string[]>();
        for (const attempt of attempts) {
          const diff = form(diffOf(attempt, context), attempt);
          const outcome = outcomeOf(attempt, mergePatch(attempt.original, diff));
          outcomes.set(outcome, [...(outcomes.get(outcome) ?? []), attempt.title]);
        }
        return [
          `== ${name}, ${context} lines of context`,
          ...[...outcomes].map(([outcome, titles]) =>
            titles.length > 6 ? `${titles.length} ${outcome}` : `${outcome}: ${titles.join('; ')}`,
          ),
        ];
      }),
    );
    assertApproved('patchForms', [...lines, ''].join('\n'));
  });

  it('may be blocks of search and replace', () => {
    const lines = [0, 1, 2, 3].flatMap(context => [
      `== ${context} lines of context`,
      ...attempts.map(
        attempt =>
          `${attempt.title}: ${outcomeOf(attempt, mergePatch(attempt.original, blocksOf(diffOf(attempt, context))))}`,
      ),
    ]);
    assert.ok(!lines.some(line => line.endsWith('wrong, certain')));
    assertApproved('patchBlocks', [...lines, ''].join('\n'));
  });
});
