import assert from 'node:assert/strict';
import { TypedPathFinder, typedPathsOf } from '../../../../../src/search/local/query/typedPaths';

/** Each as `path:line`. */
const told = (query: string): string[] =>
  typedPathsOf(query)
    .filter(({ module }) => module === undefined)
    .map(({ path, line }) => (line === undefined ? path : `${path}:${line}`));

const worth = (query: string): number => typedPathsOf(query)[0]?.worth ?? 0;
const finder = (query: string): TypedPathFinder => new TypedPathFinder(typedPathsOf(query));

const worthOf = (query: string, file: string): number => finder(query).find(file)?.worth ?? 0;

/** Those worth most first. */
const order = (trace: string): string[] =>
  typedPathsOf(trace)
    .filter(({ module }) => module === undefined)
    .sort((a, b) => b.worth - a.worth)
    .map(({ path }) => path);

describe('the paths in a query', () => {
  it('are those of files, with or without folders, and of folders in them', () => {
    assert.deepEqual(told('celery/app/task.py'), ['celery/app/task.py']);
    assert.deepEqual(told('see Mapper.cs and `src/Queue.ts`, not src/tools.'), [
      'mapper.cs',
      'src/queue.ts',
      'src/tools',
    ]);
    assert.deepEqual(told('./a/b.ts ../c.ts C:\\x\\D.cs file:///e/f.go webpack://./src/g.ts'), [
      'a/b.ts',
      'c.ts',
      'x/d.cs',
      'e/f.go',
      'src/g.ts',
    ]);
    assert.deepEqual(told('how e.g. v1.2 and System work, 10.5 ms'), ['e.g']);
    assert.deepEqual(told('a.ts again a.ts'), ['a.ts']);
  });

  it('have the lines of traces in any language', () => {
    for (const [trace, expected] of [
      ['at run (/app/src/a.ts:12:3)', 'app/src/a.ts:12'],
      ['  File "/app/x.py", line 34, in run', 'app/x.py:34'],
      ['at io.netty.Y.read(Y.java:56)', 'y.java:56'],
      ['/go/src/head.go:78 +0x1d', 'go/src/head.go:78'],
      ['in C:\\x\\Mapper.cs:line 90', 'x/mapper.cs:90'],
      ['src/a.ts#L7', 'src/a.ts:7'],
      ['src/a.ts#L7-L9', 'src/a.ts:7'],
      ['task.py:500', 'task.py:500'],
      ['server.c:12: error', 'server.c:12'],
      ['src/a.ts(12,3): error TS2345', 'src/a.ts:12'],
      ['C:\\x\\Map.cs(34,5,34,9): error CS1002', 'x/map.cs:34'],
      ['queue.cpp(56): error C2065', 'queue.cpp:56'],
      ['e: /x/Queue.kt: (7, 12): Unresolved', 'x/queue.kt:7'],
      ["app/user.rb:8:in `save'", 'app/user.rb:8'],
      ['in /var/www/Queue.php on line 23', 'var/www/queue.php:23'],
    ] as const)
      assert.ok(told(trace).includes(expected), `${trace}: ${told(trace).join(' ')}`);
    for (const prose of ['task.py 500', 'task.py (500 lines)', 'task.py (500)', 'task.py(500 ms)'])
      assert.deepEqual(told(prose), ['task.py'], prose);
  });

  it('are worth more alone than among words', () => {
    assert.equal(worth('src/a.ts'), worth('"src/a.ts:12"'));
    assert.ok(worth('src/a.ts') > worth('why is src/a.ts slow'));
    assert.equal(worth('src/a.ts src/b.ts'), worth('why is src/a.ts slow'));
  });

  it('are worth more the further inside of a trace they are', () => {
    assert.deepEqual(order('at run (a.ts:1:2)\nat go (b.ts:3:4)\nat go (c.ts:5:6)'), [
      'a.ts',
      'b.ts',
      'c.ts',
    ]);
    const ofPython =
      'Traceback (most recent call last):\n File "a.py", line 1\n File "b.py", line 2';
    assert.deepEqual(order(ofPython), ['b.py', 'a.py']);
    assert.ok(worth('at run (a.ts:1:2)\nat go (b.ts:3:4)') < worth('src/a.ts'));
  });

  it('are a single word, as the name of a file without an extension', () => {
    assert.deepEqual(told(' Makefile '), ['makefile']);
    assert.deepEqual(told('the Makefile'), []);
  });

  it('are below the folders that are searched', () => {
    const roots = ['/home/ada/tea', 'C:\\Ada\\Tea'];
    for (const query of ['/home/ada/tea/README.md', 'c:\\ada\\tea\\README.md'])
      assert.equal(typedPathsOf(query, roots)[0]?.path, 'readme.md', query);
  });

  it('are none where there are too many, or where they are data', () => {
    assert.equal(told(Array.from({ length: 40 }, (_, at) => `f${at}.ts`).join(' ')).length, 40);
    assert.deepEqual(told(Array.from({ length: 41 }, (_, at) => `f${at}.ts`).join(' ')), []);
    assert.deepEqual(told(`${'QUFB/'.repeat(100)}x.ts`), []);
    const calls = Array.from({ length: 90 }, (_, at) => `at tea.cup.Lid.open${at}(Lid.java:${at})`);
    assert.deepEqual(told(calls.join('\n')), ['lid.java:0']);
  });
});

describe('the files that a typed path may be', () => {
  const files = [
    'src/queue.ts',
    'lib/src/Queue.ts',
    'src/queue.test.ts',
    'queue.ts',
    'a/my-queue.ts',
  ];
  const found = (query: string) => files.filter(file => finder(query).find(file));

  it('end with it, in any case', () => {
    assert.deepEqual(found('Queue.ts'), ['src/queue.ts', 'lib/src/Queue.ts', 'queue.ts']);
    assert.deepEqual(found('src/queue.ts'), ['src/queue.ts', 'lib/src/Queue.ts']);
    assert.deepEqual(found('other/queue.ts'), []);
    assert.deepEqual(found('how does it work'), []);
  });

  it('are the module that a name with separators is', () => {
    const modules = [
      'tea/cup/lid.py',
      'tea/cup/__init__.py',
      'src/main/java/tea/cup/Lid.java',
      'lib/tea/big_cup.rb',
      'tea-app/src/cup/lid.rs',
      'tea-app/src/cup/mod.rs',
      'web/cup/index.ts',
      'web/main.ts',
    ];
    const inModules = (query: string) => modules.filter(file => finder(query).find(file));
    assert.deepEqual(inModules('tea.cup.lid'), [
      'tea/cup/lid.py',
      'src/main/java/tea/cup/Lid.java',
      'tea-app/src/cup/lid.rs',
    ]);
    assert.deepEqual(inModules('tea.cup'), ['tea/cup/__init__.py']);
    assert.deepEqual(inModules('Tea::BigCup'), ['lib/tea/big_cup.rb']);
    assert.deepEqual(inModules('tea_app::cup::lid::open'), [
      'tea/cup/lid.py',
      'src/main/java/tea/cup/Lid.java',
      'tea-app/src/cup/lid.rs',
    ]);
    assert.deepEqual(inModules("import './web/cup'"), ['web/cup/index.ts']);
    assert.deepEqual(inModules("import './web/main'"), ['web/main.ts']);
    assert.deepEqual(inModules('cup.lid.ts'), [], 'the name of a file');
  });

  it('are worth more the more names of a module are theirs', () => {
    assert.equal(worthOf('tea.cup.lid', 'tea/cup/lid.py'), worth('src/a.ts'));
    assert.ok(worthOf('tea.cup.lid', 'web/cup/lid.py') < worth('src/a.ts'));
    assert.ok(worthOf('open tea.cup.lid', 'tea/cup/lid.py') < worth('src/a.ts'));
  });

  it('are the end of a longer path, as of another machine', () => {
    assert.deepEqual(found('/home/ada/lib/src/queue.ts:7'), ['src/queue.ts', 'lib/src/Queue.ts']);
    assert.deepEqual(found('/home/ada/queue.ts'), [], 'its name alone is too little');
  });

  it('have its line', () => {
    assert.equal(finder('/home/ada/src/queue.ts:7').find('src/queue.ts')?.line, 7);
  });

  it('are also names of files that are typed as words', () => {
    for (const file of ['src/tool-constants.ts', 'tool_constants.py', 'a/ToolConstants/index.ts'])
      assert.equal(worthOf('tool constants', file), 2, file);
    assert.equal(worthOf('Tool Constants', 'src/toolConstants.ts'), 2);
    for (const file of ['src/constants.ts', 'tool/constants.ts', 'src/tool-constants-more.ts'])
      assert.equal(worthOf('tool constants', file), 0, file);
    assert.equal(worthOf('where are tool constants, please', 'src/tool-constants.ts'), 0);
  });
});
