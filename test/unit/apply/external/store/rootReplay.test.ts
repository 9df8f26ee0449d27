import assert from 'node:assert/strict';
import { absent, contentOf } from '../../../../../src/apply/external/core/content';
import {
  type RootRecord,
  toStoredRecord,
} from '../../../../../src/apply/external/core/rootRecords';
import { emptyState, reduceState } from '../../../../../src/apply/external/core/rootState';
import { replayRoot } from '../../../../../src/apply/external/store/rootReplay';
import { encodeEntry } from '../../../../../src/apply/review/journal/records';

const now = contentOf(new TextEncoder().encode('a'), 'sha1');
const checkpoint: RootRecord = { kind: 'checkpoint', state: emptyState };
const seen = (path: string): RootRecord => ({
  kind: 'files',
  files: [[path, { baseline: absent, now, labels: [] }]],
});
const line = (number: number, record: RootRecord, writer = 'w') =>
  encodeEntry({ writer, number, time: 1, record: toStoredRecord(record) });
const pathsOf = (text: string) => [...replayRoot(text).state.files.keys()];

describe('replayRoot', () => {
  it('has nothing without a journal', () =>
    assert.deepEqual(replayRoot(''), { state: emptyState, isKnown: false, lost: 0 }));

  it('goes through the records of all windows', () => {
    const text =
      line(0, checkpoint) + line(1, seen('p')) + line(0, seen('q'), 'v') + line(2, seen('r'));
    assert.deepEqual(pathsOf(text), ['p', 'q', 'r']);
    assert.equal(replayRoot(text).lost, 0);
  });

  it('takes a record once that was written twice', () => {
    const forgotten: RootRecord = { kind: 'files', files: [['p', null]] };
    const text = line(0, checkpoint) + line(1, seen('p')) + line(2, forgotten) + line(1, seen('p'));
    assert.deepEqual(pathsOf(text), []);
  });

  it('counts records that are missing, damaged or of no known kind, and goes on', () => {
    const text = `${line(0, checkpoint)}${line(2, seen('p'))}damaged\n${line(3, seen('q'))}`;
    assert.deepEqual(pathsOf(text), ['p', 'q']);
    assert.equal(replayRoot(text).lost, 2);
    const foreign = encodeEntry({ writer: 'w', number: 1, time: 1, record: { kind: 'edited' } });
    assert.equal(replayRoot(line(0, checkpoint) + foreign).lost, 1);
  });

  it('knows nothing before the first checkpoint', () => {
    const { isKnown, lost, state } = replayRoot(line(1, seen('p')));
    assert.deepEqual(
      { isKnown, lost, files: state.files.size },
      { isKnown: false, lost: 1, files: 0 },
    );
  });

  it('is the state after some of the records, wherever the journal is cut', () => {
    const records = [checkpoint, seen('p'), seen('q'), seen('r')];
    const lines = records.map((record, at) => line(at, record));
    const text = lines.join('');
    let state = emptyState;
    const states = records.map(record => (state = reduceState(state, record)).files.size);
    for (let cut = 0; cut <= text.length; cut++) {
      const complete = lines.filter(
        (_, at) => lines.slice(0, at + 1).join('').length - 1 <= cut,
      ).length;
      const { state: cutState, lost } = replayRoot(text.slice(0, cut));
      assert.equal(cutState.files.size, complete === 0 ? 0 : states[complete - 1]);
      assert.equal(lost, 0);
    }
  });
});
