import assert from 'node:assert/strict';
import { JournalFolder } from '../../../../../src/apply/review/journal/journalFolder';
import type { JournaledReview } from '../../../../../src/apply/review/model/journaledReview';
import { hashLines } from '../../../../../src/apply/review/model/lineEdit';
import { changedLines } from '../../../../../src/apply/review/model/lineSnapshot';
import { applyEdits } from '../../../../../src/apply/review/model/rebase';
import { ReviewModel } from '../../../../../src/apply/review/model/reviewModel';
import { EndedReviews } from '../../../../../src/apply/review/store/endedReviews';
import { ReviewStore } from '../../../../../src/apply/review/store/reviewStore';
import { splitLines } from '../../../../../src/base/text/textLines';
import { cpuOf } from '../../../../support/unit/cpuTime';
import { MemoryDisk } from '../journal/memoryDisk';

const count = 5_000;
const original = Array.from({ length: count }, (_, n) => `const value${n} = ${n};`);
const proposedBy = (review: number): string[] =>
  original.map((line, n) => (n % 500 === 7 + review ? `${line} // ${review}` : line));
const uri = 'file:///large.ts';
const typed = (line: number) => {
  const place = { line, character: 3 };
  return { range: { start: place, end: place }, text: 'x' };
};

const make = (id: string, journaled: JournaledReview) => ({ id, journaled });

/** An array that counts how often somebody reads one of its elements. */
function counted(lines: readonly string[]): { lines: readonly string[]; reads: () => number } {
  let reads = 0;
  const proxy = new Proxy(lines, {
    get(target, key, receiver) {
      if (typeof key === 'string' && /^\d+$/.test(key)) reads++;
      return Reflect.get(target, key, receiver) as unknown;
    },
  });
  return { lines: proxy, reads: () => reads };
}

describe('typing in a file under review', () => {
  it('reads no line of the file for a review, when the editor tells what changed', () => {
    const before = counted(original);
    const model = new ReviewModel(before.lines, proposedBy(0));
    const after = counted(original.with(2000, 'x'));
    const start = before.reads();
    const edits = [{ at: 2000, count: 1, lines: ['x'] }];
    assert.equal(model.didChange(after.lines, false, { before: before.lines, edits }), 'rebased');
    assert.equal(before.reads() - start, 0);
    assert.equal(after.reads(), 0);
    assert.equal(model.current, after.lines);
  });

  it('compares the lines where it missed a change', () => {
    const model = new ReviewModel(['a', 'b'], ['a', 'B']);
    const change = { before: ['other'], edits: [{ at: 0, count: 1, lines: ['x'] }] };
    model.didChange(['new', 'a', 'b'], false, change);
    assert.equal(model.hunks[0]?.at, 2);
  });

  it('takes less time with 20 reviews than to split the text once for each key', () => {
    const text = original.join('\n');
    const models = Array.from({ length: 20 }, (_, n) => new ReviewModel(original, proposedBy(n)));
    let lines: readonly string[] = original;
    for (const model of models) model.didChange(lines, false);
    let key = 0;
    const press = () => {
      for (let n = 0; n < 50; n++) {
        const before = lines;
        const changed = changedLines(before, [typed(1000 + (key++ % 3))]);
        assert.ok(changed);
        lines = changed.lines;
        for (const model of models) model.didChange(lines, false, { before, edits: changed.edits });
      }
    };
    const split = () => {
      for (let n = 0; n < 50; n++) splitLines(text);
    };
    // In turns, and the least of some: a collection of garbage or a busy machine hits only some.
    let own = Infinity;
    let reference = Infinity;
    for (let round = 0; round < 12; round++) {
      reference = Math.min(reference, cpuOf(split));
      own = Math.min(own, cpuOf(press));
    }
    assert.ok(own < 2 * reference, `${own} ms next to ${reference} ms`);
    assert.deepEqual(models[3]?.hunks.length, 10);
  });

  it('looks at no ended review but those whose text came back, and reads only these again', async () => {
    const disk = new MemoryDisk();
    let reads = 0;
    const ops = disk.mount();
    const store = new ReviewStore(
      new JournalFolder(
        {
          ...ops,
          read: async file => {
            reads++;
            return ops.read(file);
          },
        },
        '/reviews',
      ),
      { writer: 'w', clock: () => 0 },
      { didFail: error => assert.fail(String(error)) },
    );
    const ended = new EndedReviews(store, make);
    const texts: (readonly string[])[] = [];
    let lines: readonly string[] = ['start'];
    for (let n = 0; n < 50; n++) {
      const review = store.add(`r${n}`, new ReviewModel(lines, [...lines, `line ${n}`]), {
        uri,
        languageId: 'text',
        createdAt: n,
        origin: { engine: 'local', ms: 1, findings: [] },
      });
      texts.push(lines);
      await review.accept(review.model.hunks, {
        lines: () => lines,
        edit: async edits => void (lines = applyEdits(lines, edits)),
      });
      ended.add(make(`r${n}`, review));
    }
    await ended.saved(uri);
    const knows = (text: readonly string[]) => ended.knows(uri, () => hashLines(text));
    assert.equal(knows(['typed', ...lines]), false);
    assert.equal(knows(lines), false);
    assert.equal(knows(texts[49] ?? []), true);
    assert.equal(
      ended.knows('file:///other.ts', () => assert.fail('hashed for nothing')),
      false,
    );
    assert.equal(reads, 0);
    const back = await ended.recall(uri, hashLines(texts[49] ?? []));
    assert.equal(back?.id, 'r49');
    assert.ok(reads <= 2, `${reads} reads`);
    assert.ok(back.journaled.fileChanged(texts[49] ?? [], true));
    assert.equal(back.journaled.model.hunks.length, 1);
    ended.closed(uri);
    assert.equal(knows(texts[40] ?? []), false);
    store.dispose();
  });
});
