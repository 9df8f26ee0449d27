import assert from 'node:assert/strict';
import { typedStart } from '../../../../src/compact/core/typedText';

/** What the user typed of a text. */
const typedOf = (text: string): string => text.slice(typedStart(text));

describe('what the user typed', () => {
  it('is all of a text that does not start as one of the tool', () => {
    for (const text of [
      'Why?',
      '\n  Why?',
      '<div>\nWhy?',
      'Why <system-reminder>?</system-reminder>',
      '',
    ]) {
      assert.equal(typedOf(text), text);
    }
  });

  it('is what stands behind elements of the tool', () => {
    assert.equal(typedOf('<system-reminder>\nx\n</system-reminder>\n\nWhy?'), '\n\nWhy?');
    assert.equal(
      typedOf(
        '<ide_opened_file>a</ide_opened_file>\n<hook name="b">b</hook> Why <b>this</b>?</hook>',
      ),
      ' Why <b>this</b>?</hook>',
    );
    assert.equal(typedOf('<permissions instructions>\nx</permissions instructions>Why?'), 'Why?');
  });

  it('is nothing of a text that is all of the tool, or whose element is not closed', () => {
    for (const text of [
      '<system-reminder>x</system-reminder>\n',
      '<system-reminder>x</system-reminder>\n[12 lines left out; recall 3abcd]\n[left out]',
      '<system-reminder>x</system-reminder>\n[Request interrupted by user]',
      '<system-reminder>x\nWhy?',
      '<system-reminder x',
      '[Request interrupted by user]\nWhy?',
      '<hook>a</hook>'.repeat(50),
    ]) {
      assert.equal(typedOf(text), '', text);
    }
  });
});
