import { fileChanges } from '../../../../src/apply/external/core/fileChanges';
import { externalRows } from '../../../../src/apply/external/rows/externalRows';
import type { ListedFile } from '../../../../src/apply/external/rows/groups';
import { reviewsView } from '../../../../src/apply/ids';
import { ReviewModel } from '../../../../src/apply/review/model/reviewModel';
import { type ListedReview, reviewRows } from '../../../../src/apply/review/reviewRows';
import { mergeStatus } from '../../../../src/endpoints/core/endpointsSnapshot';
import { endpointsView } from '../../../../src/endpoints/ids';
import { endpointRows } from '../../../../src/endpoints/tree/endpointRows';
import type { EndpointDetails } from '../../../../src/endpoints/tree/rowsInput';
import { batchRows } from '../../../../src/jobs/batchRows';
import { batchesView, fineTuningView } from '../../../../src/jobs/ids';
import { tuningRows } from '../../../../src/jobs/tuningRows';
import type { RowData } from '../../../../src/platform/tree/rows';
import { searchView } from '../../../../src/search/ids';
import type { SearchNode } from '../../../../src/search/view/nodes';
import { endpointStates } from '../../../../src/service/wire/dedicated';
import { endpoint, event, snapshotOf, startMs, status, t } from '../../endpoints/core/support';

/** What items of each view can have as `contextValue`, from the code that makes them. */
export const contextValues = (): Readonly<Record<string, readonly string[]>> => ({
  [reviewsView]: contextsOf([...allReviewRows(), ...allExternalRows()]),
  [endpointsView]: contextsOf(allEndpointRows()),
  [batchesView]: contextsOf(allBatchRows()),
  [fineTuningView]: contextsOf(allTuningRows()),
  [searchView]: Object.keys(searchKinds),
});

/** Each kind, or the compiler complains. */
const searchKinds: Readonly<Record<SearchNode['kind'], true>> = {
  query: true,
  set: true,
  role: true,
  advice: true,
  turn: true,
  step: true,
  folder: true,
  file: true,
  place: true,
};

const contextsOf = (rows: readonly RowData[]): string[] => [
  ...new Set(rows.flatMap(({ context, children = [] }) => [context, ...contextsOf(children)])),
];

function allReviewRows(): RowData[] {
  const states: readonly ListedReview['state'][] = ['pending', 'dismissed', 'done', 'orphan'];
  const reviews = states.map(
    (state): ListedReview => ({
      id: state,
      fileName: 'a.ts',
      label: 'a.ts',
      state,
      model: new ReviewModel(['a', 'b'], ['a', 'c']),
      size: { added: 1, removed: 1 },
      origin: { findings: [] },
    }),
  );
  const [first] = reviews;
  const changeSet = { id: 'set', createdAt: 0, size: 1, index: 0 };
  return reviewRows({
    reviews: first ? [...reviews, { ...first, id: 'inSet', changeSet }] : reviews,
    refused: [{ setId: 'set', createdAt: 0, parts: [{ part: 'x', reason: 'why' }] }],
    mergedBy: () => '',
    t,
    showCommand: 'show',
    placeCommand: 'place',
  });
}

function allExternalRows(): RowData[] {
  const content = { kind: 'file', id: 'a', size: 1 } as const;
  const file = (path: string, isGenerated: boolean): ListedFile => ({
    id: path,
    label: path,
    pending: {
      path,
      status: 'changed',
      baseline: content,
      now: content,
      version: '1',
      labels: [{ from: 0, to: 0 }],
      isEdited: false,
      isGenerated,
    },
  });
  return externalRows({
    files: [
      file('a', false),
      file('conflict', false),
      file('queued', false),
      file('generated', true),
    ],
    total: 4,
    grouping: 'turn',
    changesOf: () => fileChanges('a', ['a'], ['b']),
    isInConflict: ({ label }) => label === 'conflict',
    isQueued: ({ label }) => label === 'queued',
    now: 0,
    locale: undefined,
    t,
    showCommand: 'show',
  });
}

function allEndpointRows(): RowData[] {
  const ids = [...endpointStates.keys()];
  const connection = { servedModelName: 'm', endpointUrl: 'https://x.test', maxConcurrency: 4 };
  const all = ids.map(state =>
    status(state, state, { connection, events: [event('note.added', startMs)] }),
  );
  const snapshot = all.reduce(
    (merged, one) => mergeStatus(merged, one, startMs),
    snapshotOf(ids.map(state => endpoint(state, state))),
  );
  const details = new Map<string, EndpointDetails>(
    all.map(one => [one.id, { status: one, at: startMs }]),
  );
  const rows = (marked: ReadonlySet<string>) =>
    endpointRows({
      snapshot,
      nowMs: startMs,
      details,
      dismissed: marked,
      watched: marked,
      shownEvents: new Map(),
      t,
      locale: 'en-GB',
      commands: { moreEvents: 'more', retry: 'retry' },
    });
  return [...rows(new Set()), ...rows(new Set(ids))];
}

const common = { filter: new Set<string>(), nowMs: startMs, t, moreCommand: 'more' };
const pagesOf = <T>(items: readonly T[]) => ({ items, unreadable: 0, hasMore: true });

const allBatchRows = (): RowData[] =>
  batchRows({
    ...common,
    pages: pagesOf([{ id: 'b', status: 'failed', metadata: {}, errors: 'It failed.' }]),
    runs: [
      {
        id: 'r',
        title: 'r',
        state: 'following',
        total: 1,
        completed: 0,
        failed: 0,
        startedAt: startMs,
      },
    ],
    runCommand: 'runs',
  });

const allTuningRows = (): RowData[] =>
  ['chosen', 'other'].flatMap(fineTunedModel =>
    tuningRows({
      ...common,
      pages: pagesOf([
        {
          id: fineTunedModel,
          status: 'succeeded',
          labels: [],
          fineTunedModel,
          error: 'It failed.',
        },
      ]),
      chosen: new Set(['chosen']),
    }),
  );
