import assert from 'node:assert/strict';
import { diffArrays } from 'diff';
import { auditMerge, type Finding } from '../../../../src/merge/index';
import { type Attempt, attemptAll } from '../../../bench/accuracy';
import { assertApproved } from '../../../support/unit/approved';

/** Merges of the set whose snippet says what it means. */
const attempts = attemptAll().filter(
  ({ style, isRight }) => isRight && ['three lines of context', 'dots only'].includes(style),
);

const rowsOf = (text: string): string[] => text.split('\n');
/** The row in the middle of the lines that a merge left as they were, at a share of the file. */
const rowAt = ({ wanted }: Attempt, share: number): number =>
  Math.floor((rowsOf(wanted).length - 1) * share);

function withRows(text: string, change: (rows: string[]) => void): string {
  const rows = rowsOf(text);
  change(rows);
  return rows.join('\n');
}

/** The new text, with the lines of its first change put together in another way. */
function withFirstChange(
  { original, wanted }: Attempt,
  change: (removed: string[], added: string[], rest: string[]) => string[],
): string {
  const parts = diffArrays(rowsOf(original), rowsOf(wanted));
  const at = parts.findIndex(({ added, removed }) => added || removed);
  const next = parts[at + 1]?.added && parts[at]?.removed ? 2 : 1;
  const own = parts.slice(at, at + next);
  const rest = parts.slice(at + next).flatMap(({ removed, value }) => (removed ? [] : value));
  const before = parts.slice(0, at).flatMap(({ value }) => value);
  const linesOf = (side: 'added' | 'removed'): string[] =>
    own.flatMap(part => (part[side] ? part.value : []));
  return [...before, ...change(linesOf('removed'), linesOf('added'), rest)].join('\n');
}

/** What goes wrong in merges, each done to the right text. */
const damages: Record<string, (attempt: Attempt) => string> = {
  'lines lost at the top': ({ wanted }) => withRows(wanted, rows => rows.splice(0, 3)),
  'lines lost at the end': ({ wanted }) => withRows(wanted, rows => rows.splice(-5, 4)),
  'lines lost in the middle': attempt =>
    withRows(attempt.wanted, rows => rows.splice(rowAt(attempt, 0.4), 3)),
  'a block twice': attempt =>
    withRows(attempt.wanted, rows => {
      const at = rowAt(attempt, 0.3);
      rows.splice(at, 0, ...rows.slice(at, at + 6));
    }),
  'a block at another place': attempt =>
    withRows(attempt.wanted, rows => {
      const taken = rows.splice(rowAt(attempt, 0.2), 5);
      rows.splice(rowAt(attempt, 0.7), 0, ...taken);
    }),
  'a marker left': attempt =>
    withRows(attempt.wanted, rows => {
      rows.splice(rowAt(attempt, 0.5), 0, '// ... existing code ...');
    }),
  'a fence left': ({ wanted }) => `\`\`\`\n${wanted}\`\`\`\n`,
  'the rest cut off': attempt => rowsOf(attempt.wanted).slice(0, rowAt(attempt, 0.8)).join('\n'),
  'an indentation lost': attempt =>
    withRows(attempt.wanted, rows => {
      const at = rowAt(attempt, 0.5);
      for (let row = at; row < at + 4; row++) rows[row] = (rows[row] ?? '').trimStart();
    }),
  'line ends mixed': ({ wanted }) => wanted.replace(/\n/, '\r\n'),
  'no final line end': ({ wanted }) => wanted.trimEnd(),
  'the edit left out': ({ original }) => original,
  'old lines beside their new form': attempt =>
    withFirstChange(attempt, (removed, added, rest) => [...removed, ...added, ...rest]),
  'an edit made twice': attempt =>
    withFirstChange(attempt, (_, added, rest) => [...added, ...added, ...rest]),
  'an edit some lines further down': attempt =>
    withFirstChange(attempt, (removed, added, rest) => [
      ...removed,
      ...rest.slice(0, 6),
      ...added,
      ...rest.slice(6),
    ]),
  'a line lost below the edit': attempt =>
    withFirstChange(attempt, (_, added, [first = '', ...rest]) =>
      first.trim() === '' ? [...added, first, ...rest.slice(1)] : [...added, ...rest],
    ),
  'a line changed elsewhere': attempt =>
    withRows(attempt.wanted, rows => {
      const at = rows.findIndex((row, index) => index >= rowAt(attempt, 0.9) && row.trim() !== '');
      rows[at] = `${rows[at]} changed`;
    }),
};

/** How many of the damages are not noticed. */
const unnoticed: Record<string, number> = { 'a line lost below the edit': 8 };

const audited = ({ original, update, title }: Attempt, merged: string): Finding[] => [
  ...auditMerge(original, update, merged, { path: title.split(',')[0] ?? '' }),
];

describe('auditMerge on the set of the benchmark', () => {
  it('raises no false alarm', () => {
    const alarmed = attempts.filter(attempt => audited(attempt, attempt.wanted).length > 0);
    assert.deepEqual(
      alarmed.map(({ title, style }) => `${title} (${style})`),
      [],
    );
  });

  // Raise a number when the audit has become better. Lowering one needs a reason.
  for (const [name, damage] of Object.entries(damages))
    it(`finds ${name} as often as it did`, () => {
      const changed = attempts.filter(attempt => damage(attempt) !== attempt.wanted);
      const missed = changed.filter(attempt => audited(attempt, damage(attempt)).length === 0);
      assert.ok(changed.length > 30);
      assert.ok(
        missed.length <= (unnoticed[name] ?? 0),
        `${missed.length} missed: ${missed.map(({ title, style }) => `${title} (${style})`).join('; ')}`,
      );
    });

  it('says what it found where', () => {
    const some = attempts.filter((_, at) => at % 7 === 0);
    assertApproved(
      'auditFindings',
      Object.entries(damages)
        .flatMap(([name, damage]) => [
          `== ${name}`,
          ...some.flatMap(attempt =>
            audited(attempt, damage(attempt))
              .slice(0, 4)
              .map(
                ({ kind, severity, line, message }) =>
                  `${attempt.title} (${attempt.style}) ${line}: ${severity} ${kind}: ${message}`,
              ),
          ),
        ])
        .concat('')
        .join('\n'),
    );
  });
});
