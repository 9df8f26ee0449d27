import assert from 'node:assert/strict';
import { findTests } from '../../../../../src/search/view/related/testFiles';
import { TestWorkspace } from '../../workspace';

const files = {
  'src/queue.ts': 'export class Queue { close() {} }\n',
  'src/other.ts': 'queue.close(); new Queue();\n',
  'test/queue.test.ts': 'it("closes", () => new Queue().close());\n',
  'test/many.test.ts': 'new Queue().close();\nclose();\n\n\n\nqueue.close();\n',
  'test/word.test.ts': 'new Queue().closeAll();\n',
  'test/door.test.ts': 'new Door().close();\n',
  'test/ignored.test.ts': 'new Queue().close();\n',
  'test/.env': 'Queue close\n',
  'test/excluded/a.test.ts': 'new Queue().close();\n',
  'test/binary.test.ts': Buffer.from('Queue close\0\0'),
  '.gitignore': 'ignored.test.ts\n',
};
const symbol = { names: ['Queue', 'close'] };

describe('the test files of a symbol', () => {
  let workspace: TestWorkspace;
  before(() => {
    workspace = new TestWorkspace(files);
  });
  after(() => workspace.remove());

  const real = (name: string) => `${workspace.root}/${name}`;
  const excludes = ['test/excluded'];
  const found = async (more: Parameters<TestWorkspace['scope']>[0] = {}) => {
    const { workspace: searched, signal } = await workspace.scope({ excludes, ...more });
    const { files: tests, isCut } = await findTests(searched, symbol, 'src/queue.ts', signal);
    assert.equal(isCut, false);
    return tests.map(({ path, ranges }) => `${path} ${JSON.stringify(ranges)}`);
  };

  it('mention all of its identifiers as words, the tests of its file first', async () => {
    const expected = ['test/queue.test.ts [[1,1]]', 'test/many.test.ts [[1,1],[2,2],[6,6]]'];
    assert.deepEqual(await found(), expected);
    assert.deepEqual(await found({ rgPath: undefined }), expected, 'without ripgrep');
  });

  it('may mention them where a line begins', async () => {
    const unsaved = new Map([[real('test/door.test.ts'), 'Queue\n  .drain()\nclose']]);
    assert.ok((await found({ unsaved })).includes('test/door.test.ts [[3,3]]'));
  });

  it('are read as they are in the editor', async () => {
    const unsaved = new Map([
      [real('test/queue.test.ts'), '// nothing'],
      [real('test/door.test.ts'), '\nnew Queue().close();'],
      [real('src/other.ts'), 'Queue close'],
      ['/elsewhere/test/a.test.ts', 'Queue close'],
    ]);
    for (const rgPath of [(await workspace.scope()).workspace.rgPath, undefined])
      assert.deepEqual(await found({ unsaved, rgPath }), [
        'test/many.test.ts [[1,1],[2,2],[6,6]]',
        'test/door.test.ts [[2,2]]',
      ]);
  });

  it('are not looked for any longer after an abort', async () => {
    await assert.rejects(found({ signal: AbortSignal.abort() }), { name: 'AbortError' });
  });
});
