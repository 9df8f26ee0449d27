import assert from 'node:assert/strict';
import { written } from '../../../../../src/base/sentence';
import { mergeEdit } from '../../../../../src/merge/index';
import { markIn } from '../../../../../src/merge/patch/read/marks';
import {
  blockAt,
  hasOrphanMarks,
  hasSearchReplace,
  readSearchReplace,
  startsBlock,
} from '../../../../../src/merge/patch/read/searchReplace';

const spellings: [start: string, split: string, end: string][] = [
  ['<<<<<<< SEARCH', '=======', '>>>>>>> REPLACE'],
  ['<<<<<<< search', '=======', '>>>>>>> replace'],
  ['<<<<<<< ORIGINAL', '=======', '>>>>>>> UPDATED'],
  ['<<<<<<<<<<<<< SEARCH', '=============', '>>>>>>>>>>>>> REPLACE'],
  ['<<<< SEARCH', '====', '>>>> REPLACE'],
  ['<<<SEARCH', '===', 'REPLACE>>>'],
  ['<<<<', '====', '>>>>'],
  ['-- SEARCH', '=======', '++ REPLACE'],
  ['--- SEARCH', '=======', '+++ REPLACE'],
  ['-------SEARCH', '=======', '+++++++REPLACE'],
  ['＜＜＜＜＜＜＜ SEARCH', '＝＝＝＝＝＝＝', '＞＞＞＞＞＞＞ REPLACE'],
  ['&lt;&lt;&lt;&lt;&lt;&lt;&lt; SEARCH', '=======', '&gt;&gt;&gt;&gt;&gt;&gt;&gt; REPLACE'],
  ['  <<<<<<< SEARCH', '  =======', '  >>>>>>> REPLACE'],
];

const file = 'def a():\n    one()\n    two()\n\ndef b():\n    three()\n';
const merged = (update: string, original = file): string => {
  const result = mergeEdit(original, update, { path: 'a.py' });
  return result.kind === 'refused' ? `refused: ${written(result.reason)}` : result.text;
};

describe('the marks of search/replace blocks', () => {
  for (const [start, split, end] of spellings) {
    it(`may be ${start.trim()}`, () => {
      const block = `${start}\n    two()\n${split}\n    zwei()\n${end}\n`;
      assert.equal(merged(block), file.replace('two', 'zwei'));
      assert.equal(
        merged(`Like this:\n\n${block}\n${block.replace('two', 'one').replace('zwei', 'eins')}`),
        file.replace('two', 'zwei').replace('one', 'eins'),
      );
    });

    it(`are never written into the file when one of ${start.trim()} is missing`, () => {
      const lines = [start, '    two()', split, '    zwei()', end];
      if (markIn(start)?.isNamed !== true) return;
      for (const mark of [start, split, end]) {
        const rest = lines.filter(line => line !== mark).join('\n');
        assert.match(merged(rest), /^refused: A search\/replace block is incomplete: /);
        assert.match(
          merged(`${lines.join('\n')}\n\n${rest}`),
          /^refused: A search\/replace block is incomplete: /,
        );
      }
    });
  }

  it('are no lines that only look alike', () => {
    for (const line of [
      '-- search the table',
      '--',
      '<<<EOT;',
      '<<',
      '>> after',
      '== ==',
      '=>',
      '++ i',
      'replace > 1',
      `<<<<<<< ${'x'.repeat(200)}`,
    ]) {
      assert.equal(markIn(line), undefined, line);
    }
    assert.equal(hasSearchReplace('-- search\nSELECT 1;\n-- replace\n'), false);
    assert.equal(hasSearchReplace('print <<<SEARCH\n'), false);
  });

  it('are never lines of the file', () => {
    const conflict = 'a\n<<<< old\nb\n====\nc\n>>>> new\nd\n';
    assert.equal(merged(conflict.replace('d', 'e'), conflict), conflict.replace('d', 'e'));
  });

  it('divide the block where the search text ends in the file', () => {
    const text = 'One\n=======\na\n\nTwo\n=======\nb\n';
    const block =
      '<<<<<<< SEARCH\nTwo\n=======\nb\n=======\nNew\n=======\nc\n=======\nd\n>>>>>>> REPLACE';
    assert.equal(merged(block, text), 'One\n=======\na\n\nNew\n=======\nc\n=======\nd\n');
    const short = '<<<<<<< SEARCH\nTwo\n=======\nb\n=======\nNew\n>>>>>>> REPLACE';
    assert.equal(merged(short, text), 'One\n=======\na\n\nNew\n');
    const old = '<<<<<<< SEARCH\nTwo\n=======\nb\n=======\nNew\nc\n>>>>>>> REPLACE';
    assert.equal(merged(old, text), 'One\n=======\na\n\nNew\nc\n');
    const fresh = '<<<<<<< SEARCH\nb\n=======\nc\n=======\nd\n>>>>>>> REPLACE';
    assert.equal(merged(fresh, text), text.replace('b\n', 'c\n=======\nd\n'));
  });

  it('divide the block by the separator of the usual length, if none is as long as the start', () => {
    const lines = '<<<<<<<<< SEARCH\nTitle\n=====\nold\n=======\nnew\n>>>>>>>>> REPLACE'.split(
      '\n',
    );
    assert.deepEqual(blockAt(lines, 0), { search: 'Title\n=====\nold', replace: 'new', end: 6 });
    const own = lines.map(line => (line === '=====' ? '=========' : line));
    assert.equal(blockAt(own, 0)?.search, 'Title');
  });

  it('of a conflict are read, but never certain', () => {
    const update = '<<<<<<< HEAD\n    two()\n=======\n    zwei()\n>>>>>>> topic/b\n';
    const result = mergeEdit(file, update, { path: 'a.py' });
    assert.deepEqual(result, {
      kind: 'merged',
      text: file.replace('two', 'zwei'),
      certain: false,
    });
  });

  it('tell the line that a block is for', () => {
    const lines = '<<<<<<< SEARCH\n:start_line:12\n-------\na\n=======\nb\n>>>>>>> REPLACE'.split(
      '\n',
    );
    assert.deepEqual(blockAt(lines, 0), { search: 'a', replace: 'b', start: 11, end: 6 });
    assert.equal(blockAt(lines, 1), undefined);
    const line = '<<<<<<< SEARCH\n-----\na\n=======\nb\n>>>>>>> REPLACE'.split('\n');
    assert.deepEqual(blockAt(line, 0), { search: '-----\na', replace: 'b', end: 5 });
    assert.equal(startsBlock(lines, 3), false);
  });

  it('are counted up to the incomplete block', () => {
    const whole = '<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n';
    const second = `${whole}<<<<<<< SEARCH\nc\n${whole}`;
    assert.deepEqual(readSearchReplace(second), { incomplete: 2 });
    assert.match(merged(second), / incomplete: block 2 has no separator or no end\. /);
    const short = '<<<< old\na\n<<<< old\nb\n====\nc\n>>>> new\n';
    assert.equal(blockAt(short.split('\n'), 0), undefined);
    assert.equal(blockAt(short.split('\n'), 2)?.search, 'b');
  });

  it('may have lost the first one', () => {
    assert.equal(hasOrphanMarks('a\n=======\nb\n>>>>>>> REPLACE'), true);
    assert.equal(hasOrphanMarks('a\n====\nb\n>>>> REPLACE'), true);
    assert.equal(hasOrphanMarks('Title\n=======\ntext\n>>> after\n'), true);
    assert.equal(hasOrphanMarks('Title\n=======\ntext\n> quoted\n'), false);
    assert.equal(hasOrphanMarks('>>> after\n1\n'), false);
  });
});
