import assert from 'node:assert/strict';
import { bannerAt } from '../../../../../src/apply/answer/dialects/banners';

const read = (text: string) => bannerAt(text.split('\n'), 0);
const pathOf = (text: string): string | undefined => read(text)?.path;

describe('a banner', () => {
  it('has signs on both sides of a path', () => {
    for (const line of [
      '==== src/a.ts ====',
      '=== src/a.ts ===',
      '--- File: src/a.ts ---',
      '~~~ filename:src/a.ts ~~~~~',
      '// ==== src/a.ts ====',
      '# ---- path: src/a.ts ----',
      '+++src/a.ts+++',
      '___ src/a.ts ___',
    ])
      assert.equal(pathOf(line), 'src/a.ts', line);
  });

  it('is not made of two signs, of different ones, or of those of headings and lists', () => {
    for (const line of [
      '== src/a.ts ==',
      '=== src/a.ts ==',
      '== src/a.ts ===',
      '=== src/a.ts ---',
      '### src/a.ts ###',
      '*** src/a.ts ***',
      '=== words ===',
      '======',
      '=== src/a.ts',
      `=== ${'src/'.repeat(100)}a.ts ===`,
      '',
    ])
      assert.equal(pathOf(line), undefined, line);
  });

  it('may be a rule above a label, with or without another one below it', () => {
    assert.deepEqual(read('====\nFile: src/a.ts\n====\nx'), { path: 'src/a.ts', start: 3, end: 4 });
    assert.deepEqual(read('// ----\n// path: src/a.ts\nx'), { path: 'src/a.ts', start: 2, end: 3 });
    assert.deepEqual(read('####\nfilename: src/a.ts\n####'), {
      path: 'src/a.ts',
      start: 3,
      end: 3,
    });
    for (const text of [
      '===\nFile: src/a.ts',
      '====\nsrc/a.ts',
      '====\nFile: words',
      '==-=\nFile: src/a.ts',
    ])
      assert.equal(read(text), undefined, text);
  });

  it('has its file below it, up to the next one or to the end of all', () => {
    const head = '=== src/a.ts ===\nx\ny';
    for (const next of [
      '=== src/b.ts ===',
      '====\nFile: b.ts',
      'END FILE',
      'END OF FILES',
      '=== EOF ===',
      '--- end ---',
    ])
      assert.deepEqual(read(`${head}\n${next}\nz`), { path: 'src/a.ts', start: 1, end: 3 }, next);
    for (const line of ['====', 'end', '=== words ===', 'END FILENAME', 'the END FILE'])
      assert.deepEqual(read(`${head}\n${line}\nz`)?.end, 5, line);
  });
});
