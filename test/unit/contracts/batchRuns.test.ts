import assert from 'node:assert/strict';
import { batchRunIcon } from '../../../src/contracts/batchRunIcon';
import {
  type BatchRunState,
  type BatchRunSummary,
  BatchRuns,
} from '../../../src/contracts/batchRuns';
import { chatModelOf, ReadyEndpoints } from '../../../src/contracts/readyEndpoints';

const run = (
  id: string,
  startedAt: number,
  state: BatchRunState = 'following',
): BatchRunSummary => ({
  id,
  title: id,
  state,
  startedAt,
});

describe('BatchRuns', () => {
  it('are listed with the newest first, each once', () => {
    const runs = new BatchRuns();
    for (const one of [run('b', 20), run('c', 30), run('a', 10)]) runs.set(one);
    runs.set(run('b', 20, 'done'));
    assert.deepEqual(
      runs.all.map(({ id, state }) => `${id} ${state}`),
      ['c following', 'b done', 'a following'],
    );
    runs.remove('c');
    assert.deepEqual(
      runs.all.map(({ id }) => id),
      ['b', 'a'],
    );
  });

  it('tell of each change, until nobody listens', () => {
    const runs = new BatchRuns();
    let changes = 0;
    const listening = runs.onDidChange(() => changes++);
    runs.set(run('a', 1));
    runs.remove('a');
    assert.equal(changes, 2);
    runs.remove('a');
    assert.equal(changes, 2);
    listening.dispose();
    runs.set(run('a', 1));
    assert.equal(changes, 2);
  });
});

describe('the icon of a batch run', () => {
  it('tells its state, in color where the run has ended', () => {
    for (const [state, id, color] of [
      ['uploading', 'cloud-upload', undefined],
      ['following', 'loading~spin', undefined],
      ['fetching', 'cloud-download', undefined],
      ['done', 'pass-filled', 'testing.iconPassed'],
      ['stopped', 'circle-slash', 'disabledForeground'],
      ['failed', 'error', 'testing.iconFailed'],
      ['noResults', 'warning', 'problemsWarningIcon.foreground'],
    ] as const) {
      const icon = batchRunIcon(state);
      assert.deepEqual([icon.id, icon.color], [id, color], state);
    }
  });

  it('warns of a finished run in which rows failed, and of no other', () => {
    assert.equal(batchRunIcon('done', 1).id, 'warning');
    assert.equal(batchRunIcon('done', 0).id, 'pass-filled');
    assert.equal(batchRunIcon('following', 1).id, 'loading~spin');
  });
});

describe('ReadyEndpoints', () => {
  it('tell when the set has changed, whatever its order', () => {
    const ready = new ReadyEndpoints();
    let changes = 0;
    const listening = ready.onChange(() => changes++);
    const told = [['a', 'b'], ['b', 'a'], ['a'], ['a'], [], ['b', 'c'], ['bc']].map(ids => {
      ready.seen(ids);
      return changes;
    });
    assert.deepEqual(told, [1, 1, 2, 2, 3, 4, 5]);
    listening.dispose();
    ready.seen(['c']);
    assert.equal(changes, 5);
  });

  it('have an id of their own among the chat models', () => {
    assert.equal(chatModelOf('ep-1'), 'endpoint:ep-1');
  });
});
