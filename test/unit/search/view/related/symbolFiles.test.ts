import assert from 'node:assert/strict';
import { FolderIndex } from '../../../../../src/search/fileIndex/folderIndex';
import type { SearchIndexes } from '../../../../../src/search/fileIndex/folderIndexes';
import { findMentions } from '../../../../../src/search/view/related/mentions';
import { findTests, findUses } from '../../../../../src/search/view/related/symbolFiles';
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

  it('are found by an index without a search through all files', async () => {
    const index = new FolderIndex(
      { root: workspace.root, storage: `${workspace.root}/../index`, files: { exclude: excludes } },
      new AbortController().signal,
    );
    await index.verify();
    workspace.write('test/late.test.ts', 'new Queue().close();\n');
    const asked: string[] = [];
    const indexes: SearchIndexes = {
      of: roots => ({
        find: async () => assert.fail(),
        correctionsOf: async () => assert.fail(),
        filesWith: async (root, name) => {
          asked.push(`${String(roots.includes(root))} ${name}`);
          return index.filesWith(name);
        },
      }),
      searched: () => assert.fail(),
    };
    const expected = ['test/queue.test.ts [[1,1]]', 'test/many.test.ts [[1,1],[2,2],[6,6]]'];
    try {
      assert.deepEqual(await found({ indexes }), expected, 'it knows nothing of the late file');
      const cannot = {
        find: async () => undefined,
        filesWith: async () => undefined,
        correctionsOf: async () => undefined,
      };
      const all = await found({ indexes: { ...indexes, of: () => cannot } });
      assert.deepEqual(all.slice(0, 2), expected);
      assert.deepEqual(all.slice(2), ['test/late.test.ts [[1,1]]']);
    } finally {
      workspace.delete('test/late.test.ts');
    }
    assert.deepEqual(asked, ['true close']);
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

describe('the uses of a symbol by its name', () => {
  let workspace: TestWorkspace;
  before(() => {
    workspace = new TestWorkspace({
      'src/queue.ts':
        'export class Queue {\n  close() {\n  }\n  stop() {\n    this.close();\n  }\n}\n',
      'src/door.ts': 'export class Door {\n  close() {\n  }\n}\n',
      'src/far/much.ts': 'door.close();\ndoor.close();\nclose();\n',
      'src/main.ts':
        'import {\n  close,\n} from "x";\nconst queue = new Queue();\nqueue.close();\n',
      'src/given.ts': 'import { close } from "x";\n',
      'src/word.ts': 'closeAll(); enclose(); $close();\n',
      'test/queue.test.ts': 'new Queue().close();\n',
      'docs/queue.md': '`Queue.close` ends it.\n',
      'package.json': '{ "close": "Queue" }\n',
      '.env': 'close\n',
      'ignored.ts': 'close();\n',
      '.gitignore': 'ignored.ts\n',
    });
  });
  after(() => workspace.remove());

  const uses = async (names: readonly string[], more: object = {}) => {
    const { workspace: searched, signal } = await workspace.scope(more);
    const found = await findUses(searched, { names }, 'src/queue.ts', signal);
    assert.equal(found.isCut, false);
    return found.files.map(({ path, ranges }) => `${path} ${JSON.stringify(ranges)}`);
  };

  it('are all other lines with it, those of files that know its class first', async () => {
    const expected = [
      'src/main.ts [[5,5]]',
      'src/queue.ts [[5,5]]',
      'test/queue.test.ts [[1,1]]',
      'package.json [[1,1]]',
      'docs/queue.md [[1,1]]',
      'src/far/much.ts [[1,1],[2,2],[3,3]]',
      'src/given.ts [[1,1]]',
    ];
    assert.deepEqual(await uses(['Queue', 'close']), expected);
    assert.deepEqual(await uses(['Queue', 'close'], { rgPath: undefined }), expected);
  });

  it('are none where only its declaration has the name', async () => {
    assert.deepEqual(await uses(['Door']), []);
    assert.deepEqual(await uses(['stop']), []);
  });

  it('may have a name with signs', async () => {
    assert.deepEqual(await uses(['$close']), ['src/word.ts [[1,1]]']);
  });

  it('are those in the text of the editor', async () => {
    const unsaved = new Map([[`${workspace.root}/src/word.ts`, 'new Door();\n']]);
    assert.deepEqual(await uses(['Door'], { unsaved }), ['src/word.ts [[1,1]]']);
  });
});

describe('the files of a root within another one', () => {
  it('are listed once', async () => {
    const workspace = new TestWorkspace({ 'a.ts': 'close();\n', 'in/b.ts': 'close();\n' });
    try {
      const roots = [workspace.root, `${workspace.root}/in`];
      for (const more of [{}, { rgPath: undefined }]) {
        const { workspace: searched, signal } = await workspace.scope({ roots, ...more });
        const { files: uses } = await findUses(searched, { names: ['close'] }, 'a.ts', signal);
        assert.deepEqual(uses.map(({ root, path }) => `${root} ${path}`).sort(), [
          '0 a.ts',
          '1 b.ts',
        ]);
      }
    } finally {
      workspace.remove();
    }
  });
});

describe('the files that mention a common name', () => {
  const count = 2005;
  let workspace: TestWorkspace;
  before(() => {
    workspace = new TestWorkspace({
      ...Object.fromEntries(
        Array.from({ length: count }, (_, at) => [`far/${at}.ts`, 'close();\n']),
      ),
      'src/deep/near.ts': 'close();\n',
      'src/next.ts': 'close();\n',
    });
  });
  after(() => workspace.remove());

  it('are read from the nearest on, and said to be cut off', async () => {
    const { workspace: searched, signal } = await workspace.scope();
    const read: string[] = [];
    const { isCut } = await findMentions(searched, {
      name: 'close',
      subject: 'src/deep/queue.ts',
      signal,
      fits: () => true,
      onFile: ({ path }) => read.push(path),
    });
    assert.deepEqual(read.slice(0, 3), ['src/deep/near.ts', 'src/next.ts', 'far/0.ts']);
    assert.equal(read.length, 2000);
    assert.equal(isCut, true);
  });
});
