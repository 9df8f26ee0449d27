import assert from 'node:assert/strict';
import { isOmissionText } from '../../../../../src/merge/snippet/omission/omissionText';

/** Whether a text is a marker, with its dots written out. */
function says(text: string, isComment: boolean): boolean {
  const leading = text.startsWith('...');
  const trailing = text.endsWith('...') && text !== '...';
  return isOmissionText(
    text.replace(/^\.\.\.\s*/, '').replace(/\s*\.\.\.$/, ''),
    { leading, trailing },
    isComment,
  );
}

describe('the words of a marker', () => {
  const comments = [
    '...',
    '... existing code ...',
    '... whatever ...',
    '... rest of the file',
    '... the other methods',
    '... imports',
    '... other fields of the UserService class',
    'existing code ...',
    'unchanged',
    'code omitted for brevity',
    'rest of the code',
    'the rest of the methods remain unchanged',
    'keep the rest of the UserService methods',
    'remaining methods',
    'other properties',
    'previous code here',
    'no other changes',
    'same as before',
    'existing imports',
    'existing logger setup',
    'lines 12-40 unchanged',
    'all other dependencies stay the same',
    'the existing queries',
  ];
  for (const text of comments) {
    it(`are ${text}`, () => assert.equal(says(text, true), true));
  }

  const others = [
    'increments the counter',
    '... but only if the user wants that to be done at once today',
    '... then the server answers with the code',
    'the cart',
    'code style',
    'existing code style',
    'rest of the cart',
    'same logic as in Printer',
    'the other one',
    'reads the rest of the file',
    'change the code',
    'keep this function',
    'handle existing users',
    'see the previous implementation of Printer and Reader',
    'x = 1; unchanged',
    'a unchanged b unchanged c unchanged d unchanged e unchanged f',
    '',
  ];
  for (const text of others) {
    it(`are not ${text || 'none'}`, () => assert.equal(says(text, true), false));
  }

  it('say more where they are no comment', () => {
    for (const text of [
      '... existing code ...',
      '... rest of the file',
      '... unchanged code',
      'existing code remains unchanged here',
      'rest of the code ...',
    ]) {
      assert.equal(says(text, false), true, text);
    }
    for (const text of [
      '...',
      '... whatever ...',
      '... unchanged',
      '... imports',
      'existing code',
      'rest of the code',
      'code unchanged',
      'the rest ...',
      '... rest of the UserService and Printer and Reader class code',
      '... methods functions',
      '... props handlers',
    ]) {
      assert.equal(says(text, false), false, text);
    }
  });
});
