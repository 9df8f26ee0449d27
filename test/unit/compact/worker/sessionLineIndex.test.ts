import assert from 'node:assert/strict';
import { readChat } from '../../../../src/compact/sessions/chat';
import { indexLines, shareTexts } from '../../../../src/compact/worker/sessionLineIndex';
import { estimateTokens } from '../../../../src/service';

const texts = ['One\nTwo', 'a\n\nb\n', 'Zwölf 漢字\n\n', '\n', 'last'];
const chatOf = (contents: readonly string[]) =>
  readChat({
    path: 'chat.json',
    text: JSON.stringify(
      contents.map((content, at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content })),
    ),
  });

describe('the lines of a chat', () => {
  const chat = chatOf(texts);
  const lineIndex = indexLines(chat);

  it('are those of its parts, each with a line end', () => {
    assert.equal(lineIndex.text, 'One\nTwo\na\n\nb\nZwölf 漢字\n\n\nlast\n');
    assert.deepEqual(
      lineIndex.parts.map(({ firstLine, lineCount }) => [firstLine, lineCount]),
      [
        [0, 2],
        [2, 3],
        [5, 2],
        [7, 1],
        [8, 1],
      ],
    );
  });

  it('have the tokens of each of them', () => {
    const lines = lineIndex.text.split(/(?<=\n)/);
    assert.deepEqual([...lineIndex.tokens], lines.map(estimateTokens));
  });

  it('share their text with the parts, which stay the same', () => {
    shareTexts(chat, lineIndex);
    assert.deepEqual(
      chat.messages.flatMap(({ parts }) => parts.map(({ text }) => text)),
      texts,
    );
  });
});
