import assert from 'node:assert/strict';
import { JournalFolder } from '../../../../../src/apply/review/journal/journalFolder';
import { decodeJournal } from '../../../../../src/apply/review/journal/records';
import { replay } from '../../../../../src/apply/review/journal/replay';
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
