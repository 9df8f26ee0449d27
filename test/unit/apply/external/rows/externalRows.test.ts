import assert from 'node:assert/strict';
import { fileChanges } from '../../../../../src/apply/external/core/fileChanges';
import type { WriteLabel } from '../../../../../src/apply/external/core/rootState';
import type { PendingFile } from '../../../../../src/apply/external/core/tracker';
import {
  type ExternalRowsInput,
  externalRows,
} from '../../../../../src/apply/external/rows/externalRows';
import type { ListedFile } from '../../../../../src/apply/external/rows/groups';
import type { RowData } from '../../../../../src/platform/tree/rows';
import { listedFile } from './listedFile';

const t = (message: string, ...values: (string | number)[]): string =>
  message.replace(/\{(\d)\}/g, (_, n: string) => `${values[Number(n)]}`);
const noon = new Date(2026, 4, 4, 12).getTime();
const label: WriteLabel = { from: noon, to: noon, agent: 'claude', session: 's', turn: '1' };

const listed = (path: string, more: Partial<PendingFile> = {}): ListedFile =>
  listedFile(path, { labels: [label], ...more });

const changes = fileChanges(
  'cart.ts',
  ['one\n', 'two\n', 'three\n', 'four\n', 'five\n', 'six\n', 'seven\n'],
  ['one\n', 'TWO\n', 'three\n', 'four\n', 'five\n', 'six\n'],
);

const rows = (
  files: readonly ListedFile[],
  given: Partial<ExternalRowsInput<ListedFile>> = {},
): RowData[] =>
  externalRows({
    files,
    total: files.length,
    grouping: 'turn',
    changesOf: ({ label: path }) => (path.endsWith('cart.ts') ? changes : undefined),
    isInConflict: () => false,
    isQueued: () => false,
    now: noon,
    locale: 'en-GB',
    t,
    showCommand: 'show',
    ...given,
  });
const text = (list: readonly RowData[], indent = ''): string[] =>
  list.flatMap(row => [
    `${indent}${row.icon?.id} ${row.label} [${row.description}] ${row.context}`,
    ...text(row.children ?? [], `${indent}  `),
  ]);

const whole = (given: Partial<PendingFile>) => text(rows([listed('x', given)]))[2]?.trim();

const shownOf = (before: string[], after: string[]): string[] => {
  const own = fileChanges('cart.ts', before, after);
  return text(rows([listed('cart.ts')], { changesOf: () => own }))
    .slice(2)
    .map(row => row.trim());
};

describe('externalRows', () => {
  it('are none when nothing is pending', () => {
    assert.deepEqual(rows([]), []);
  });

  it('list files and changes below the turn that made them', () => {
    assert.deepEqual(
      text(
        rows([
          listed('src/cart.ts'),
          listed('b.ts', {
            labels: [{ from: noon - 3_600_000, to: noon - 3_600_000 }],
            status: 'created',
            whole: 'created',
          }),
        ]),
      ),
      [
        'desktop-download Changed outside of the editor [2 files] ;external;',
        '  hubot Claude Code, 12:00 [1 file] ;externalGroup;',
        '    diff-modified cart.ts [2 changes · +1 −2 · src] ;externalFile;',
        '      diff-modified Line 2 [+1 −1 · TWO] ;externalChange;',
        '      diff-removed Line 7 [+0 −1 · seven] ;externalChange;',
        '  terminal Another program, 11:00 [1 file] ;externalGroup;',
        '    diff-added b.ts [new file] ;externalFile;',
      ],
    );
  });

  it('say why a file is decided as a whole', () => {
    assert.deepEqual(
      [
        whole({ whole: 'deleted', status: 'deleted' }),
        whole({ whole: 'renamed', status: 'renamed', from: 'old' }),
        whole({ whole: 'binary' }),
        whole({ whole: 'encoding' }),
        whole({ whole: 'large' }),
        whole({ whole: 'unknown' }),
        whole({ whole: 'lost', isEdited: true }),
      ],
      [
        'diff-removed x [deleted] ;externalFile;',
        'diff-renamed x [renamed from old] ;externalFile;',
        'diff-modified x [binary] ;externalFile;',
        'diff-modified x [not UTF-8] ;externalFile;',
        'diff-modified x [too large to be shown by change] ;externalFile;',
        'diff-modified x [no earlier text is known] ;externalFile;',
        'diff-modified x [the earlier text is lost · edited by you] ;externalFile;',
      ],
    );
  });

  it('fold generated files into one item', () => {
    const list = rows([listed('src/cart.ts'), listed('package-lock.json', { isGenerated: true })]);
    const folded = list[0]?.children?.[0]?.children?.[1];
    assert.deepEqual(
      [folded?.label, folded?.description, folded?.fold, folded?.children?.length],
      ['Generated and lock files', '1 file', 'closed', 1],
    );
  });

  it('mark a conflict by icon and in words', () => {
    const [, , file] = text(rows([listed('a')], { isInConflict: () => true }));
    assert.equal(file?.trim(), 'warning a [unsaved text of yours] ;externalFile;externalConflict;');
  });

  it('say which files wait for the end of a turn', () => {
    const [, , file] = text(rows([listed('a')], { isQueued: () => true }));
    assert.equal(
      file?.trim(),
      'clock a [undone at the end of the turn] ;externalFile;externalQueued;',
    );
  });

  it('say how many a filter leaves', () => {
    assert.equal(rows([listed('a')], { total: 3 })[0]?.description, '1 of 3 files');
  });

  it('speak whole words', () => {
    const file = rows([listed('src/cart.ts')])[0]?.children?.[0]?.children?.[0];
    assert.equal(file?.spoken, 'src/cart.ts, 2 changes, lines added: 1, removed: 2');
    assert.equal(file?.children?.[0]?.spoken, 'Line 2, lines added: 1, removed: 1, TWO');
  });

  it('list files by their path below one heading', () => {
    const [, ...files] = text(
      rows([listed('src/b.ts'), listed('a.ts'), listed('src/a.ts')], { grouping: 'file' }),
    );
    assert.deepEqual(files, [
      '  diff-modified a.ts [] ;externalFile;',
      '  diff-modified a.ts [src] ;externalFile;',
      '  diff-modified b.ts [src] ;externalFile;',
    ]);
    assert.deepEqual(rows([listed('a')], { grouping: 'file' })[0]?.children?.length, 1);
  });

  it('say between which times a turn wrote, and that several agents were at work', () => {
    const later = { ...label, from: noon + 60_000, to: noon + 120_000, isShared: true } as const;
    const [heading] = rows([listed('a'), listed('b', { labels: [later] })]);
    const group = heading?.children?.[0];
    assert.equal(group?.label, 'Claude Code, 12:00 to 12:02');
    assert.equal(group?.description, '2 files · several at once');
    assert.equal(group?.spoken, 'Claude Code, 12:00 to 12:02, 2 files, several at once');
    assert.equal(
      group?.tooltip,
      'Claude Code, 12:00 to 12:02\n2 files\nseveral at once\nMore than one agent was at work, so the name may be that of another one.',
    );
    assert.equal(rows([listed('a')])[0]?.children?.[0]?.tooltip, 'Claude Code, 12:00\n1 file');
  });

  it('open the file, or one change of it', () => {
    const file = rows([listed('src/cart.ts')])[0]?.children?.[0]?.children?.[0];
    const title = 'Open Changes';
    assert.deepEqual(file?.command, { id: 'show', title, args: ['file:///w/src/cart.ts'] });
    assert.deepEqual(file?.children?.[1]?.command, {
      id: 'show',
      title,
      args: ['file:///w/src/cart.ts', changes[1]?.id],
    });
    assert.equal(file?.tooltip, 'src/cart.ts\n2 changes\n+1 −2');
  });

  it('show the changes at once where there are at most 20, in at most 20 files', () => {
    const [first] = changes;
    assert.ok(first);
    const folds = (count: number, of: number): (string | undefined)[] => {
      const files = Array.from({ length: count }, (_, at) => listed(`${at}/cart.ts`));
      const own = Array.from({ length: of }, () => first);
      const shown = rows(files, { changesOf: () => own })[0]?.children?.[0]?.children ?? [];
      return [...new Set(shown.map(({ fold }) => fold))];
    };
    assert.deepEqual(folds(20, 20), ['open']);
    assert.deepEqual(folds(21, 1), ['closed']);
    assert.deepEqual(folds(1, 21), ['closed']);
    assert.deepEqual(folds(1, 0), [undefined]);
    const generated = rows([listed('cart.ts', { isGenerated: true })])[0]?.children?.[0];
    assert.equal(generated?.children?.[0]?.children?.[0]?.fold, 'closed');
  });

  it('name a change by its first line with words, and say what kind it is', () => {
    assert.deepEqual(shownOf(['a\n'], ['a\n', '{\n', '  b\n', '  c\n']), [
      'diff-modified cart.ts [1 change · +3 −0] ;externalFile;',
      'diff-added Line 2 [+3 −0 · b] ;externalChange;',
    ]);
    assert.deepEqual(shownOf(['a\n', '}\n', 'b\n', 'c\n'], ['a\n']), [
      'diff-modified cart.ts [1 change · +0 −3] ;externalFile;',
      'diff-removed Line 2 [+0 −3 · b] ;externalChange;',
    ]);
    assert.deepEqual(shownOf(['a\n', 'b\n'], ['a\n', '  b\n']), [
      'diff-modified cart.ts [1 change · white space only · +1 −1] ;externalFile;',
      'diff-modified Line 2 [+1 −1 · white space only · b] ;externalChange;',
    ]);
    const [both] = shownOf(
      ['a\n', '1\n', '2\n', '3\n', 'b\n'],
      ['  a\n', '1\n', '2\n', '3\n', 'B\n'],
    );
    assert.equal(both, 'diff-modified cart.ts [2 changes · +2 −2] ;externalFile;');
  });

  it('say which changes the user has edited', () => {
    const own = changes.map(change => ({ ...change, isEdited: true as const }));
    const [file] =
      rows([listed('cart.ts')], { changesOf: () => own })[0]?.children?.[0]?.children ?? [];
    assert.equal(file?.children?.[0]?.description, '+1 −1 · edited by you · TWO');
    assert.equal(
      file?.children?.[0]?.spoken,
      'Line 2, lines added: 1, removed: 1, edited by you, TWO',
    );
  });

  it('name no file twice with one id', () => {
    const ids: string[] = [];
    const collect = (list: readonly RowData[]): void => {
      for (const row of list) {
        ids.push(row.id);
        collect(row.children ?? []);
      }
    };
    collect(
      rows([listed('src/cart.ts'), listed('lib/cart.ts'), listed('b', { isGenerated: true })]),
    );
    assert.equal(new Set(ids).size, ids.length);
  });
});
