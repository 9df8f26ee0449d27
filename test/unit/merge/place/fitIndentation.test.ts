import assert from 'node:assert/strict';
import { written } from '../../../../src/base/sentence';
import { mergeEdit } from '../../../../src/merge';

const two = `class Cart {
  add(item) {
    if (item) {
      this.items.push(item);
      this.count++;
    }
  }

  clear() {
    this.items = [];
  }
}
`;
const inTabs = (text: string) => text.replaceAll(/^ +/gm, blanks => '\t'.repeat(blanks.length / 2));
const wide = (text: string) => text.replaceAll(/^ +/gm, blanks => blanks + blanks);
const moved = (text: string, by: number) =>
  text
    .replaceAll(/^(?=.)/gm, ' '.repeat(Math.max(0, by)))
    .replaceAll(new RegExp(`^ {${Math.max(0, -by)}}`, 'gm'), '');

const gap = '// ... existing code ...\n';
/** The body of `add`, with a new line that is deeper than what it shows of the file. */
const body = `    if (item) {
      this.items.push(item);
      if (item.isGift) {
        this.gifts++;
      }
      this.count++;
    }
`;
const merged = two.replace(/ {4}if \(item\) \{[^]*?\n {4}\}\n/, body);

function mergedText(original: string, update: string): string {
  const result = mergeEdit(original, update, { path: 'cart.js' });
  return result.kind === 'merged' ? result.text : `refused: ${written(result.reason)}`;
}

describe('the indentation of a snippet', () => {
  const cases: [what: string, original: string, update: string, text: string][] = [
    ['stays as it is in the file', two, `${gap}${body}${gap}`, merged],
    ['is less, since it was cut out', two, `${gap}${moved(body, -4)}${gap}`, merged],
    ['is more', two, `${gap}${moved(body, 4)}${gap}`, merged],
    ['is in blanks for the tabs of the file', inTabs(two), `${gap}${body}${gap}`, inTabs(merged)],
    [
      'is in wide blanks for the tabs of the file',
      inTabs(two),
      `${gap}${wide(body)}${gap}`,
      inTabs(merged),
    ],
    [
      'is in blanks for tabs, and less',
      inTabs(two),
      `${gap}${moved(body, -4)}${gap}`,
      inTabs(merged),
    ],
    ['is in tabs for the blanks of the file', two, `${gap}${inTabs(body)}${gap}`, merged],
    ['is in tabs for wide blanks', wide(two), `${gap}${inTabs(body)}${gap}`, wide(merged)],
    ['is in tabs for blanks, and less', two, `${gap}${inTabs(moved(body, -4))}${gap}`, merged],
    ['is wide where the file is narrow', two, `${gap}${wide(body)}${gap}`, merged],
    ['is narrow where the file is wide', wide(two), `${gap}${body}${gap}`, wide(merged)],
    ['is the one of a file of tabs', inTabs(two), `${gap}${inTabs(body)}${gap}`, inTabs(merged)],
  ];
  for (const [what, original, update, text] of cases)
    it(what, () => assert.equal(mergedText(original, update), text));

  it('is that of each part, when parts were cut out at other depths', () => {
    const clear = '  clear() {\n    this.items = [];\n    this.count = 0;\n  }\n';
    const update = `${gap}${moved(body, -4)}${gap}${clear}}\n`;
    assert.equal(
      mergedText(two, update),
      merged.replace('this.items = [];\n', 'this.items = [];\n    this.count = 0;\n'),
    );
  });

  it('is converted for a single line', () => {
    const update = `class Cart {\n  size = 0;\n\n  ${gap}`;
    assert.match(mergedText(inTabs(two), update), /^class Cart \{\n\tsize = 0;\n/);
  });

  it('is kept where the file has none', () => {
    const update = `${gap}  first();\n    added();\n    second();\n${gap}`;
    const text = mergedText('first();\nsecond();\nif (third()) {\n  fourth();\n}\n', update);
    assert.match(text, /\n {2}added\(\);\n/);
  });

  it('may change between the edges of a part on purpose', () => {
    const update = `${gap}  add(item) {\n    this.items.push(item);\n    this.count++;\n  }\n\n  clear() {\n${gap}`;
    assert.equal(
      mergedText(two, update),
      two.replace(
        / {4}if \(item\) \{\n {2}( +this.items.*\n) {2}( +this.count.*\n) {4}\}\n/,
        '$1$2',
      ),
    );
  });

  it('is not moved for brackets alone', () => {
    const original = 'a {\n  b {\n    c();\n  }\n}\n';
    const update = 'a {\n  b {\n    c();\n    d();\n  }\n}\n';
    assert.equal(mergedText(original, update), update);
  });

  it('is not moved left of the margin', () => {
    const update = `${gap}this.items = [];\nreset:\nthis.done();\n${gap}`;
    assert.equal(
      mergedText(two, update),
      two.replace('this.items = [];\n', 'this.items = [];\n    reset:\n    this.done();\n'),
    );
  });
});
