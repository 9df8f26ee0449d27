import assert from 'node:assert/strict';
import { closes, divides, type Mark, markIn } from '../../../../../src/merge/patch/read/marks';

/** A mark in words: kind, form, length, word, and what else is true of it. */
function told(line: string): string | undefined {
  const mark = markIn(line);
  if (!mark) return undefined;
  const { kind, form, run, word, isNamed, isSure, isCapital, isEscaped } = mark;
  const flags = { named: isNamed, sure: isSure, capital: isCapital, escaped: isEscaped };
  const others = Object.entries(flags).flatMap(([name, is]) => (is ? [name] : []));
  return [kind, form, run, word, ...others].filter(part => part !== '').join(' ');
}
const markOf = (line: string): Mark => markIn(line) ?? assert.fail(line);

describe('a line that is a mark', () => {
  const cases: [line: string, mark: string | undefined][] = [
    ['<<<<<<< SEARCH', 'start angle 7 search named sure capital'],
    ['<<<<< original', 'start angle 5 original named sure'],
    ['<<<< Old', 'start angle 4 old named'],
    ['<<<\tBEFORE', 'start angle 3 before named capital'],
    ['<<<<<<< FIND src/a.ts', 'start angle 7 find named sure capital'],
    ['<<<< FIND src/a.ts', undefined],
    ['<< SEARCH', undefined],
    ['<<<<<<<', 'start angle 7'],
    ['<<<<<<< HEAD', 'start angle 7'],
    ['<<<<<<< topic/a-b:src/c.ts', 'start angle 7'],
    ['<<<<<<< two words', undefined],
    ['<<<<<<< SEARCHING', 'start angle 7'],
    ['-- search', 'start dash 2 search named'],
    ['------- SEARCH', 'start dash 7 search named sure capital'],
    ['- SEARCH', undefined],
    ['-------', undefined],
    ['------- HEAD', undefined],
    ['===', 'split either 3'],
    ['  =======  ', 'split either 7'],
    ['==', undefined],
    ['==== x', undefined],
    ['＝＝＝＝', 'split either 4'],
    ['>>>>>>> REPLACE', 'end angle 7 replace named sure capital'],
    ['>>>>> modified', 'end angle 5 modified named sure'],
    ['>>> new code here', 'end angle 3 new named'],
    ['>>>>>>> topic', 'end angle 7'],
    ['>>>', 'end angle 3'],
    ['>> NEW', undefined],
    ['>>>>>>> two words', undefined],
    ['REPLACE>>>', 'end angle 3 replace named capital'],
    ['Updated >>>>>>>', 'end angle 7 updated named sure'],
    ['REPLACE>>', undefined],
    ['REPLACE>>> x', undefined],
    ['OTHER>>>>>>>', undefined],
    ['++ REPLACE', 'end dash 2 replace named capital'],
    ['+++++++ after', 'end dash 7 after named sure'],
    ['+ REPLACE', undefined],
    ['+++ b/file', undefined],
    ['+++++++', undefined],
    ['&lt;&lt;&lt;&lt;&lt; SEARCH', 'start angle 5 search named sure capital escaped'],
    ['&gt;&gt;&gt;&gt;&gt; REPLACE', 'end angle 5 replace named sure capital escaped'],
    ['REPLACE&gt;&gt;&gt;', 'end angle 3 replace named capital escaped'],
    ['＜＜＜ SEARCH', 'start angle 3 search named capital'],
    ['REPLACE ＞＞＞', 'end angle 3 replace named capital'],
    ['', undefined],
    ['text', undefined],
    [`<<<<<<< ${'x'.repeat(80)}`, 'start angle 7'],
    [`<<<<<<< ${'x'.repeat(81)}`, undefined],
    [`<<<<<<< SEARCH ${'x'.repeat(185)}`, 'start angle 7 search named sure capital'],
    [`<<<<<<< SEARCH ${'x'.repeat(186)}`, undefined],
  ];
  for (const [line, mark] of cases)
    it(`is ${mark ?? 'none'} in ${JSON.stringify(line.slice(0, 40))}`, () =>
      assert.equal(told(line), mark));
});

const isEnd = (start: string, end: string): boolean => closes(markOf(start), markOf(end));

describe('a mark at the end of a block', () => {
  it('has the form of the first one, and a word if that has one', () => {
    assert.equal(isEnd('<<<<<<< SEARCH', '>>>>>>> REPLACE'), true);
    assert.equal(isEnd('<<<<<<< SEARCH', '>>>>>>>'), false);
    assert.equal(isEnd('<<<<<<< SEARCH', '>>>>> NEW'), true, 'it need not be as long');
    assert.equal(isEnd('-- SEARCH', '++ REPLACE'), true);
    assert.equal(isEnd('-- SEARCH', '>>> REPLACE'), false);
    assert.equal(isEnd('------- SEARCH', '>>>>>>> REPLACE'), false);
  });

  it('is as long as the first one if neither has a word', () => {
    assert.equal(isEnd('<<<<<<< HEAD', '>>>>>>> topic'), true);
    assert.equal(isEnd('<<<<<<< HEAD', '>>>>>> topic'), false);
    assert.equal(isEnd('<<<<', '>>>>'), true);
    assert.equal(isEnd('<<<<', '>>>'), false);
  });

  it('is not short where the first one is long', () => {
    assert.equal(isEnd('<<<<<<< SEARCH', '>>> new'), false);
    assert.equal(isEnd('<<< SEARCH', '>>>>>>> NEW'), false);
    assert.equal(isEnd('<<<< SEARCH', '>>> NEW'), true);
  });

  it('may have pluses if both are long', () => {
    assert.equal(isEnd('<<<<<<< SEARCH', '+++++++ REPLACE'), true);
    assert.equal(isEnd('<<< SEARCH', '+++ REPLACE'), false);
    assert.equal(isEnd('<<<<<<< HEAD', '+++++++ REPLACE'), false);
  });

  it('is no other kind of mark', () => {
    assert.equal(isEnd('<<<<<<< SEARCH', '======='), false);
    assert.equal(isEnd('<<<<<<< SEARCH', '<<<<<<< SEARCH'), false);
  });
});

const isSplit = (start: string, split: string): boolean => divides(markOf(start), markOf(split));

describe('a mark between the sides of a block', () => {
  it('is long where the first one is', () => {
    assert.equal(isSplit('<<<<<<< SEARCH', '====='), true);
    assert.equal(isSplit('<<<<<<< SEARCH', '===='), false);
    assert.equal(isSplit('<<<< SEARCH', '==='), true);
    assert.equal(isSplit('------- SEARCH', '==='), true);
    assert.equal(isSplit('<<<<<<< SEARCH', '>>>>>>> REPLACE'), false);
  });
});
