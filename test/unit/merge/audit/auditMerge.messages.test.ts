import assert from 'node:assert/strict';
import { auditMerge, type MergeOptions } from '../../../../src/merge';
import { cart, gap, taxed, taxedCart, wrong } from './mergeExamples';

/** What the audit says of each example, as "line: message". */
const messages: Readonly<Record<string, readonly string[]>> = {
  'a dropped function': [
    '13: 3 lines of cart.ts are gone below this line; the snippet does not show that.',
  ],
  'a line dropped far from the change': [
    '21: A line of cart.ts is gone here that the snippet does not replace.',
  ],
  'a line dropped right above the snippet': [
    '7: A line of cart.ts is gone above this line; the snippet does not show that.',
  ],
  'lines dropped between two sections': [
    '3: A line of cart.ts is gone above this line; the snippet does not show that.',
  ],
  'the end of the file cut off': [
    '19: "{" is never closed; the file was well-formed before.',
    '20: The last 3 lines of the file are missing.',
  ],
  'a marker left in the file': ['1: A placeholder for existing code was left in the file.'],
  'a code fence left in the file': [
    '1: A code fence was left in the file.',
    '23: The text in ` quotes has no end; the file was well-formed before.',
  ],
  'a sentence of the chat left in the file': [
    '1: This line is neither in the file nor in the snippet.',
  ],
  'new lines that stand twice': [
    '14: From this line on, lines appear twice or should have been replaced.',
    '15: "}" fits nothing that is open here; the file was well-formed before.',
  ],
  'an old function beside its new form': [
    '24: Nothing ties these lines to this place; they look like line 14 of the file before the edit.',
    '24: This declaration is in its block twice.',
  ],
  'an old line above its new form': [
    '4: This line appears twice or next to its new form; the snippet may be meant to replace it.',
  ],
  'the last line of the snippet left a second time below it': [
    '21: This line appears twice or next to its new form; the snippet may be meant to replace it.',
  ],
  'a change put into the wrong function': [
    '15: Nothing ties these lines to this place; they look like line 11 of the file before the edit.',
  ],
  'a place where the snippet fits twice': [
    '25: The snippet also fits at line 28 of the file before the edit. Check that it is in the right place.',
  ],
  'new lines between markers that nothing ties to their place': [
    '7: The indentation differs from the snippet and the file.',
    '7: Nothing ties these lines to this place.',
  ],
  'an old line above a snippet that is open there': [
    '4: The snippet does not show what is above this line. Check that no old line is left there.',
  ],
  'a changed number elsewhere': ['4: This line is neither in the file nor in the snippet.'],
  'a missing change': [
    '8: A part of the snippet is not in the result, or only half of it. Look for it from here on.',
  ],
  'a change that was made by half': [
    '11: A part of the snippet is not in the result, or only half of it. Look for it from here on.',
  ],
  'lost indentation of a new line': ['10: The indentation differs from the snippet and the file.'],
  'a tab for the blanks of a new line': [
    '10: The indentation differs from the snippet and the file.',
  ],
  'lost indentation of an old line': [
    '16: The indentation of this line changed; the snippet does not call for that.',
  ],
  'an old line that keeps its indentation in a new block': [
    '12: This line kept its old indentation; the snippet shows another one.',
  ],
  'line endings turned to CRLF': ['1: The line endings changed.'],
  'mixed line endings': ['1: The line endings changed.'],
  'a new byte order mark': ['1: The byte order mark changed.'],
  'a lost final newline': ['23: The newline at the end of the file is gone.'],
  'blank lines lost elsewhere': [
    '18: Blank lines above this line changed; the snippet does not call for that.',
  ],
  'blanks added at the end of a line elsewhere': [
    '4: The whitespace at the end of this line changed; the snippet does not call for that.',
  ],
  'blanks changed within a line elsewhere': [
    '4: The whitespace within this line changed; the snippet does not call for that.',
  ],
  'a bracket that the snippet does not close': [
    '4: ";" fits nothing that is open here; the file was well-formed before.',
  ],
  'a change outside of the selection': ['10: This change is outside the selected lines.'],
  'a bare definition in place of the whole file': [
    '1: 18 lines of cart.ts are gone: the snippet replaced the whole file.',
  ],
  'a whole new file with a line of its own': [
    '1: A part of the snippet is not in the result, or only half of it. Look for it from here on.',
    '7: This line is neither in the file nor in the snippet.',
  ],
};

const said = (
  merged: string,
  {
    original = cart,
    update = taxed,
    ...options
  }: MergeOptions & { original?: string; update?: string } = {},
): readonly string[] =>
  auditMerge(original, update, merged, { path: 'src/cart.ts', ...options }).map(
    ({ line, message }) => `${line}: ${message}`,
  );

const valueLines = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, nth) => `const value${from + nth} = ${from + nth};\n`).join(
    '',
  );

describe('what the audit says', () => {
  for (const { title, merged, original, update, options } of wrong) {
    it(`names ${title} and its line`, () => {
      const given = { ...(original && { original }), ...(update && { update }), ...options };
      assert.deepEqual(said(merged, given), messages[title]);
    });
  }

  it('counts the lines that are gone', () => {
    const above = taxedCart.replace('export function total(items) {\n  let sum = 0;\n', '');
    assert.match(said(above)[0] ?? '', /^6: 2 lines of cart\.ts are gone above this line; /);
    const elsewhere = taxedCart.replace(/  const count.*\n  log.*\n/, '');
    assert.deepEqual(said(elsewhere), [
      '20: 2 lines of cart.ts are gone here that the snippet does not replace.',
    ]);
    const below = taxedCart.replace('  log(', '').replace("'describe', count);\n", '');
    assert.deepEqual(said(below), [
      '21: A line of cart.ts is gone here that the snippet does not replace.',
    ]);
  });

  it('takes a snippet with a quarter of the lines for a rewrite, even with other ends', () => {
    const original = valueLines(0, 20);
    for (const [kept, wanted] of [
      [5, []],
      [4, ['1: 16 lines of cart.ts are gone: the snippet replaced the whole file.']],
    ] as const) {
      const update = `start(first);\n${valueLines(8, 8 + kept)}stop(last);\n`;
      assert.deepEqual(said(update, { original, update }), wanted);
    }
  });

  it('takes a snippet for a rewrite of a file of six lines, and not of more', () => {
    const update = 'start(first);\nstop(last);\n';
    assert.deepEqual(said(update, { original: valueLines(0, 6), update }), []);
    assert.deepEqual(said(update, { original: valueLines(0, 7), update }), [
      '1: 7 lines of cart.ts are gone: the snippet replaced the whole file.',
    ]);
  });

  it('names no file that it does not know', () => {
    const merged = taxedCart.replace('  let sum = 0;\n', '');
    assert.deepEqual(
      auditMerge(cart, taxed, merged).map(({ message }) => message),
      ['A line of the file is gone above this line; the snippet does not show that.'],
    );
  });

  it('says where a line was that a section starts or ends with', () => {
    const line = "  log('describe', count);\n";
    const above = `${gap}${line}  return sum;\n${gap}`;
    assert.deepEqual(
      said(cart.replace('  return sum;\n', `${line}  return sum;\n`), { update: above }),
      ['11: This line was line 20 of cart.ts, so the snippet may be meant for that place.'],
    );
    const below = `${gap}  return sum;\n${line}${gap}`;
    assert.deepEqual(
      said(cart.replace('  return sum;\n', `  return sum;\n${line}`), { update: below }),
      ['12: This line was line 20 of cart.ts, so the snippet may be meant for that place.'],
    );
  });

  it('asks for a look where the snippet does not show what is below', () => {
    const update = `${gap}const limit = 20;\nregister("cart");\n`;
    const merged = cart.replace('limit = 20;\n', 'limit = 20;\nregister("cart");\n');
    assert.deepEqual(said(merged, { update }), [
      '5: The snippet does not show what is below this line. Check that no old line is left there.',
    ]);
  });
});
