import assert from 'node:assert/strict';
import path from 'node:path';
import { CountedTerms } from '../../../../src/search/fileIndex/countTerms';
import { FolderIndex } from '../../../../src/search/fileIndex/folderIndex';
import type { CandidateIndex } from '../../../../src/search/local/candidateIndex';
import { findCandidates } from '../../../../src/search/local/candidates';
import {
  type LocalSummary,
  type RootsOptions,
  searchRoots,
} from '../../../../src/search/local/localSearch';
import { NearWordFinder } from '../../../../src/search/local/query/misspelled';
import { TermFinder } from '../../../../src/search/local/query/termFinder';
import { readSearchProject, searchQuestions } from '../../../support/unit/searchProject';
import { TestWorkspace } from '../workspace';

/** An index of folders that answers at once. */
class ReadyIndex implements CandidateIndex {
  readonly #folders = new Map<string, FolderIndex>();

  async open(root: string, storage: string): Promise<void> {
    const { signal } = new AbortController();
    const index = new FolderIndex({ root, storage, files: { rgPath: '/no/such' } }, signal);
    await index.verify();
    this.#folders.set(root, index);
  }

  async find({ roots, ...query }: Parameters<CandidateIndex['find']>[0]) {
    const wanted = new CountedTerms(query.terms);
    const counted = roots.flatMap(({ path: root, unsaved, without }) => {
      const index = this.#folders.get(root);
      return index ? [index.counted(wanted, unsaved, without)] : [];
    });
    if (counted.length < roots.length) return undefined;
    return findCandidates(query, new TermFinder(query.terms), counted);
  }

  async correctionsOf(roots: readonly string[], words: readonly string[]) {
    const finder = new NearWordFinder(words);
    for (const root of roots) this.#folders.get(root)?.findNear(finder);
    return finder.corrections();
  }
}

describe('a local search with an index', () => {
  let files: TestWorkspace;
  let index: ReadyIndex;
  let summary: LocalSummary | undefined;
  afterEach(() => files.remove());

  const search = async (query: string, more: Partial<RootsOptions> = {}, roots = [files.root]) => {
    summary = undefined;
    const results = await searchRoots(
      roots.map(root => ({ path: root })),
      query,
      {
        limit: 10,
        rgPath: '/no/such',
        index,
        onSummary: told => {
          summary = told;
        },
        ...more,
      },
    );
    return [...new Set(results.map(result => `${result.root} ${result.path}`))];
  };
  const start = async (texts: Readonly<Record<string, string>>, ...roots: readonly string[]) => {
    files = new TestWorkspace(texts);
    index = new ReadyIndex();
    for (const root of ['', ...roots]) {
      await index.open(path.join(files.root, root), path.join(files.root, '../index', root));
    }
  };

  it('finds first what one without it finds first', async () => {
    await start(readSearchProject().files);
    for (const [question] of searchQuestions) {
      const found = await search(question);
      assert.equal(summary?.usedIndex, true);
      const plain = await search(question, { index: undefined });
      assert.equal(summary?.usedIndex, false);
      assert.equal(found[0], plain[0], question);
    }
  });

  for (const [query, text] of [
    ['i18n', 'const i18n = 1;'],
    ['e2e', 'runE2E();'],
    ['a11y', 'a11y.check();'],
    ['log4j', 'import log4j;'],
    ['useI18n', 'const { t } = useI18n();'],
    ['S3Backend', 'class S3Backend {}'],
    ['X509Certificate', 'new X509Certificate();'],
    ['websocket', 'new WebSocket();'],
    ['abortcontroller', 'this.abortController.abort();'],
    ['basecontextprovider', 'class BaseContextProvider {}'],
    ['statusstring', 'def status_string():'],
    ['onioerror', 'ON_IO_ERROR = 1'],
    ['get issues', 'def get_issues():'],
    ['openai', 'new OpenAI();'],
    ['sqlalchemy', 'class SQLAlchemy {}'],
    ['grpc', 'new gRPCServer();'],
    ['压缩数据块', '// 这个函数负责把内存中的记录写入磁盘，先压缩数据块再通知等待的调用者'],
    ['再試行', '// 接続に失敗したら再試行する'],
    ['index', '// 検索index用'],
  ] as const) {
    it(`finds ${query} as one without it does`, async () => {
      await start({ 'a.ts': `${text}\n`, 'b.ts': 'nothing\n' });
      assert.deepEqual(await search(query), ['0 a.ts']);
      assert.equal(summary?.usedIndex, true);
      assert.deepEqual(await search(query, { index: undefined }), ['0 a.ts']);
    });
  }

  it('finds what answers a request, as one without it does', async () => {
    await start({
      'app/users/[id]/page.tsx': 'export default () => <Profile />;\n',
      'src/users.ts': 'export const users = (users) => users.users;\n',
    });
    for (const own of [index, undefined]) {
      const [first] = await search('http://localhost:3000/users/42', { index: own });
      assert.equal(first, '0 app/users/[id]/page.tsx');
      assert.equal(summary?.usedIndex, own !== undefined);
    }
  });

  it('finds what shows a text, as one without it does', async () => {
    await start({
      'locales/en.json': '{\n  "sign-out": { "title": "See you soon" }\n}\n',
      'src/a.ts': 'export const soon = (you) => you.see(soon);\n',
      'src/bye.tsx': "t('sign-out.title');\n",
    });
    for (const own of [index, undefined]) {
      const found = await search('See you soon', { index: own });
      assert.deepEqual(found.slice(0, 2), ['0 locales/en.json', '0 src/bye.tsx']);
      assert.equal(summary?.usedIndex, own !== undefined);
    }
  });

  it('takes a misspelled word for one that files have, as one without it does', async () => {
    await start({ 'a.ts': 'retryUpload();\n', 'b.ts': 'retryDownload();\n' });
    for (const own of [index, undefined]) {
      assert.deepEqual(await search('retryUplaod', { index: own }), ['0 a.ts', '0 b.ts']);
      assert.deepEqual(summary?.corrections, [{ typed: 'Uplaod', taken: 'Upload' }]);
      assert.equal(summary?.usedIndex, own !== undefined);
      assert.deepEqual(await search('retryQuandong', { index: own }), ['0 a.ts', '0 b.ts']);
      assert.equal(summary?.corrections, undefined);
    }
  });

  it('says how many files it knows', async () => {
    await start({ 'a.ts': 'retry();\n', 'b.ts': 'nothing\n', '.env': 'retry\n' });
    assert.deepEqual(await search('retry'), ['0 a.ts']);
    assert.deepEqual([summary?.files, summary?.usedRipgrep], [2, false]);
  });

  it('finds words of unsaved texts, and none that they have lost', async () => {
    await start({ 'a.ts': 'retry();\n', 'b.ts': 'nothing\n' });
    const texts = new Map([
      [path.join(files.root, 'a.ts'), 'other\n'],
      [path.join(files.root, 'b.ts'), 'retry();\n'],
      [path.join(files.root, 'new.ts'), 'retry();\n'],
    ]);
    const unsaved = {
      readText: async (file: string) => texts.get(file),
      unsaved: [...texts.keys()],
    };
    assert.deepEqual(await search('retry', unsaved), ['0 b.ts']);
    assert.equal(summary?.usedIndex, true);
  });

  it('searches the files when the index cannot answer', async () => {
    await start({ 'one/a.ts': 'retry();\n', 'two/b.ts': 'retry();\n' });
    const roots = ['one', 'two'].map(name => path.join(files.root, name));
    assert.deepEqual((await search('retry', {}, roots)).sort(), ['0 a.ts', '1 b.ts']);
    assert.deepEqual([summary?.usedIndex, summary?.files], [false, 2]);
  });

  it('finds a file of two roots once', async () => {
    await start({ 'in/a.ts': 'retry();\n', 'b.ts': 'retry();\n' }, 'in');
    const roots = [files.root, path.join(files.root, 'in')];
    assert.deepEqual((await search('retry', {}, roots)).sort(), ['0 b.ts', '1 a.ts']);
    assert.deepEqual([summary?.usedIndex, summary?.files], [true, 2]);
  });

  it('has nothing of a file that is gone since', async () => {
    await start({ 'a.ts': 'retry();\n', 'b.ts': 'retry();\n' });
    files.delete('a.ts');
    assert.deepEqual(await search('retry'), ['0 b.ts']);
  });

  it('shows first results before it has read all candidates', async () => {
    await start(
      Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`src/n${at}.ts`, 'retry();\n'])),
    );
    let first: string[] = [];
    const onFirst = (results: readonly { path: string }[]): void => {
      first = results.map(result => result.path);
    };
    await search('retry', { onFirst, limit: 30 });
    assert.deepEqual(first, [], 'not when these are all');
    const found = await search('retry', { onFirst, limit: 10 });
    assert.equal(first.length, 10);
    assert.equal(found.length, 10);
  });

  it('reads the best candidates alone when they are long', async () => {
    const filler = '// nothing\n'.repeat(80_000);
    const texts = Array.from({ length: 12 }, (_, at) => [`src/n${at}.ts`, `retry();\n${filler}`]);
    await start({ ...Object.fromEntries(texts), 'src/retry.ts': `retry(); retry();\n${filler}` });
    const found = await search('retry', { limit: 20 });
    assert.equal(found[0], '0 src/retry.ts');
    assert.equal(found.length, 7);
  });

  it('ends when it is aborted', async () => {
    await start({ 'a.ts': 'retry();\n' });
    const controller = new AbortController();
    const stopping: CandidateIndex = {
      find: async () => {
        controller.abort();
        return undefined;
      },
      correctionsOf: async () => assert.fail(),
    };
    const { signal } = controller;
    await assert.rejects(search('retry', { index: stopping, signal }), /abort/i);
  });
});
