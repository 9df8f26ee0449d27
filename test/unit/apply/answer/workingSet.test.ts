import assert from 'node:assert/strict';
import type { AnswerWorkspace } from '../../../../src/apply/answer/answerResult';
import { type EditOperation, part } from '../../../../src/apply/answer/operations';
import { WorkingSet } from '../../../../src/apply/answer/workingSet';
import { english } from '../../../../src/base/sentence';

type Files = Readonly<Record<string, string>>;

const usual: Files = { 'src/a.ts': 'one\ntwo\nthree\n', 'src/b.ts': 'x\n', 'lib/b.ts': 'y\n' };

function result(
  operations: readonly EditOperation[],
  { files = usual, more = {}, active = undefined as string | undefined } = {},
) {
  const parts = operations.map((operation, at) => part(`part ${at}`, operation));
  const workspace = {
    files: () => Object.keys(files),
    read: (path: string) => files[path],
    ...more,
  };
  const set = new WorkingSet(parts, workspace, active, english);
  for (const each of parts) set.apply(each);
  return set.result();
}

const filesOf = (...given: Parameters<typeof result>) =>
  result(...given).files.map(({ kind, path, newPath, text, certain }) => [
    newPath === undefined ? `${kind} ${path}` : `${kind} ${path} ${newPath}`,
    text,
    certain,
  ]);
const reasonsOf = (...given: Parameters<typeof result>): string[] => {
  const { files, refused } = result(...given);
  assert.deepEqual(files, []);
  return refused.map(({ reason }) => reason);
};

const blocks = (search: string, replace: string, path?: string): EditOperation => ({
  kind: 'blocks',
  path,
  blocks: [{ search, replace }],
});
const append = (path: string, text: string): EditOperation => ({
  kind: 'insert',
  path,
  line: 'end',
  text,
});
const create = (path: string, text: string): EditOperation => ({ kind: 'create', path, text });
const remove = (path: string, isStated?: boolean): EditOperation =>
  isStated === undefined ? { kind: 'delete', path } : { kind: 'delete', path, isStated };
const move = (path: string, newPath: string, more: object = {}): EditOperation => ({
  kind: 'rename',
  path,
  newPath,
  ...more,
});

describe('the parts of an answer, one after another', () => {
  it('make a new file that is not certain where its diff has lines without a mark', () => {
    const { files } = result([{ kind: 'create', path: 'c.ts', text: 'one\n', hasUnmarked: true }]);
    assert.deepEqual(
      files.map(({ certain, findings }) => [certain, findings.map(({ kind }) => kind)]),
      [[false, ['unmarkedLines']]],
    );
  });

  it('meet what earlier ones have made', () => {
    assert.deepEqual(
      filesOf([
        blocks('two', 'zwei', 'src/a.ts'),
        append('src/a.ts', 'four\n'),
        blocks('four', 'vier', 'src/a.ts'),
      ]),
      [['edit src/a.ts', 'one\nzwei\nthree\nvier\n', false]],
    );
    assert.deepEqual(filesOf([create('new.ts', 'x'), append('new.ts', 'y')]), [
      ['create new.ts', 'x\ny\n', true],
    ]);
    assert.deepEqual(filesOf([move('src/a.ts', 'c.ts'), append('c.ts', 'four')]), [
      ['rename src/a.ts c.ts', 'one\ntwo\nthree\nfour\n', true],
    ]);
  });

  it('change nothing together where one takes the other back', () => {
    assert.deepEqual(
      filesOf([append('src/b.ts', 'z'), { kind: 'write', path: 'src/b.ts', text: 'x\n' }]),
      [],
    );
    assert.deepEqual(filesOf([create('new.ts', 'x'), remove('new.ts')]), []);
  });

  it('say that an edit is made already, unless another one changes the file', () => {
    const again: EditOperation = { kind: 'write', path: 'src/b.ts', text: 'x\n' };
    assert.deepEqual(result([again]), {
      files: [],
      refused: [
        {
          part: 'part 0',
          path: 'src/b.ts',
          reason: 'src/b.ts already holds this edit: there is nothing to change.',
        },
      ],
    });
    assert.deepEqual(result([again, append('src/b.ts', 'z')]).refused, []);
    assert.equal(result([again, append('src/a.ts', 'z')]).refused.length, 1);
  });

  it('are unsure where a later one takes away what an earlier one adds', () => {
    const lost = result([
      blocks('two', 'new line', 'src/a.ts'),
      blocks('new line', 'other', 'src/a.ts'),
    ]);
    assert.deepEqual(
      lost.files.map(({ certain, findings }) => [
        certain,
        findings.filter(({ kind }) => kind === 'laterPart'),
      ]),
      [
        [
          false,
          [
            {
              kind: 'laterPart',
              severity: 'warning',
              line: 1,
              message:
                'A later part of the answer takes away what an earlier one adds, such as "new line".',
            },
          ],
        ],
      ],
    );
    const kept = result([
      blocks('two', 'two\nnew line', 'src/a.ts'),
      blocks('new line', 'new line\nother', 'src/a.ts'),
    ]);
    assert.deepEqual(
      kept.files.map(({ certain, findings }) => [certain, findings]),
      [[true, []]],
    );
    const gone = result([append('src/a.ts', 'new line'), remove('src/a.ts')]);
    assert.deepEqual(
      gone.files.map(({ kind, certain }) => [kind, certain]),
      [['delete', false]],
    );
  });
});

const outside = (path: string): string =>
  `${path} is outside of the workspace, so it is not changed.`;
const unreadable = (path: string): string | undefined =>
  path === 'src/b.ts' ? 'It is too large.' : undefined;

describe('files that are created, deleted and renamed', () => {
  it('have their new text with a line end', () => {
    assert.deepEqual(filesOf([create('n.ts', 'x'), create('m.ts', 'x\n'), create('e.ts', '')]), [
      ['create n.ts', 'x\n', true],
      ['create m.ts', 'x\n', true],
      ['create e.ts', '', true],
    ]);
  });

  it('are written where they exist, and are the same file again after they were deleted', () => {
    assert.deepEqual(filesOf([create('src/b.ts', 'z\n')]), [['edit src/b.ts', 'z\n', true]]);
    assert.deepEqual(filesOf([remove('src/a.ts'), create('src/a.ts', 'z')]), [
      ['edit src/a.ts', 'z\n', true],
    ]);
  });

  it('are unsure where only a sentence says so', () => {
    assert.deepEqual(filesOf([remove('src/a.ts', true), remove('src/b.ts', false)]), [
      ['delete src/a.ts', undefined, false],
      ['delete src/b.ts', undefined, true],
    ]);
    assert.deepEqual(
      filesOf([move('src/a.ts', 'c.ts', { isStated: true }), move('src/b.ts', 'd.ts')]),
      [
        ['rename src/a.ts c.ts', undefined, false],
        ['rename src/b.ts d.ts', undefined, true],
      ],
    );
  });

  it('are changed on the way, or copied', () => {
    const diff = '@@ -1 +1 @@\n-x\n+z';
    assert.deepEqual(filesOf([move('src/b.ts', 'c.ts', { diff })]), [
      ['rename src/b.ts c.ts', 'z\n', true],
    ]);
    assert.deepEqual(filesOf([{ kind: 'copy', path: 'src/b.ts', newPath: 'c.ts', diff }]), [
      ['create c.ts', 'z\n', true],
    ]);
    assert.deepEqual(filesOf([{ kind: 'copy', path: 'src/b.ts', newPath: 'c.ts' }]), [
      ['create c.ts', 'x\n', true],
    ]);
    assert.equal(reasonsOf([move('src/b.ts', 'c.ts', { diff: '@@ -1 +1 @@\n-q\n+z' })]).length, 1);
  });

  it('are refused where there is none, where one is in the way, and outside', () => {
    const copy: EditOperation = { kind: 'copy', path: 'c.ts', newPath: 'd.ts' };
    assert.deepEqual(reasonsOf([remove('c.ts'), move('c.ts', 'd.ts'), copy]), [
      'There is no file c.ts in this workspace to delete.',
      'There is no file c.ts in this workspace to rename.',
      'There is no file c.ts in this workspace to copy.',
    ]);
    assert.deepEqual(reasonsOf([move('src/a.ts', 'src/b.ts')]), [
      'src/b.ts exists already, so src/a.ts does not take its place.',
    ]);
    assert.deepEqual(
      reasonsOf([
        remove('../c.ts'),
        create('../d.ts', 'x'),
        move('../e.ts', 'f.ts'),
        move('src/a.ts', '../g.ts'),
        append('../h.ts', 'x'),
      ]),
      ['../c.ts', '../d.ts', '../e.ts', '../g.ts', '../h.ts'].map(outside),
    );
  });

  it('are gone from their old places', () => {
    const { files, refused } = result([
      move('src/a.ts', 'c.ts'),
      remove('src/a.ts'),
      remove('c.ts'),
      remove('c.ts'),
    ]);
    assert.deepEqual(
      files.map(({ kind, path }) => [kind, path]),
      [['delete', 'src/a.ts']],
    );
    assert.deepEqual(
      refused.map(({ part: source }) => source),
      ['part 1', 'part 3'],
    );
  });

  it('have names of one line', () => {
    const reason = 'It does not say which file it is for.';
    assert.deepEqual(
      reasonsOf([
        remove('a\nb'),
        create('a\rb', 'x'),
        move('src/a.ts', 'b\nc'),
        append('a\0', 'x'),
      ]),
      [reason, reason, reason, reason],
    );
  });

  it('are left alone where they have no text', () => {
    const more = {
      unreadable,
      read: (path: string) => (path === 'src/b.ts' ? undefined : usual[path]),
    };
    assert.deepEqual(
      reasonsOf(
        [
          append('src/b.ts', 'x'),
          create('src/b.ts', 'x'),
          remove('src/b.ts'),
          move('src/b.ts', 'c.ts'),
        ],
        { more },
      ),
      [
        'It is too large.',
        'It is too large.',
        'It is too large. Delete it in the Explorer instead.',
        'It is too large. Rename or copy it in the Explorer instead.',
      ],
    );
    assert.deepEqual(reasonsOf([move('src/a.ts', 'src/b.ts')], { more }), [
      'src/b.ts exists already, so src/a.ts does not take its place.',
    ]);
    assert.deepEqual(reasonsOf([append('src/b.ts', 'x')], { more: { read: () => undefined } }), [
      'src/b.ts cannot be read as text.',
    ]);
  });
});

describe('the file of an edit', () => {
  it('is new where there is none and the edit shows the whole of it', () => {
    assert.deepEqual(filesOf([{ kind: 'write', path: 'n.ts', text: 'x' }]), [
      ['create n.ts', 'x\n', true],
    ]);
    assert.deepEqual(reasonsOf([blocks('q', 'r', 'n.ts')]), [
      'There is no file n.ts in this workspace, and the edit shows only a part of it.',
    ]);
  });

  it('is the one of several with its name that the edit fits', () => {
    assert.deepEqual(filesOf([blocks('y', 'z', 'b.ts')]), [['edit lib/b.ts', 'z\n', true]]);
    const reason = 'Several files have this name: src/b.ts, lib/b.ts. Say which one is meant.';
    assert.deepEqual(reasonsOf([blocks('q', 'z', 'b.ts')]), [reason]);
    assert.deepEqual(reasonsOf([append('b.ts', 'z')]), [reason]);
    assert.deepEqual(filesOf([append('b.ts', 'z')], { active: 'lib/c.ts' }), [
      ['edit lib/b.ts', 'y\nz\n', true],
    ]);
  });

  it('is the active one for an edit without a name, if it fits, or the one that holds its lines', () => {
    const files = { 'a.ts': 'const first = 1;\nconst second = 2;\n', 'b.ts': 'x\n' };
    const edit = blocks('const second = 2;', 'const second = 3;');
    const edited = ['edit a.ts', 'const first = 1;\nconst second = 3;\n'];
    for (const active of ['a.ts', 'b.ts', 'gone.ts', undefined])
      assert.deepEqual(
        filesOf([edit], { files, active }).map(([what, text]) => [what, text]),
        [edited],
        active,
      );
    assert.deepEqual(reasonsOf([blocks('nowhere', 'x')], { files }), [
      'It does not say which file it is for.',
    ]);
  });

  it('is named with what the active file lacks, where no other holds the lines', () => {
    const files = { 'a.ts': 'const first = 1;\n' };
    const [reason = ''] = reasonsOf([blocks('nowhere', 'x')], { files, active: 'a.ts' });
    assert.notEqual(reason, '');
    assert.doesNotMatch(reason, /does not say which file/);
  });

  it('may be one that the answer has made, and none that it has renamed or deleted', () => {
    const files = { 'a.ts': 'const first = 1;\nconst second = 2;\n' };
    const edit = blocks('const second = 2;', 'const second = 3;');
    const texts = (operations: readonly EditOperation[], more: Partial<AnswerWorkspace> = {}) =>
      result(operations, { files, more }).files.map(({ path, newPath, text }) => [
        newPath ?? path,
        text,
      ]);
    const held = { score: 1, alone: 1, hasNamesake: false, at: 0, length: 3 };
    const holding = [{ file: { path: 'a.ts' }, ...held }];
    for (const more of [{}, { search: () => holding }]) {
      assert.deepEqual(texts([move('a.ts', 'b.ts'), edit], more), [
        ['b.ts', 'const first = 1;\nconst second = 3;\n'],
      ]);
      assert.deepEqual(texts([remove('a.ts'), edit], more), [['a.ts', undefined]]);
      assert.deepEqual(
        texts([remove('a.ts'), create('c.ts', 'const second = 2;'), edit], more)[1],
        ['c.ts', 'const second = 3;\n'],
      );
    }
  });
});

describe('a notebook that is open', () => {
  const cells = { 'n.ipynb#1.py': 'load()\n', 'n.ipynb#2.py': 'plot(1)\n' };
  const more: Partial<AnswerWorkspace> = {
    cells: path => (path === 'n.ipynb' ? Object.keys(cells) : undefined),
  };
  const files = { ...cells, 'n.ipynb': '{"cells": []}' };

  it('is changed in the cell that takes the edit', () => {
    assert.deepEqual(filesOf([blocks('plot(1)', 'plot(2)', 'n.ipynb')], { files, more }), [
      ['edit n.ipynb#2.py', 'plot(2)\n', true],
    ]);
    assert.deepEqual(reasonsOf([blocks('save()', 'plot(2)', 'n.ipynb')], { files, more }), [
      'It fits none of the cells of the notebook.',
    ]);
  });
});
