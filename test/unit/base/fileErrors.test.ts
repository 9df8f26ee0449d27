import assert from 'node:assert/strict';
import { errorCode, isMissing, isNoFile } from '../../../src/base/fileErrors';

const failure = (code: unknown): Error => Object.assign(new Error('failed'), { code });

describe('an error of the file system', () => {
  it('has the code that the system gives, and only that', () => {
    assert.equal(errorCode(failure('EACCES')), 'EACCES');
    for (const error of [failure(13), new Error('ENOENT'), 'ENOENT', { code: 'ENOENT' }, null])
      assert.equal(errorCode(error), undefined);
  });

  it('says whether there is no such file, or whether it cannot be read', () => {
    assert.deepEqual(
      ['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'EISDIR', undefined].map(code => [
        isMissing(failure(code)),
        isNoFile(failure(code)),
      ]),
      [
        [true, true],
        [false, true],
        [false, true],
        [false, false],
        [false, false],
        [false, false],
      ],
    );
  });
});
