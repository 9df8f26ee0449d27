import assert from 'node:assert/strict';
import { CleanTexts } from '../../../../../src/platform/egress/secrets/cleanTexts';

const long = (n: number): string => `${n} `.repeat(1000);

describe('texts that were looked through', () => {
  it('are looked through once, as long as they are the same', () => {
    const texts = new CleanTexts();
    const seen: string[] = [];
    const look = (text: string): boolean => {
      seen.push(text.slice(0, 2));
      return false;
    };
    for (let turn = 1; turn <= 50; turn++)
      for (let message = 0; message < turn; message++)
        assert.equal(texts.isClean(long(message), look), true);
    assert.equal(seen.length, 50);
    assert.equal(texts.isClean(`${long(0)}.`, look), true);
    assert.equal(seen.length, 51);
  });

  it('are looked through each time where they hold a key', () => {
    const texts = new CleanTexts();
    let looks = 0;
    const look = (): boolean => {
      looks++;
      return true;
    };
    for (let n = 0; n < 3; n++) assert.equal(texts.isClean(long(1), look), false);
    assert.equal(looks, 3);
  });

  it('tell lone halves of a character apart', () => {
    const texts = new CleanTexts();
    assert.equal(
      texts.isClean(`${long(1)}\ud800`, () => false),
      true,
    );
    assert.equal(
      texts.isClean(`${long(1)}\udc00`, () => true),
      false,
    );
  });

  it('are forgotten, the oldest first, so that the memory is bounded', () => {
    const texts = new CleanTexts();
    for (let n = 0; n <= 5000; n++) texts.isClean(long(n), () => false);
    assert.equal(
      texts.isClean(long(5000), () => true),
      true,
    );
    assert.equal(
      texts.isClean(long(0), () => true),
      false,
    );
  });
});
