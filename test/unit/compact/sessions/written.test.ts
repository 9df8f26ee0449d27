import { assertApproved } from '../../../support/unit/approved';
import { minting, readFixture, writable, write } from './fixtures';

/** Every part without its first line where it has several, and the second part that may go without any. */
function shortened({ messages }: ReturnType<typeof readFixture>['history']): (string | null)[][] {
  let count = 0;
  return messages.map(({ parts }) =>
    parts.map(({ text, isEditable }) => {
      if (!isEditable || text === '') return text;
      if (++count === 2) return '';
      return text.includes('\n') ? text.slice(text.indexOf('\n') + 1) : text;
    }),
  );
}

describe('a shortened session', () => {
  for (const one of writable)
    it(`is written as before: ${one.name} of ${one.format}`, () => {
      const read = readFixture(one);
      const { files, continueBy } = write(read, shortened(read.history), minting());
      const texts = files.map(({ path, text }) => `== ${path}\n${text}\n`);
      assertApproved(
        `writtenSessions/${one.name.replaceAll('.', '-')}`,
        `${continueBy.sentence}\n${continueBy.shell ?? ''}\n\n${texts.join('\n')}`,
      );
    });
});
