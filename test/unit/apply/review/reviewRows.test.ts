import assert from 'node:assert/strict';
import { ReviewModel } from '../../../../src/apply/review/model/reviewModel';
import {
  type ListedRefusals,
  type ListedReview,
  reviewRows,
} from '../../../../src/apply/review/reviewRows';
import type { RowData } from '../../../../src/platform/tree/rows';

const base = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
const changed = ['one', 'TWO', 'three', 'four', 'five', 'six', 'eight', 'nine', 'ten'];

const review = (given: Partial<ListedReview> = {}): ListedReview => ({
  id: 'r1',
  fileName: 'cart.ts',
  label: 'src/cart.ts',
  state: 'pending',
  model: new ReviewModel(base, changed),
  size: { added: 2, removed: 2 },
  origin: { findings: [] },
  ...given,
});

const t = (message: string, ...values: (string | number)[]): string =>
  message.replace(/\{(\d)\}/g, (_, n: string) => `${values[Number(n)]}`);
const rows = (...reviews: ListedReview[]): RowData[] => rowsWith([], reviews);
const rowsWith = (refused: readonly ListedRefusals[], reviews: readonly ListedReview[]) =>
  reviewRows({
    reviews,
    refused,
    mergedBy: () => 'merged locally',
    t,
    showCommand: 'show',
    placeCommand: 'place',
  });
const text = (list: readonly RowData[], indent = ''): string[] =>
  list.flatMap(row => [
    `${indent}${row.icon?.id} ${row.label} [${row.description}] ${row.context}`,
    ...text(row.children ?? [], `${indent}  `),
  ]);

/** Icon and last words of a review with such findings. */
function found(...severities: readonly ('error' | 'warning')[]): (string | undefined)[] {
  const findings = severities.map(severity => ({
    kind: 'marker' as const,
    severity,
    message: '',
    line: 3,
  }));
  const [row] = rows(review({ origin: { findings } }));
  return [row?.icon?.id, row?.spoken?.split(', ').slice(4).join(', ')];
}

describe('the view of reviews', () => {
  it('shows each file with its open changes, and what waits before what was closed', () => {
    const closed = review({ id: 'r2', fileName: 'old.ts', state: 'dismissed' });
    const gone = review({ id: 'r3', fileName: 'gone.ts', state: 'orphan' });
    assert.deepEqual(text(rows(gone, closed, review())), [
      'git-compare cart.ts [3 changes · +2 −2] ;review;pending;',
      '  diff-modified Line 2 [+1 −1 · TWO] ;change;pending;',
      '  diff-removed Line 7 [+0 −1 · seven] ;change;pending;',
      '  diff-added Line 10 [+1 −0 · ten] ;change;pending;',
      'history old.ts [closed · 3 changes · +2 −2] ;review;dismissed;',
      '  diff-modified Line 2 [+1 −1 · TWO] ;change;dismissed;',
      '  diff-removed Line 7 [+0 −1 · seven] ;change;dismissed;',
      '  diff-added Line 10 [+1 −0 · ten] ;change;dismissed;',
      'circle-slash gone.ts [file is gone · 3 changes · +2 −2] ;review;orphan;',
      '  diff-modified Line 2 [+1 −1 · TWO] ;change;orphan;',
      '  diff-removed Line 7 [+0 −1 · seven] ;change;orphan;',
      '  diff-added Line 10 [+1 −0 · ten] ;change;orphan;',
    ]);
  });

  it('shows an answer with its files in their order, and what was not applied', () => {
    const at = new Date(2026, 10, 22, 14, 2, 7).getTime();
    const inSet = (index: number, given: Partial<ListedReview>) =>
      review({ ...given, changeSet: { id: 's1', createdAt: at, size: 3, index } });
    const [created, renamed] = [
      inSet(1, {
        id: 'r5',
        fileName: 'new.ts',
        model: new ReviewModel([''], ['a', '']),
        size: { added: 1, removed: 0 },
        operation: { kind: 'create', uri: 'file:///new.ts', showsPath: false },
      }),
      inSet(2, {
        id: 'r6',
        fileName: 'a.ts',
        model: new ReviewModel(['a.ts'], ['b c.ts']),
        operation: {
          kind: 'rename',
          uri: 'file:///a.ts',
          newUri: 'file:///b%20c.ts',
          showsPath: true,
        },
      }),
    ];
    const refused = [
      { setId: 's1', createdAt: at, parts: [{ part: 'code', reason: 'No place.', path: 'x.ts' }] },
      { setId: 's0', createdAt: at - 1000, parts: [{ part: 'more', reason: 'No file.' }] },
    ];
    const edited = inSet(0, { id: 'r4' });
    assert.deepEqual(text(rowsWith(refused, [renamed, review(), created, edited])), [
      'warning Answer at 14:02:07 [to review: 3 · 5 changes · not applied: 1] ;set;',
      '  git-compare cart.ts [3 changes · +2 −2] ;review;pending;',
      '    diff-modified Line 2 [+1 −1 · TWO] ;change;pending;',
      '    diff-removed Line 7 [+0 −1 · seven] ;change;pending;',
      '    diff-added Line 10 [+1 −0 · ten] ;change;pending;',
      '  diff-added new.ts [new file · +1 −0] ;review;pending;',
      '  diff-renamed a.ts [renamed to b c.ts] ;review;pending;',
      '  circle-slash Not applied: x.ts [No place.] ;refused;',
      'warning Answer at 14:02:06 [not applied: 1] ',
      '  circle-slash Not applied [No file.] ;refused;',
      'git-compare cart.ts [3 changes · +2 −2] ;review;pending;',
      '  diff-modified Line 2 [+1 −1 · TWO] ;change;pending;',
      '  diff-removed Line 7 [+0 −1 · seven] ;change;pending;',
      '  diff-added Line 10 [+1 −0 · ten] ;change;pending;',
    ]);
    const [row] = rowsWith(refused, []);
    assert.deepEqual(row?.children?.[0]?.command?.args, ['s1', 0]);
  });

  it('shows and says what becomes of a file that is deleted', () => {
    const [row] = rows(
      review({
        operation: { kind: 'delete', uri: 'file:///cart.ts', showsPath: false },
        size: { added: 0, removed: 9 },
      }),
    );
    assert.equal(row?.description, 'deleted · +0 −9');
    assert.equal(row?.spoken, 'src/cart.ts, deleted, lines added: 0, removed: 9, audit clean');
    assert.deepEqual(row?.children, []);
  });

  it('says which part of an answer was not applied, and why', () => {
    const parts = [{ part: 'code', reason: 'No place.', path: 'x.ts' }];
    const [row] = rowsWith(
      [{ setId: 's', createdAt: new Date(2026, 10, 22, 14, 2, 7).getTime(), parts }],
      [],
    );
    assert.equal(row?.spoken, 'Answer at 14:02:07, not applied: 1');
    assert.equal(row?.children?.[0]?.spoken, 'Not applied: x.ts, No place.');
  });

  it('shows the first line with a word of a change', () => {
    for (const [lines, shown] of [
      [['{', '  first();', '  second();', '}'], 'first();'],
      [[], 'two'],
    ] as const) {
      const model = new ReviewModel(['', 'two', 'three'], [...lines]);
      const [row] = rows(review({ model }));
      assert.ok(row?.children?.[0]?.description?.endsWith(` · ${shown}`), shown);
    }
  });

  it('opens the review, or a change of it, also when the file is gone', () => {
    for (const state of ['pending', 'orphan'] as const) {
      const given = review({ state });
      const [row] = rows(given);
      assert.deepEqual(row?.command?.args, ['r1']);
      assert.deepEqual(row?.children?.[1]?.command?.args, ['r1', given.model.hunks[1]?.id]);
    }
  });

  it('says in words what signs and colours say', () => {
    const message = 'the marker was left in the file';
    const [row] = rows(
      review({
        origin: { findings: [{ kind: 'marker', severity: 'error', message, line: 3 }] },
      }),
    );
    assert.equal(row?.icon?.id, 'error');
    assert.equal(row?.spoken, 'src/cart.ts, 3 changes, lines added: 2, removed: 2, audit: 1 error');
    assert.match(row?.tooltip ?? '', /^audit: 1 error$/m);
    assert.equal(row?.children?.[0]?.spoken, 'Line 2, lines added: 1, removed: 1, TWO');
  });

  it('says whether findings are errors or warnings, not by the icon alone', () => {
    assert.deepEqual(found(), ['git-compare', 'audit clean']);
    assert.deepEqual(found('warning'), ['warning', 'audit: 1 warning']);
    assert.deepEqual(found('warning', 'error', 'warning'), ['error', 'audit: 1 error, 2 warnings']);
  });

  it('marks a change whose lines the user has edited', () => {
    const model = new ReviewModel(base, changed);
    model.didChange(['one', 'mine', ...base.slice(2)], false);
    const [row] = rows(review({ model }));
    assert.match(row?.description ?? '', /1 on lines that you changed$/);
    assert.equal(row?.children?.[0]?.icon?.id, 'warning');
    assert.match(row?.children?.[0]?.description ?? '', /you changed these lines/);
  });

  it('shows no text of a file as an icon or a link', () => {
    const model = new ReviewModel([''], ['$(alert) [x](command:y)']);
    const [row] = rows(review({ model }));
    assert.doesNotMatch(row?.children?.[0]?.description ?? '', /\$\(|\]\(/);
  });
});
