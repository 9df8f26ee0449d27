import assert from 'node:assert/strict';
import { fitsFile } from '../../../../src/apply/answer/blockLanguage';
import { applied } from '../../../support/unit/applied';

describe('a block for a file', () => {
  it('is in the language of the file or in one of its family', () => {
    for (const [info, path] of [
      ['ts', 'a.ts'],
      ['typescript', 'a.tsx'],
      ['jsx', 'a.ts'],
      ['js', 'a.tsx'],
      ['json', 'tsconfig.json'],
      ['jsonc', 'a.json'],
      ['cpp', 'a.c'],
      ['c', 'a.cpp'],
      ['cpp', 'a.h'],
      ['python title="x"', 'a.py'],
    ] as const)
      assert.ok(fitsFile(info, path), `${info} ${path}`);
  });

  it('is not in another language', () => {
    for (const [info, path] of [
      ['python', 'a.ts'],
      ['ts', 'a.py'],
      ['css', 'a.ts'],
      ['ts', 'a.css'],
      ['json', 'a.ts'],
      ['c', 'a.cs'],
      ['c#', 'a.c'],
    ] as const)
      assert.ok(!fitsFile(info, path), `${info} ${path}`);
  });

  it('is for any file where one of the languages is unknown, or where its fence names a file', () => {
    for (const [info, path] of [
      ['', 'a.ts'],
      ['python', undefined],
      ['python', 'a.unknown'],
      ['unknown', 'a.ts'],
      ['python b.py', 'a.ts'],
    ] as const)
      assert.ok(fitsFile(info, path), `${info} ${path}`);
  });

  it('is for the header of C that the heading names, where it is marked as C++', () => {
    const answer = '### src/a.h\n\n```cpp\nint first();\nint second(int);\n```\n';
    assert.deepEqual(applied(answer, { 'src/a.h': 'int first();\nint second();\n' }), {
      files: [['edit', 'src/a.h', 'int first();\nint second(int);\n']],
      refused: [],
    });
    assert.deepEqual(applied(answer, {}).files, [
      ['create', 'src/a.h', 'int first();\nint second(int);\n'],
    ]);
  });
});
