import assert from 'node:assert/strict';
import { parseFinish } from '../../../../src/search/tools/finish';
import { TestWorkspace } from '../workspace';

describe('parseFinish', () => {
  let files: TestWorkspace;
  before(() => {
    files = new TestWorkspace({ 'src/a.ts': '', 'src/with blank.ts': '', 'b.ts': '' });
  });
  after(() => files.remove());
  const answer = async (text: string) => parseFinish((await files.scope()).sandbox, text);
  const parse = async (text: string) => (await answer(text)).files;

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

  it('takes a number after a colon for a part of the path, where ranges follow', async () => {
    assert.deepEqual(await parse('src/a.ts:7:1-9'), [{ path: 'src/a.ts:7', ranges: [[1, 9]] }]);
  });

  it('accepts an answer in which a file is missing, and nothing found', async () => {
    for (const text of ['', ' \n', 'src/a.ts:1-2\nsrc/gone.ts:3', 'It is in src/a.ts:1–2 alone']) {
      assert.equal((await answer(text)).problem, undefined, text);
    }
  });

  const again =
    'Call finish again with "files" as one entry per line, a path and its lines, such as src/a.ts:10-25,40-60; or with "" if nothing was found.';
  const tooLong = /^The answer has more than 50 files or 20000 characters; name the few/;
  const wrong: [what: string, text: string, problem: RegExp, files: number][] = [
    ['a range that runs backwards', 'src/a.ts:5-2', /^"5-2" is no range of lines: .* 2-5/, 1],
    ['a range of broken numbers', 'src/a.ts:1.5-3', /^"1\.5-3" is no range of lines/, 1],
    ['one wrong range among good ones', 'src/a.ts:1-2,9-3', /^"9-3" is no range/, 1],
    ['more ranges than a file has', `src/a.ts:${'1-2,'.repeat(500)}`, /^More than 100 ranges/, 1],
    ['prose', 'The answer is in the parser. '.repeat(1000), /^None of these is a file/, 50],
    ['a folder', 'src', /^None of these is a file/, 1],
    ['files that are not there', 'x.ts:1\ny.ts:2', /^None of these is a file/, 2],
    ['5,000 entries', 'src/a.ts:1-2\n'.repeat(5000), tooLong, 50],
    ['5,000 entries in a line', 'src/a.ts:1-2 '.repeat(5000), tooLong, 50],
    ['20,000 tags', 'src/a.ts\n' + '<file><path>\n'.repeat(20_000), tooLong, 50],
  ];
  for (const [what, text, problem, count] of wrong)
    it(`says what is wrong with ${what}, and what to send`, async () => {
      const startedAt = performance.now();
      const found = await answer(text);
      assert.match(found.problem ?? '', problem);
      assert.ok(found.problem?.endsWith(again), found.problem);
      assert.equal(found.files.length, count);
      // Each of the long ones took seconds.
      assert.ok(performance.now() - startedAt < 1000);
    });
});
