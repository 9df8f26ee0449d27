import * as fc from 'fast-check';

interface RawForm {
  /** Line ends and trailing blanks, repeated over the lines. */
  ends: string[];
  trails: string[];
  hasTabs: boolean;
  hasByteOrderMark: boolean;
  hasFinalEnd: boolean;
}

/** What lines may look like in a file and not in a snippet. */
export const rawForm: fc.Arbitrary<RawForm> = fc.record({
  ends: fc.array(fc.constantFrom('\n', '\r\n'), { minLength: 1, maxLength: 5 }),
  trails: fc.array(fc.constantFrom('', '', ' ', '\t'), { minLength: 1, maxLength: 5 }),
  hasTabs: fc.boolean(),
  hasByteOrderMark: fc.boolean(),
  hasFinalEnd: fc.boolean(),
});

/** Lines that a snippet shows may lose their trailing blanks. */
export const endForm: fc.Arbitrary<RawForm> = rawForm.map(form => ({
  ...form,
  trails: [''],
}));

export function rawLines(lines: readonly string[], form: RawForm): string[] {
  const { ends, trails } = form;
  return lines.map((line, row) => {
    const head = row === 0 && form.hasByteOrderMark ? '\uFEFF' : '';
    const text = form.hasTabs ? line.replaceAll('  ', '\t') : line;
    const end = row < lines.length - 1 || form.hasFinalEnd ? (ends[row % ends.length] ?? '') : '';
    return head + text + (trails[row % trails.length] ?? '') + end;
  });
}
