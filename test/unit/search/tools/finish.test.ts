import assert from 'node:assert/strict';
import { parseFinish } from '../../../../src/search/tools/finish';
import { TestWorkspace } from '../workspace';

describe('parseFinish', () => {
  let files: TestWorkspace;
  before(() => {
    files = new TestWorkspace({ 'src/a.ts': '', 'src/with blank.ts': '', 'b.ts': '' });
  });
  after(() => files.remove());
  const parse = async (text: string) => parseFinish((await files.scope()).sandbox, text);

  it('reads paths with ranges, a path alone is the whole file', async () => {
    assert.deepEqual(await parse('src/a.ts:1-15,25-50\n\n  b.ts  \r\nsrc/a.ts:*'), [
      {
        path: 'src/a.ts',
        ranges: [
          [1, 15],
          [25, 50],
        ],
      },
      { path: 'b.ts', ranges: '*' },
      { path: 'src/a.ts', ranges: '*' },
    ]);
  });

  it('parts entries at blanks, unless the blank belongs to a path', async () => {
    const paths = (await parse('src/a.ts:1-2 b.ts\nsrc/with blank.ts:3-4')).map(one => one.path);
    assert.deepEqual(paths, ['src/a.ts', 'b.ts', 'src/with blank.ts']);
  });

  it('takes the colon of a drive for none of a range', async () => {
    assert.deepEqual(await parse('C:\\src\\a.ts:3-4'), [
      { path: 'C:\\src\\a.ts', ranges: [[3, 4]] },
    ]);
  });
});
