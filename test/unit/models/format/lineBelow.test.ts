import assert from 'node:assert/strict';
import { costLine, lineBelow, withoutCostBelow } from '../../../../src/models/format/lineBelow';

describe('a line below an answer', () => {
  for (const [where, answer, added] of [
    ['a sentence', 'Done.', '\n\n*Said.*'],
    ['a closed block', '```ts\nlet a;\n```', '\n\n*Said.*'],
    ['an open block, which it ends', 'Change:\n```ts\nlet a;', '\n```\n\n*Said.*'],
    ['an open block with a longer fence', '~~~~md\n~~~\na\n~~~\n', '\n~~~~\n\n*Said.*'],
    ['an open block after a closed one', '```\na\n```\n```js\nb', '\n```\n\n*Said.*'],
    ['an open block in a list', '1. So:\n   ```ts\n   let a;', '\n   ```\n\n*Said.*'],
    ['an open block behind a bullet', '- ```\n  a', '\n  ```\n\n*Said.*'],
    ['an open block in a quote', '> ```\n> a', '\n> ```\n\n*Said.*'],
    ['no text', '', '\n\n*Said.*'],
  ] as const) {
    it(`is below ${where}`, () => {
      assert.equal(lineBelow(answer, 'Said.'), added);
    });
  }
});

const cost = (answer: string): string =>
  answer + lineBelow(answer, costLine('2 calls, 21k tokens, about $0.03'));

describe('the line that says what an answer took', () => {
  it('is found again, at the end only', () => {
    const answer = 'I have renamed it.\n\n*Careful.*';
    assert.equal(withoutCostBelow(cost(answer)), answer);
    assert.equal(withoutCostBelow(`${cost(answer)}\n`), answer);
    const quoted = `${cost(answer)}\n\nThat was all.`;
    assert.equal(withoutCostBelow(quoted), quoted);
  });

  it('is no other line in italics', () => {
    for (const answer of ['', 'a\n\n*Splicing it.*', '*Splice: a*', 'a\n\n*Splice: a\nb*']) {
      assert.equal(withoutCostBelow(answer), answer);
    }
  });

  it('is looked for in linear time', () => {
    const answer = '\n\n*Splice: '.repeat(200_000);
    const start = performance.now();
    assert.equal(withoutCostBelow(answer), answer);
    assert.ok(performance.now() - start < 1000);
  });
});
