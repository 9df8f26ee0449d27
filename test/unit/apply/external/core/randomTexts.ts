import * as fc from 'fast-check';

/** Lines with their ends: few words, so that many are equal, and often brackets and blank lines. */
export const anyLines = fc
  .tuple(
    fc.array(
      fc.tuple(
        fc.constantFrom(
          'a',
          'b',
          'c',
          'foo();',
          '  bar',
          '}',
          '{',
          '',
          '\t',
          'x = 1',
          'é',
          '\uFEFF',
        ),
        fc.constantFrom('\n', '\n', '\n', '\r\n', '\r'),
      ),
      { maxLength: 30 },
    ),
    fc.boolean(),
  )
  .map(([rows, isCut]) =>
    rows
      .map(([body, end], at) => (isCut && at === rows.length - 1 ? body : body + end))
      .filter(line => line !== ''),
  );

/** Replaces, removes and adds some lines, all with the same end. */
export const someEdits = fc.array(
  fc.record({
    at: fc.nat(60),
    count: fc.nat(3),
    lines: fc.array(fc.constantFrom('a\n', 'new\n', 'b\n', '}\n', '\n', 'foo();\n'), {
      maxLength: 3,
    }),
  }),
  { maxLength: 5 },
);

export function edited(
  lines: readonly string[],
  edits: readonly { at: number; count: number; lines: readonly string[] }[],
): string[] {
  const result = [...lines];
  for (const { at, count, lines: added } of edits)
    result.splice(at % (result.length + 1), count, ...added);
  return result;
}
