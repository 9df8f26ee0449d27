import assert from 'node:assert/strict';
import path from 'node:path';
import { type LocalResult, localSearch } from '../../../../src/search/local/localSearch';
import { assertApproved } from '../../../support/unit/approved';
import { readSearchProject, searchQuestions } from '../../../support/unit/searchProject';
import { commitAll } from '../repository';
import { TestWorkspace } from '../workspace';

/**
 * Up to 10,000 points: 5,000 for the first right file at the first place, half as much at the second
 * and so on; 2,000 for the share of right files among the first three; 1,000 for the line; 2,000 for
 * how far the best right file is ahead of the best wrong one.
 */
function pointsOf(
  results: readonly LocalResult[],
  right: readonly string[],
  showsLine: boolean,
): number {
  const paths = [...new Set(results.map(result => result.path))];
  const place = paths.findIndex(file => right.includes(file));
  if (place < 0) return 0;
  const found = paths.slice(0, 3).filter(file => right.includes(file)).length;
  const scoreOf = (isRight: boolean): number =>
    Math.max(
      0,
      ...results.filter(one => right.includes(one.path) === isRight).map(one => one.score),
    );
  const lead = scoreOf(true) / (scoreOf(true) + scoreOf(false));
  return (
    5000 / (place + 1) +
    (2000 * found) / Math.min(3, right.length) +
    1000 * Number(showsLine) +
    2000 * lead
  );
}

describe('localSearch on an invented project', () => {
  const { files, commits } = readSearchProject();
  let workspace: TestWorkspace;
  before(() => {
    workspace = new TestWorkspace(files);
    commitAll(workspace.root, commits);
  });
  after(() => workspace.remove());

  async function search(question: string, withHistory: boolean): Promise<LocalResult[]> {
    const { root } = workspace;
    let usedHistory = false;
    const results = await localSearch(root, question, {
      limit: 10,
      rgPath: path.join(root, 'no-such-program'),
      ...(withHistory ? { git: { dir: root, rev: 'HEAD' } } : {}),
      onSummary: summary => {
        usedHistory = summary.usedHistory;
      },
    });
    assert.equal(usedHistory, withHistory);
    return results;
  }

  it('shows the same places', async () => {
    const lines: string[] = [];
    for (const withHistory of [false, true])
      for (const [question] of searchQuestions) {
        lines.push(`== ${question}${withHistory ? ', with a history' : ''}`);
        for (const one of (await search(question, withHistory)).slice(0, 8))
          lines.push(`${one.path}:${one.startLine}-${one.endLine} ${one.score.toFixed(3)}`);
      }
    assertApproved('searchAnswers', [...lines, ''].join('\n'));
  });

  async function points(withHistory: boolean): Promise<{ total: number; report: string }> {
    let total = 0;
    const report: string[] = [];
    for (const [question, right, line] of searchQuestions) {
      const results = await search(question, withHistory);
      const showsLine =
        line === undefined ||
        results.some(
          one =>
            one.path === right[0] &&
            (files[one.path] ?? '')
              .split('\n')
              .slice(one.startLine - 1, one.endLine)
              .join('\n')
              .includes(line),
        );
      const score = pointsOf(results, right, showsLine);
      total += score;
      report.push(
        `${Math.round(score)} ${question}: ${[...new Set(results.map(one => one.path))].slice(0, 4).join(' ')}`,
      );
    }
    return { total: Math.floor(total / searchQuestions.length), report: report.join('\n') };
  }

  // Raise a number when the search has become better. Lowering one needs a reason.
  it('is as good as it was without a history', async () => {
    const { total, report } = await points(false);
    assert.ok(total >= 9077, `${total} of 10,000 points\n${report}`);
  });

  it('is as good as it was with a history', async () => {
    const { total, report } = await points(true);
    assert.ok(total >= 8825, `${total} of 10,000 points\n${report}`);
  });
});
