import assert from 'node:assert/strict';
import {
  movePlaces,
  type NodesInput,
  NodeTree,
  nodesOf,
  placesOf,
  rowAfterDismissal,
  type SearchNode,
  shownFiles,
  traceId,
} from '../../../../src/search/view/nodes';
import type { FoundSpan } from '../../../../src/search/view/results';

const span = (startLine: number, endLine: number): FoundSpan => ({
  startLine,
  endLine,
  title: `line ${startLine}`,
  highlights: [],
});
const found = (...paths: string[]) =>
  placesOf(paths.map(path => ({ root: 0, path, spans: [span(1, 2), span(8, 9)] })));

const input = (more: Partial<NodesInput>): NodesInput => ({
  isRunning: false,
  turns: [],
  advice: [],
  files: [],
  grouping: 'list',
  ...more,
});

function rows(nodes: readonly SearchNode[], indent = ''): string[] {
  return nodes.flatMap(node => {
    const name =
      node.kind === 'folder' ? `${node.name}/` : node.kind === 'file' ? node.file.path : '';
    return name === '' ? [] : [indent + name, ...rows(node.children, `${indent}  `)];
  });
}

describe('the nodes of the search view', () => {
  const order = ['src/deep/er/b.ts', 'top.ts', 'src/a.ts', 'src/deep/er/c.ts', 'docs/x/y.md'];

  it('are files in their order, or folders where their first file stands', () => {
    const tree = new NodeTree(1);
    tree.update(input({ files: found(...order) }));
    assert.deepEqual(rows(tree.roots), order);
    tree.update(input({ files: found(...order), grouping: 'tree' }));
    assert.deepEqual(rows(tree.roots), [
      'src/',
      '  deep/er/',
      '    src/deep/er/b.ts',
      '    src/deep/er/c.ts',
      '  src/a.ts',
      'top.ts',
      'docs/x/',
      '  docs/x/y.md',
    ]);
  });

  it('are files below their role, roles where their first file stands', () => {
    const tree = new NodeTree(1);
    const paths = ['test/a.test.ts', 'src/a.ts', 'a.json', 'README.md', 'src/b.ts', 'bench/c.ts'];
    tree.update(input({ files: found(...paths), grouping: 'role' }));
    const roles = tree.roots.flatMap(node =>
      node.kind === 'role'
        ? [`${node.role}: ${node.children.map(one => one.kind === 'file' && one.file.path).join()}`]
        : [],
    );
    assert.deepEqual(roles, [
      'test: test/a.test.ts',
      'source: src/a.ts,src/b.ts',
      'data: a.json',
      'docs: README.md',
      'aside: bench/c.ts',
    ]);
    assert.equal(tree.places[0]?.parent?.parent, tree.roots[1]);
  });

  it('are one row with all results below it, where they are a set beside a search', () => {
    const tree = new NodeTree(7);
    const files = found('a.ts', 'test/b.ts');
    tree.update(input({ files }));
    const file = tree.roots[1];
    tree.update(input({ files, isSet: true }));
    const [set] = tree.roots;
    assert.deepEqual([tree.roots.length, set?.kind, set?.children.length], [1, 'set', 2]);
    assert.equal(set?.children[0], file);
    assert.equal(file?.parent, set);
    assert.equal(tree.places.length, 4);
    for (const grouping of ['tree', 'role'] as const) {
      tree.update(input({ files, isSet: true, grouping }));
      for (const node of tree.roots[0]?.children ?? []) assert.equal(node.parent, tree.roots[0]);
    }
    assert.ok(file && tree.owns(file));
    assert.ok(!new NodeTree(70).owns(file) && !new NodeTree(1).owns(file));
  });

  it('end with the action that shows more', () => {
    const tree = new NodeTree(1);
    const more = { title: 'More…', command: 'more', icon: 'ellipsis' };
    for (const grouping of ['list', 'tree', 'role'] as const) {
      tree.update(input({ files: found('a.ts'), grouping, more }));
      const last = tree.roots.at(-1);
      assert.equal(last?.kind === 'advice' && last.command, 'more');
      tree.update(input({ files: found('a.ts'), grouping }));
      assert.notEqual(tree.roots.at(-1)?.kind, 'advice');
    }
  });

  it('stand below the names of several roots', () => {
    const tree = new NodeTree(1);
    const files = [...found('a.ts'), ...found('b.ts').map(file => ({ ...file, root: 1 }))];
    tree.update(input({ files, grouping: 'tree', rootNames: ['one', 'two'] }));
    assert.deepEqual(rows(tree.roots), ['one/', '  a.ts', 'two/', '  b.ts']);
  });

  it('group the folders of each root, with their paths from it', () => {
    const tree = new NodeTree(1);
    const files = [
      ...found('src/one/a.ts', 'src/two/b.ts'),
      ...found('src/one/a.ts').map(file => ({ ...file, root: 1 })),
    ];
    const folders = (nodes: readonly SearchNode[]): string[] =>
      nodes.flatMap(node =>
        node.kind === 'folder'
          ? [`${node.id} ${node.root} ${node.path} ${node.name}`, ...folders(node.children)]
          : [],
      );
    tree.update(input({ files, grouping: 'tree', rootNames: ['front', 'back'] }));
    assert.deepEqual(folders(tree.roots), [
      '1/folder 0: 0  front',
      '1/folder 0:src/ 0 src src',
      '1/folder 0:src/one/ 0 src/one one',
      '1/folder 0:src/two/ 0 src/two two',
      '1/folder 1: 1  back',
      '1/folder 1:src/one/ 1 src/one src/one',
    ]);
  });

  it('are found by their ids, and forgotten once they are gone', () => {
    const tree = new NodeTree(3);
    tree.update(input({ files: found('a.ts', 'b.ts') }));
    const file = tree.byId('file 0:a.ts');
    assert.equal(file?.kind === 'file' && file.file.path, 'a.ts');
    assert.equal(tree.byId('place 0:a.ts:8-9'), tree.places[1]);
    tree.update(input({ files: found('b.ts') }));
    assert.equal(tree.byId('file 0:a.ts'), undefined);
  });

  it('have what was suggested between the search and its results', () => {
    const tree = new NodeTree(1);
    const advice = [
      { title: 'Set API Key', command: 'key', icon: 'key' },
      { title: 'Show Log', command: 'log', icon: 'output' },
    ];
    tree.update(input({ files: found('a.ts'), advice }));
    assert.deepEqual(
      tree.roots.map(node => (node.kind === 'advice' ? node.title : node.kind)),
      ['query', 'Set API Key', 'Show Log', 'file'],
    );
    assert.equal(new Set(tree.roots.map(({ id }) => id)).size, 4);
    tree.update(input({ files: found('a.ts'), advice, isSet: true }));
    assert.deepEqual(
      tree.roots[0]?.children.map(({ kind }) => kind),
      ['file'],
    );
  });

  it('stay the same objects, know their parents, and number the places', () => {
    const tree = new NodeTree(1);
    tree.update(input({ files: found('a.ts', 'b.ts') }));
    const before = tree.places;
    tree.update(input({ files: found('b.ts', 'a.ts') }));
    assert.deepEqual(new Set(tree.places), new Set(before));
    assert.deepEqual(
      tree.places.map(node => node.kind === 'place' && node.number),
      [1, 2, 3, 4],
    );
    assert.ok(tree.places.every(node => node.parent?.children.includes(node)));
    const other = new NodeTree(2);
    other.update(input({ files: found('a.ts', 'b.ts') }));
    assert.notEqual(other.places[0]?.id, before[0]?.id);
  });

  it('open the trace at its first turn and close it at the end, by new ids', () => {
    const tree = new NodeTree(1);
    const turns = [{ turn: 1, ms: 5, steps: [{ key: 'k', tool: 'read', what: 'a.ts' }] }];
    const ids = [
      { isRunning: true },
      { isRunning: true, turns },
      { isRunning: true, turns: [...turns, { turn: 2, ms: 5, steps: [] }] },
      { turns },
    ].map(more => {
      tree.update(input(more));
      assert.equal(
        tree.byId(traceId),
        'isRunning' in more && 'turns' in more ? tree.roots[0] : undefined,
      );
      return tree.roots[0]?.id;
    });
    assert.equal(new Set(ids).size, 3);
    assert.equal(ids[1], ids[2]);
    assert.equal(tree.roots[0]?.children[0]?.children[0]?.kind, 'step');
    // A turn that was opened while the search ran is closed at its end, by a new id.
    const whole = tree.roots[0]?.children[0]?.id;
    tree.update(input({ isRunning: true, turns }));
    assert.notEqual(tree.roots[0]?.children[0]?.id, whole);
    assert.deepEqual([whole, tree.roots[0]?.children[0]?.id], ['1/turn 1', '1/running turn 1']);
  });

  it('keep the row of a search without turns, which has the focus, to its end', () => {
    const tree = new NodeTree(1);
    tree.update(input({ isRunning: true }));
    const [row] = tree.roots;
    tree.update(input({ files: found('a.ts') }));
    assert.equal(tree.roots[0], row);
    assert.equal(tree.roots[0]?.id, row?.id);
  });

  it('leave out what is dismissed or filtered, and sort', () => {
    const files = found('src/b.ts', 'src/deep/a.ts', 'src/a.ts');
    const shown = (more: Partial<Parameters<typeof shownFiles>[1]>) =>
      shownFiles(files, {
        dismissed: new Set(),
        filter: '',
        sort: 'relevance',
        changedAt: new Map(),
        ...more,
      }).map(({ path, spans }) => `${path} ${spans.length}`);
    assert.deepEqual(shown({ sort: 'path' }), ['src/a.ts 2', 'src/b.ts 2', 'src/deep/a.ts 2']);
    const changedAt = new Map([
      ['0:src/a.ts', 30],
      ['0:src/b.ts', 10],
    ]);
    assert.deepEqual(shown({ sort: 'modified', changedAt }), [
      'src/a.ts 2',
      'src/b.ts 2',
      'src/deep/a.ts 2',
    ]);
    assert.deepEqual(shown({ dismissed: new Set(['0:src/b.ts', '0:src/a.ts:1-2']) }), [
      'src/deep/a.ts 2',
      'src/a.ts 1',
    ]);
    assert.deepEqual(shown({ filter: 'deep "line' }), []);
    assert.deepEqual(shown({ filter: 'deep line 8' }), ['src/deep/a.ts 1']);
  });
});

const sorted = (...paths: [root: number, path: string][]): string[] =>
  shownFiles(
    paths.flatMap(([root, path]) => found(path).map(file => ({ ...file, root }))),
    { dismissed: new Set(), filter: '', sort: 'path', changedAt: new Map() },
  ).map(({ root, path }) => `${root} ${path}`);

describe('files by path', () => {
  it('stand as in a tree: by root, the files of a folder before its folders', () => {
    assert.deepEqual(
      sorted([1, 'a.ts'], [0, 'b/c.ts'], [0, 'z.ts'], [0, 'y.ts'], [0, 'a/x/b.ts'], [0, 'a/z.ts']),
      ['0 y.ts', '0 z.ts', '0 a/z.ts', '0 a/x/b.ts', '0 b/c.ts', '1 a.ts'],
    );
    assert.deepEqual(sorted([0, 'b/a.ts'], [0, 'a/b.ts'], [0, 'a/a.ts']), [
      '0 a/a.ts',
      '0 a/b.ts',
      '0 b/a.ts',
    ]);
  });
});

describe('the nodes of a command', () => {
  it('give the focus to the next one once they are dismissed, and at the end to the one before', () => {
    const step = { title: 'Search Again', command: 'again', icon: 'refresh' };
    const tree = new NodeTree(1);
    tree.update(input({ files: found('a.ts', 'b.ts'), advice: [step] }));
    const flat = (nodes: readonly SearchNode[]): SearchNode[] =>
      nodes.flatMap(node => [node, ...flat(node.children)]);
    const all = flat(tree.roots);
    const after = (...gone: string[]) => {
      const isGone = (node: SearchNode | undefined): boolean =>
        node !== undefined && (gone.includes(node.id.slice(2)) || isGone(node.parent));
      const left = new Set(all.filter(node => !isGone(node)).map(({ id }) => id));
      return rowAfterDismissal(all, new Set(gone.map(id => `1/${id}`)), left)?.id.slice(2);
    };
    assert.deepEqual(
      all.map(({ id }) => id),
      [
        '1/local',
        '1/advice again',
        '1/file 0:a.ts',
        '1/place 0:a.ts:1-2',
        '1/place 0:a.ts:8-9',
        '1/file 0:b.ts',
        '1/place 0:b.ts:1-2',
        '1/place 0:b.ts:8-9',
      ],
    );
    assert.equal(after('place 0:a.ts:1-2'), 'place 0:a.ts:8-9');
    assert.equal(after('place 0:a.ts:8-9'), 'file 0:b.ts');
    assert.equal(after('file 0:a.ts'), 'file 0:b.ts');
    assert.equal(after('place 0:b.ts:8-9'), 'place 0:b.ts:1-2');
    assert.equal(after('file 0:b.ts'), 'file 0:a.ts');
    assert.equal(after('file 0:a.ts', 'file 0:b.ts'), 'local');
    assert.equal(rowAfterDismissal(all, new Set(['1/local']), new Set()), undefined);
  });

  it('are the selected ones, or the one under the mouse, and nothing else', () => {
    const tree = new NodeTree(1);
    tree.update(input({ files: found('a.ts', 'b.ts') }));
    const [, a, b] = tree.roots;
    assert.deepEqual(nodesOf(a, undefined), [a]);
    assert.deepEqual(nodesOf(a, [a, b]), [a, b]);
    assert.deepEqual(nodesOf(undefined, [b, null, 'b', { kind: 'file' }, { children: [] }]), [b]);
    assert.deepEqual(nodesOf('a.ts', undefined), []);
    assert.equal(nodesOf(undefined, undefined), undefined);
  });
});

describe('files by the time of their change', () => {
  it('stand with the newest first and those of an unknown time last, as they were', () => {
    const changedAt = new Map([
      ['0:new.ts', 30],
      ['0:old.ts', 10],
    ]);
    for (const [order, expected] of [
      [['x.ts', 'old.ts', 'y.ts', 'new.ts'], 'new.ts old.ts x.ts y.ts'],
      [['new.ts', 'y.ts', 'old.ts', 'x.ts'], 'new.ts old.ts y.ts x.ts'],
      [['old.ts', 'new.ts', 'x.ts', 'y.ts'], 'new.ts old.ts x.ts y.ts'],
      [['y.ts', 'x.ts', 'new.ts', 'old.ts'], 'new.ts old.ts y.ts x.ts'],
    ] as const) {
      const shown = shownFiles(found(...order), {
        dismissed: new Set(),
        filter: '',
        sort: 'modified',
        changedAt,
      });
      assert.equal(shown.map(({ path }) => path).join(' '), expected);
    }
  });
});

describe('places of a file', () => {
  const [file] = found('a.ts');
  assert.ok(file);
  const lines = (changes: Parameters<typeof movePlaces>[1], lastLine: number) =>
    movePlaces(file, changes, lastLine).spans.map(({ startLine, endLine }) => [startLine, endLine]);

  it('follow several edits of one change, from the end to the beginning', () => {
    const below = { startLine: 20, endLine: 20, newLines: 31 };
    const above = { startLine: 4, endLine: 5, newLines: 1 };
    assert.deepEqual(lines([below, above], 49), [
      [1, 2],
      [7, 8],
    ]);
  });

  it('end with the text', () => {
    assert.deepEqual(lines([], 8), [
      [1, 2],
      [8, 8],
    ]);
    assert.deepEqual(lines([], 9), [
      [1, 2],
      [8, 9],
    ]);
    for (const lastLine of [1, 0])
      assert.deepEqual(lines([], lastLine), [
        [1, 1],
        [1, 1],
      ]);
    assert.deepEqual(lines([{ startLine: 5, endLine: 29, newLines: 1 }], 4).at(-1)?.[1], 4);
  });

  it('are the same where nothing moved, and keep their keys where something did', () => {
    for (const lastLine of [30, 9])
      assert.equal(movePlaces(file, [{ startLine: 20, endLine: 20, newLines: 1 }], lastLine), file);
    const moved = movePlaces(file, [{ startLine: 0, endLine: 0, newLines: 3 }], 30);
    assert.deepEqual(
      moved.spans.map(({ key }) => key),
      file.spans.map(({ key }) => key),
    );
  });
});
