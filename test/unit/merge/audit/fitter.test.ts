import assert from 'node:assert/strict';
import { LineCodes, Postings } from '../../../../src/merge/audit/auditText';
import { Fitter, type RequiredEnds } from '../../../../src/merge/audit/fitter';

const words = ['alpha();', 'beta();', 'gamma();', 'delta();', 'omega();'];
const ends = (top: boolean, bottom: boolean) => ({ top, bottom });
const [free, both] = [ends(false, false), ends(true, true)];

interface Given {
  readonly original?: readonly string[];
  readonly from?: number;
  readonly to?: number;
  readonly required?: RequiredEnds;
}

function fitOf(
  section: readonly string[],
  { original = words, from = 0, to, required = free }: Given = {},
) {
  const codes = new LineCodes();
  const before = codes.ofLines(original);
  const shown = codes.ofLines(section);
  const fitter = new Fitter(before, new Postings(before.codes, codes.count));
  const fit = fitter.fit(shown, from, to ?? original.length, required);
  return { fit, fitter, shown };
}

function fits(
  wanted: readonly [start: number, end: number, score: number],
  ...given: Parameters<typeof fitOf>
): void {
  const { fit } = fitOf(...given);
  assert.ok(fit);
  assert.deepEqual([fit.start, fit.end], wanted.slice(0, 2));
  assert.ok(Math.abs(fit.score - wanted[2]) < 1e-6, `${fit.score}`);
}

describe('the fit of a section', () => {
  it('is best at its lines', () => {
    fits([1, 3, 2], ['beta();', 'gamma();']);
    fits([0, 5, 5], words);
    fits([1, 3, 2], ['beta();', 'qqqqqqqqqqq = 12345', 'gamma();']);
  });

  it('is within the range', () => {
    fits([2, 3, 1], ['beta();', 'gamma();'], { from: 2 });
    fits([1, 2, 1], ['beta();', 'gamma();'], { to: 2 });
  });

  it('is a little less where it leaves lines out', () => {
    fits([1, 4, 2 - 0.03], ['beta();', 'delta();']);
    fits([0, 5, 2 - 0.09], ['alpha();', 'omega();']);
  });

  it('is less by the lines above and below that it does not show, where it must reach the ends', () => {
    const section = ['beta();', 'gamma();'];
    fits([0, 3, 2 - 0.9], section, { required: ends(true, false) });
    fits([1, 5, 2 - 1.8], section, { required: ends(false, true) });
    fits([0, 5, 2 - 2.7], section, { required: both });
    fits([0, 3, 2 - 0.4], section, {
      original: ['}', 'beta();', 'gamma();'],
      required: both,
    });
  });

  it('is the loss of all lines for a section with none of them', () => {
    const section = ['1234567 = 8'];
    fits([0, 5, 0], section);
    fits([0, 5, -4.5], section, { required: both });
    fits([1, 3, -1.8], section, { from: 1, to: 3, required: both });
  });

  it('is less for other indentation, for common lines and for brackets', () => {
    fits([1, 2, 0.6], ['  beta();']);
    fits([0, 1, Math.SQRT1_2], ['alpha();'], { original: ['alpha();', 'alpha();'] });
    fits([1, 2, 0.15], ['}'], { original: ['alpha();', '}'] });
  });

  it('is that of the better one of two rows for a line', () => {
    fits([0, 2, 2], ['alpha();', 'beta();', '  beta();']);
    fits([0, 2, 2], ['alpha();', '  beta();', 'beta();']);
  });

  it('has changed lines, if these are alike and near an edge', () => {
    fits([1, 2, 0.8 * (14 / 15)], ['betas();']);
    fits([0, 5, 0], ['b = 123456;']);
    const inner = Array.from({ length: 6 }, (_, at) => `${at}`.repeat(20));
    fits([0, 5, 0], [...inner, 'betas();', ...inner]);
    fits([1, 2, 0.8 * (14 / 15)], [...inner.slice(1), 'betas();', ...inner]);
    fits([1, 2, 0.8 * (14 / 15)], [...inner, 'betas();', ...inner.slice(1)]);
  });

  it('is not known for more lines than can be compared', () => {
    const many = Array.from({ length: 1500 }, (_, at) => `line ${at}`);
    assert.equal(fitOf(many, { original: many }).fit, undefined);
    assert.notEqual(fitOf(many.slice(0, 900), { original: many }).fit, undefined);
  });

  it('is at most that of all of its known lines', () => {
    const { fitter, shown } = fitOf(['alpha();', 'alpha();', 'other'], {
      original: ['alpha();', 'alpha();', '}'],
    });
    assert.ok(Math.abs(fitter.maxScore(shown) - Math.SQRT2) < 1e-9);
  });

  it('says how much a line tells, and where it is', () => {
    const { fitter, shown } = fitOf(['beta();', '}', 'none'], {
      original: ['alpha();', 'beta();', '}', 'beta();'],
    });
    const [known = -1, filler = -1, other = -1] = shown.codes;
    assert.deepEqual(
      [known, filler, other].map(code => fitter.placeOf(code)),
      [1, 2, undefined],
    );
    assert.equal(fitter.isDistinctive(known, 'beta();'), true);
    assert.equal(fitter.isDistinctive(filler, '}'), false);
    assert.equal(fitter.isDistinctive(other, 'none'), false);
  });
});
