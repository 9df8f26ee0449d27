import assert from 'node:assert/strict';
import { FileHits } from '../../../../src/search/local/fileHits';
import { hitsByFile } from './countedRoot';

describe('the hits of files', () => {
  it('are those of the files that are searched, in whatever order these become known', () => {
    const hits = new FileHits(2);
    const early = hits.numberOf('src/early.ts');
    hits.count(early, 1, 2);
    hits.add('src/early.ts');
    hits.add('src/late.ts');
    hits.add('src/late.ts');
    hits.count(hits.numberOf('src/late.ts'), 0, 1);
    hits.count(hits.numberOf('src/late.ts'), 0, 0.5);
    hits.count(hits.numberOf('.env'), 0, 9);
    assert.equal(hits.length, 2);
    assert.deepEqual(Object.fromEntries(hitsByFile(hits, 2)), {
      'src/early.ts': [0, 2],
      'src/late.ts': [1.5, 0],
    });
    assert.deepEqual(
      ['src/early.ts', '.env', 'other.ts'].map(file => hits.has(file)),
      [true, false, false],
    );
  });

  it('are replaced as a whole', () => {
    const hits = new FileHits(2);
    for (const file of ['a.ts', 'b.ts', 'c.ts']) {
      hits.add(file);
      hits.count(hits.numberOf(file), 0, 1);
    }
    hits.set(hits.numberOf('a.ts'), Float32Array.of(0, 3));
    hits.set(hits.numberOf('b.ts'), undefined);
    assert.deepEqual(Object.fromEntries(hitsByFile(hits, 2)), {
      'a.ts': [0, 3],
      'b.ts': [0, 0],
      'c.ts': [1, 0],
    });
  });

  it('are kept when there are more files', () => {
    const hits = new FileHits(3);
    for (let file = 0; file < 1000; file++) {
      hits.add(`f${file}.ts`);
      hits.count(file, file % 3, file);
    }
    for (const [file, counts] of [...hitsByFile(hits, 3).values()].entries()) {
      assert.deepEqual(
        counts,
        [0, 1, 2].map(term => (term === file % 3 ? file : 0)),
      );
    }
  });
});
