import assert from 'node:assert/strict';
import { applyEdits } from '../../../../../../src/apply/review/model/rebase';
import { type Hunk, ReviewModel } from '../../../../../../src/apply/review/model/reviewModel';
import { randomOf } from '../../journal/world';
import { codeOf, type Language, languages } from './savedCode';

type Random = (count: number) => number;

function proposalOf({ lines, inserted }: Language, random: Random): string[] {
  const proposed: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const kind = random(12);
    if (kind === 0) proposed.push(line, ...inserted(random(1000)));
    else if (kind === 1) proposed.push(...inserted(random(1000)));
    else if (kind === 2) proposed.push(line.replace(/\b([a-z]+)\d/, '$1Changed'));
    else if (kind > 3) proposed.push(line);
  }
  return proposed;
}

function accept(model: ReviewModel, hunks: readonly Hunk[]): void {
  const now = applyEdits(
    model.current,
    hunks.map(hunk => model.edit(hunk)),
  );
  model.didAccept(hunks, now);
}

function decideSome(model: ReviewModel, random: Random): void {
  for (let count = random(6); count > 0 && model.hunks.length > 1; count--) {
    const start = random(model.hunks.length);
    const hunks = model.hunks.slice(start, start + 1 + random(2));
    if (random(3) === 0) model.reject(hunks.map(({ id }) => id));
    else accept(model, hunks);
  }
}

function save(model: ReviewModel, language: Language, random: Random): string[] {
  const names: string[] = [];
  for (let count = 1 + random(4); count > 0; count--) {
    const [name, format] = language.formatters[random(language.formatters.length)] ?? [];
    if (!name || !format) continue;
    names.push(name);
    model.didChange(format(model.current), false, undefined, true);
  }
  model.didSave();
  return names;
}

function assertWhole(model: ReviewModel): void {
  for (const { at, removed } of model.hunks) {
    assert.deepEqual(model.current.slice(at, at + removed.length), removed);
  }
  assert.deepEqual(ReviewModel.fromJSON(JSON.parse(JSON.stringify(model)))?.hunks, model.hunks);
}

/** Those behind an item that another one follows. */
const commasIn = (lines: readonly string[]) => [...lines.join('\n').matchAll(/,(?=\s*\w)/g)].length;

function undoAll(model: ReviewModel): void {
  for (let undone = model.undo(); undone; undone = model.undo()) {
    if (undone.kind === 'accepted') {
      model.didChange(applyEdits(model.current, undone.edits), false);
    }
  }
}

describe('a partly accepted review of a file that is formatted when it is saved', () => {
  for (const language of languages) {
    it(`has no conflict and loses no change, in 500 reviews of ${language.name}`, () => {
      for (let seed = 1; seed <= 500; seed++) {
        const numbers = randomOf(seed);
        const random = (count: number) => Math.floor(numbers() * count);
        const proposed = proposalOf(language, random);
        const model = new ReviewModel(language.lines, proposed);
        decideSome(model, random);
        const before = model.current;
        const { hunks } = model;
        const wanted = model.proposed();
        const why = `seed ${seed}: ${save(model, language, random).join(', ')}`;

        assertWhole(model);
        assert.deepEqual(
          model.hunks.filter(({ conflict }) => conflict),
          [],
          why,
        );
        assert.equal(codeOf(model.current), codeOf(before), why);
        assert.equal(codeOf(model.proposed()), codeOf(wanted), why);
        assert.equal(commasIn(model.proposed()), commasIn(wanted), why);

        const saved = JSON.stringify(model);
        const all = ReviewModel.fromJSON(JSON.parse(saved));
        assert(all);
        accept(all, all.hunks);
        assert.equal(codeOf(all.current), codeOf(wanted), why);
        undoAll(all);
        assert.equal(codeOf(all.current), codeOf(language.lines), `undone, ${why}`);
        assert.equal(codeOf(all.proposed()), codeOf(proposed), `pending again, ${why}`);
        assert.ok(!all.hunks.some(({ conflict }) => conflict), why);

        undoAll(model);
        assert.equal(codeOf(model.current), codeOf(language.lines), why);
        assert.equal(codeOf(model.proposed()), codeOf(proposed), why);

        const back = ReviewModel.fromJSON(JSON.parse(saved));
        assert(back);
        back.didChange(before, true);
        assert.deepEqual(back.hunks, hunks, why);
        undoAll(back);
        assert.equal(codeOf(back.current), codeOf(language.lines), why);
      }
    });
  }
});
