import assert from 'node:assert/strict';
import type { MergeFinding } from '../../../../../src/apply/changeset/engine';
import {
  pendingFindings,
  placeFindings,
  shortMessage,
} from '../../../../../src/apply/review/model/findings';
import { applyEdits } from '../../../../../src/apply/review/model/rebase';
import { ReviewModel } from '../../../../../src/apply/review/model/reviewModel';
import { buildReviewView } from '../../../../../src/apply/review/model/reviewView';

const at = (line: number, message = `line ${line}`): MergeFinding => ({
  kind: 'test',
  severity: 'warning',
  message,
  line,
});
const open = () => new ReviewModel('a b c d e f g h'.split(' '), 'a B1 B2 c d e G h'.split(' '));
const textAt = (model: ReviewModel, findings: readonly MergeFinding[]): string[] => {
  const view = buildReviewView(model);
  const rows = ['header', ...view.text.split('\n')];
  return pendingFindings(view, findings, 'unified').map(({ line }) => rows[line] ?? '');
};

describe('findings in a review', () => {
  it('stand at the line of their change', () => {
    const model = open();
    const placed = placeFindings(buildReviewView(model), [at(2), at(3), at(7)]);
    assert.deepEqual(
      placed.map(({ change, lineInChange }) => [change, lineInChange]),
      [
        [1, 0],
        [1, 1],
        [2, 0],
      ],
    );
    assert.deepEqual(textAt(model, placed), ['B1', 'B2', 'G']);
    const proposed = model.proposed();
    const lines = pendingFindings(buildReviewView(model), placed, 'proposed');
    assert.deepEqual(
      lines.map(({ line }) => proposed[line]),
      ['B1', 'B2', 'G'],
    );
  });

  it('stand at the nearest change when their line is not changed', () => {
    const placed = placeFindings(buildReviewView(open()), [at(1), at(4), at(6), at(99)]);
    assert.deepEqual(
      placed.map(({ change }) => change),
      [1, 1, 2, 2],
    );
  });

  it('move with decisions and edits, and end with their change', () => {
    const model = open();
    const placed = placeFindings(buildReviewView(model), [at(3), at(7)]);
    model.didChange(['mine', ...model.current], false);
    assert.deepEqual(textAt(model, placed), ['B2', 'G']);
    const [first] = model.hunks;
    assert(first);
    model.reject([first.id]);
    assert.deepEqual(textAt(model, placed), ['G']);
    const [last] = model.hunks;
    assert(last);
    model.didAccept([last], applyEdits(model.current, [model.edit(last)]));
    assert.deepEqual(textAt(model, placed), []);
  });

  it('stand at the removed lines of a change that only removes', () => {
    const model = new ReviewModel(['a', 'b', 'c'], ['a', 'c']);
    const placed = placeFindings(buildReviewView(model), [at(2)]);
    assert.deepEqual(textAt(model, placed), ['b']);
    assert.deepEqual(pendingFindings(buildReviewView(model), placed, 'proposed')[0]?.line, 1);
  });

  it('are not shown while they belong to no change', () => {
    const view = buildReviewView(open());
    const findings = [at(2), { ...at(3), change: 0 }, { ...at(4), change: 99 }];
    assert.deepEqual(pendingFindings(view, findings, 'unified'), []);
  });

  it('are none where there is no change, and shortened beside a line', () => {
    const view = buildReviewView(new ReviewModel(['a'], ['a']));
    assert.deepEqual(placeFindings(view, [at(1)]), [at(1)]);
    assert.equal(shortMessage(at(1, 'x'.repeat(200))).length, 80);
    assert.equal(shortMessage(at(1, 'short')), 'short');
  });
});
