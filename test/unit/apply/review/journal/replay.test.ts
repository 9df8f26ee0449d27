import assert from 'node:assert/strict';
import { JournalFolder } from '../../../../../src/apply/review/journal/journalFolder';
import {
  decodeJournal,
  encodeEntry,
  type JournalRecord,
} from '../../../../../src/apply/review/journal/records';
import { replay } from '../../../../../src/apply/review/journal/replay';
import { hashLines } from '../../../../../src/apply/review/model/lineEdit';
import { ReviewModel } from '../../../../../src/apply/review/model/reviewModel';
import { ReviewStore } from '../../../../../src/apply/review/store/reviewStore';
import { MemoryDisk } from './memoryDisk';
import { randomOf } from './world';

const original = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
const proposed = ['a', 'B', 'c', 'D', 'e', 'F', 'g'];

/** A journal of a review whose first change is rejected, then lines are typed, then the second is rejected. */
async function journal(): Promise<string[]> {
  const disk = new MemoryDisk();
  const store = new ReviewStore(
    new JournalFolder(disk.mount(), '/r'),
    { writer: 'w', clock: () => 7 },
    { didFail: error => assert.fail(String(error)) },
  );
  const review = store.add('one', new ReviewModel(original, proposed), {
    uri: 'file:///a.ts',
    languageId: 'typescript',
    createdAt: 1,
    origin: { engine: 'local', ms: 1, findings: [] },
  });
  await review.settled();
  await review.reject([1]);
  review.fileChanged(['typed', ...original], false);
  await review.flush();
  await review.reject([2]);
  store.dispose();
  return (disk.files.get('/r/one.journal') ?? '').split('\n').filter(line => line !== '');
}
const told = (lines: readonly string[], end = '\n') => replay(lines.join('\n') + end);
const pending = (lines: readonly string[]) => told(lines)?.model.hunks.map(({ id }) => id);

describe('replay of a journal', () => {
  let lines: string[];
  before(async () => {
    lines = await journal();
    assert.equal(lines.length, 4);
  });

  it('tells of the review as it was', () => {
    const replayed = told(lines);
    assert.deepEqual(replayed?.model.current, ['typed', ...original]);
    assert.deepEqual(pending(lines), [3]);
    assert.equal(replayed.lost, 0);
    assert.equal(replayed.time, 7);
  });

  it('does without a last line that was cut off at any byte', () => {
    const text = lines.join('\n');
    const first = (lines[0] ?? '').length;
    for (let end = first; end < text.length; end += 7) {
      const replayed = replay(text.slice(0, end));
      assert.ok(replayed, `cut at ${end}`);
      assert.equal(replayed.lost, 0);
    }
  });

  it('counts a record once that stands there twice', () => {
    assert.deepEqual(pending(lines.flatMap(line => [line, line])), [3]);
    assert.deepEqual(pending([...lines, ...lines.slice(1, 3)]), [3]);
  });

  it('skips garbage between records, keeps the rest, and counts it', () => {
    const replayed = told([...lines.slice(0, 2), 'garbage \u0000', ...lines.slice(2)]);
    assert.deepEqual(
      replayed?.model.hunks.map(({ id }) => id),
      [3],
    );
    assert.equal(replayed.lost, 1);
  });

  it('keeps rejections apart from the text that a lost record would have told', () => {
    const withoutTyping = [...lines.slice(0, 2), ...lines.slice(3)];
    assert.deepEqual(pending(withoutTyping), [3]);
    assert.deepEqual(told(withoutTyping)?.model.current, original);
    assert.ok((told(withoutTyping)?.lost ?? 0) > 0);
  });

  it('is nothing without its first record', () => {
    assert.equal(told(lines.slice(1)), undefined);
    assert.equal(replay(''), undefined);
  });

  it('loses no pending change to any damaged byte after the first record', () => {
    const random = randomOf(1);
    const text = `${lines.join('\n')}\n`;
    const first = (lines[0] ?? '').length + 1;
    for (let n = 0; n < 300; n++) {
      const at = first + Math.floor(random() * (text.length - first));
      const damaged = `${text.slice(0, at)}\u0007${text.slice(at + 1)}`;
      const replayed = replay(damaged);
      assert.ok(
        replayed?.model.hunks.some(({ id }) => id === 3),
        `damaged at ${at}`,
      );
    }
  });

  it('refuses records of another shape that a checksum would let pass', () => {
    const { entries } = decodeJournal(`${lines.join('\n')}\n`);
    assert.equal(entries.length, 4);
    assert.equal(decodeJournal('00000000 {}\n').damagedLines, 1);
  });
});

/** What a journal of these records tells; an object without a kind sets the number and the time of the next one. */
const entries = (...records: readonly (JournalRecord | { number: number; time?: number })[]) => {
  let number = 0;
  let time = 1;
  let text = '';
  for (const record of records) {
    if ('kind' in record) text += encodeEntry({ writer: 'w', number: number++, time, record });
    else ({ number, time = 1 } = record);
  }
  return replay(text);
};
const pendingIn = (replayed: ReturnType<typeof replay>) =>
  replayed?.model.hunks.map(({ id }) => id);

describe('replay of records that do not fit', () => {
  const model = () => new ReviewModel(original, proposed);
  const meta = { name: 'meta' };
  const checkpoint = { kind: 'checkpoint', meta, state: model().toJSON() } as const;
  const typed = ['typed', ...original];
  const insertion = { at: 0, count: 0, lines: ['typed'] };
  const edited = { kind: 'edited', steps: [[insertion]], hash: hashLines(typed) } as const;
  /** The record of a decision, in the text after `edited`. */
  const rejects = (id: number, steps: unknown = []) => {
    const decided = model();
    decided.didChange(typed, false);
    decided.reject([id]);
    return {
      kind: 'decided',
      steps,
      hash: hashLines(typed),
      state: decided.openState(),
    } as const;
  };
  for (const { what, record } of [
    { what: 'steps that are no list', record: { ...edited, steps: {} } },
    { what: 'a step that is no list', record: { ...edited, steps: [insertion] } },
    {
      what: 'an edit beyond the end of the file',
      record: { ...edited, steps: [[{ at: 8, count: 0, lines: [] }]] },
    },
    { what: 'the hash of another text', record: { ...edited, hash: hashLines(original) } },
    { what: 'a decision without a state', record: { ...rejects(1, edited.steps), state: null } },
    {
      what: 'a decision with the state of another text',
      record: { ...rejects(1, edited.steps), state: model().openState() },
    },
  ] as const)
    it(`does without ${what}, and knows no text from there on`, () => {
      const replayed = entries(checkpoint, record, edited, rejects(2), {
        number: 9,
      });
      assert.deepEqual(replayed?.model.current, original);
      assert.deepEqual(pendingIn(replayed), [1, 3]);
      assert.equal(replayed.lost, 3);
    });

  it('takes the last list of rejections when the text is unknown, if that is one', () => {
    const bad = { ...edited, hash: '' };
    assert.deepEqual(pendingIn(entries(checkpoint, bad, rejects(1), rejects(2))), [1, 3]);
    const damaged = { ...rejects(2), state: { rejected: 2 } };
    assert.deepEqual(pendingIn(entries(checkpoint, bad, rejects(1), damaged)), [2, 3]);
  });

  it('goes on with the next checkpoint, as if nothing had been lost', () => {
    const bad = { ...edited, hash: '' };
    const replayed = entries(checkpoint, bad, rejects(1), checkpoint, edited, rejects(2));
    assert.deepEqual(replayed?.model.current, typed);
    assert.deepEqual(pendingIn(replayed), [1, 3]);
    assert.equal(replayed.lost, 2);
  });

  it('keeps the last good checkpoint, and its data, when a later one is damaged', () => {
    const damaged = { kind: 'checkpoint', meta: 'other', state: {} } as const;
    const replayed = entries(checkpoint, rejects(1, edited.steps), damaged);
    assert.deepEqual(pendingIn(replayed), [2, 3]);
    assert.deepEqual(replayed?.meta, meta);
    assert.equal(replayed?.lost, 1);
  });

  it('counts what stands before the first checkpoint, and gaps, as lost', () => {
    assert.equal(entries(edited, checkpoint)?.lost, 1);
    assert.equal(entries(checkpoint, { number: 2 }, edited)?.lost, 1);
    assert.equal(entries(checkpoint, { number: 0 }, edited)?.model.current.length, 7);
  });

  it('has the time of the last event, whichever clock went wrong', () => {
    const { time } =
      entries(checkpoint, { number: 1, time: 5 }, edited, { number: 2 }, edited) ?? {};
    assert.equal(time, 5);
  });

  it('recognizes the text of an acceptance that was about to be made', () => {
    const accepting = { kind: 'accepting', ids: [1] } as const;
    const accepted = original.with(1, 'B');
    const found = entries(checkpoint, accepting)?.model;
    found?.resume(accepted, true);
    assert.deepEqual(found?.hunks, model().hunks.slice(1));
    assert.equal(found?.takeSteps().length, 1);
    assert.equal(entries(checkpoint, accepting)?.model.toJSON().snapshots.length, 2);
    const lost = entries(checkpoint, { ...edited, hash: '' }, accepting)?.model;
    assert.equal(lost?.toJSON().snapshots.length, 0);
  });

  it('knows what was saved, but not when the text is unknown', () => {
    const saved = { kind: 'saved' } as const;
    assert.deepEqual(entries(checkpoint, edited, saved)?.model.saved.text, typed);
    const unknown = entries(checkpoint, edited, { ...edited, hash: '' }, saved);
    assert.deepEqual(unknown?.model.saved.text, original);
    assert.equal(entries(checkpoint, { kind: 'replaced' })?.isReplaced, true);
    assert.equal(entries(checkpoint)?.isReplaced, false);
  });
});
