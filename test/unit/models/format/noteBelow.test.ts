import assert from 'node:assert/strict';
import { noteBelow, withoutNotesBelow } from '../../../../src/models/format/noteBelow';

describe('a note below an answer', () => {
  for (const [where, answer, added] of [
    ['a sentence', 'Done.', '\n\n*Splice: Said.*'],
    ['a closed block', '```ts\nlet a;\n```', '\n\n*Splice: Said.*'],
    ['an open block, which it ends', 'Change:\n```ts\nlet a;', '\n```\n\n*Splice: Said.*'],
    ['an open block with a longer fence', '~~~~md\n~~~\na\n~~~\n', '\n~~~~\n\n*Splice: Said.*'],
    ['an open block after a closed one', '```\na\n```\n```js\nb', '\n```\n\n*Splice: Said.*'],
    ['an open block in a list', '1. So:\n   ```ts\n   let a;', '\n   ```\n\n*Splice: Said.*'],
    ['an open block behind a bullet', '- ```\n  a', '\n  ```\n\n*Splice: Said.*'],
    ['an open block in a quote', '> ```\n> a', '\n> ```\n\n*Splice: Said.*'],
    ['no text', '', '\n\n*Splice: Said.*'],
  ] as const) {
    it(`is below ${where}`, () => {
      assert.equal(noteBelow(answer, 'Said.'), added);
    });
  }

  it('is one line in italics, whatever a service said', () => {
    assert.equal(noteBelow('', 'No *such*\n\n model.'), '\n\n*Splice: No \\*such\\* model.*');
  });
});

const noted = (answer: string, ...notes: string[]): string =>
  notes.reduce((text, note) => text + noteBelow(text, note), answer);

describe('an answer without the notes below it', () => {
  const cost = '2 calls, 21k tokens, about $0.03';

  it('ends where the model ended', () => {
    const answer = 'I have renamed it.\n\n*Careful.*';
    assert.equal(withoutNotesBelow(noted(answer, cost)), answer);
    assert.equal(withoutNotesBelow(`${noted(answer, cost)}\n`), answer);
    assert.equal(withoutNotesBelow(noted(answer, 'Stopped at *its*\nlimit.', cost)), answer);
  });

  it('is found where the blank line is gone', () => {
    assert.equal(withoutNotesBelow(`Done.\n*Splice: ${cost}*`), 'Done.');
    assert.equal(withoutNotesBelow(noted(`Done.\n*Splice: ${cost}*`, cost)), 'Done.');
  });

  it('keeps a note that stands within it', () => {
    const quoted = `${noted('Done.', cost)}\n\nThat was all.`;
    assert.equal(withoutNotesBelow(quoted), quoted);
  });

  it('keeps other lines in italics, and white space', () => {
    for (const answer of [
      '',
      'a\n \n',
      'a\n\n*Splicing it.*',
      '*Splice: a*',
      'a\n\n*Splice: a\nb*',
    ]) {
      assert.equal(withoutNotesBelow(answer), answer);
    }
  });

  it('is found in linear time', () => {
    for (const [text, rest] of [
      ['\n\n*Splice: '.repeat(200_000), undefined],
      ['\n\n*Splice: a*'.repeat(200_000), ''],
    ] as const) {
      const start = performance.now();
      assert.equal(withoutNotesBelow(text), rest ?? text);
      assert.ok(performance.now() - start < 1000);
    }
  });
});
