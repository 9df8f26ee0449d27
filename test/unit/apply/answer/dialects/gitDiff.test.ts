import assert from 'node:assert/strict';
import { diffEnd, isDiffStart, readDiff } from '../../../../../src/apply/answer/dialects/gitDiff';
import { applied } from '../../../../support/unit/applied';

const operationsOf = (text: string) =>
  readDiff(text.split('\n')).map(({ operation }) =>
    operation.kind === 'none' ? { ...operation, reason: operation.reason.text } : operation,
  );
const endOf = (text: string, limit?: number): number => diffEnd(text.split('\n'), 0, limit);
const starts = (text: string): boolean => isDiffStart(text.split('\n'), 0);

const mail = 'From 0123456789abcdef0123456789abcdef01234567 Mon Sep 17 00:00:00 2001';
const hunk = '@@ -1 +1 @@\n-x\n+y';
const names = '--- a/a.ts\n+++ b/a.ts';

describe('the start of a diff', () => {
  it('is the header of git, that of a mail, or the names of a file with a hunk', () => {
    for (const text of [
      'diff --git a/a.ts b/a.ts',
      mail,
      `${names}\n@@ -1 +1 @@`,
      `${names}\n@@`,
      `${names}\n@@ ... @@`,
      '--- a/a.ts\n@@ -1,2 +1,2 @@',
    ])
      assert.ok(starts(text), text);
  });

  it('is no rule, and no names without a hunk', () => {
    for (const text of [
      names,
      `${names}\nwords`,
      '--- a/a.ts\n@@ ... @@',
      '--- a/a.ts',
      '+++ b/a.ts\n@@ -1 +1 @@',
      '@@ -1 +1 @@',
      'From me Mon Sep 17 00:00:00 2001',
      '',
    ])
      assert.ok(!starts(text), text);
  });
});

describe('the end of a diff', () => {
  it('is where the counts of its header end, also for lines that lost their marks', () => {
    assert.equal(endOf(`${names}\n@@ -1,3 +1,3 @@\n a\n-b\n+c\nd\nwords`), 7);
    assert.equal(endOf(`${names}\n@@ -1,2 +1,4 @@\n a\nb\nc\n+d\nwords`), 7);
    assert.equal(endOf(`${names}\n@@ -1 +1 @@\n-a\n+b\nwords\n more`), 5);
  });

  it('is where marks end without counts, or where there are more marks than counted', () => {
    assert.equal(endOf(`${names}\n@@\n a\n-b\n+c\nwords\n+d`), 6);
    assert.equal(endOf(`${names}\n@@ -1 +1 @@\n-a\n+b\n c\n\\ No newline\nwords`), 7);
  });

  it('is before blank lines that follow, and before what begins another part', () => {
    assert.equal(endOf(`${names}\n${hunk}\n\n  \n\nwords`), 5);
    assert.equal(endOf('words'), 0);
    for (const other of [
      '*** Begin Patch',
      '*** Add File: b.ts',
      '```ts',
      '<<<<<<< SEARCH',
      '------- SEARCH',
      '<file path="b.ts">',
    ])
      assert.equal(endOf(`${names}\n${hunk}\nwords\n${other}\n${names}\n${hunk}`), 5, other);
  });

  it('is behind all of its files, with lines between them', () => {
    const two = `diff --git a/a.ts b/a.ts\nindex 12..34\n${names}\n${hunk}\nwords\n--- a/b.ts\n+++ b/b.ts\n${hunk}\nend`;
    assert.equal(endOf(two), 13);
    assert.equal(endOf(two, 7), 7);
    assert.equal(endOf(two, 4), 4);
    assert.equal(endOf(`diff --git a/a.ts b/b.ts\nrename from a.ts\nrename to b.ts\nwords`), 3);
  });

  it('is behind the lines of a binary patch', () => {
    const binary =
      'diff --git a/a.png b/a.png\nindex 12..34 100644\nGIT binary patch\nliteral 10\nRcmV+U0RRBc0{{R3\n\nliteral 0\nHcmV?d00001\n\n';
    assert.equal(endOf(`${binary}Those are all.`), 8);
    // Without that header they are words.
    assert.equal(endOf('diff --git a/a.png b/a.png\nRcmV+U0RRBc0{{R3'), 1);
  });

  it('is before the signature of a mail', () => {
    assert.equal(endOf(`${mail}\n${names}\n@@\n-x\n+y\n-- \n2.43.0\n`), 6);
    assert.equal(endOf(`${mail}\n${names}\n@@\n-x\n+y\n-- \n-more\nwords`), 8);
  });
});

const of = (text: string) => operationsOf(text)[0];

describe('what a diff does', () => {
  it('edits, creates, deletes, renames and copies files', () => {
    assert.deepEqual(of(`${names}\n${hunk}`), { kind: 'diff', path: 'a.ts', diff: hunk });
    assert.deepEqual(of(`--- /dev/null\n+++ b/new.ts\n@@ -0,0 +1,2 @@\n+one\n+two`), {
      kind: 'create',
      path: 'new.ts',
      text: 'one\ntwo\n',
    });
    assert.deepEqual(of('diff --git a/e.ts b/e.ts\nnew file mode 100644\nindex 00..11'), {
      kind: 'create',
      path: 'e.ts',
      text: '',
    });
    assert.deepEqual(of('--- a/old.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-x'), {
      kind: 'delete',
      path: 'old.ts',
    });
    assert.deepEqual(of('diff --git a/e.ts b/e.ts\ndeleted file mode 100644'), {
      kind: 'delete',
      path: 'e.ts',
    });
    for (const kind of ['rename', 'copy'] as const) {
      const head = `diff --git a/a.ts b/b.ts\nsimilarity index 90%\n${kind} from a.ts\n${kind} to b.ts`;
      const base = { kind, path: 'a.ts', newPath: 'b.ts' };
      assert.deepEqual(of(head), { ...base, diff: undefined });
      assert.deepEqual(of(`${head}\n--- a/a.ts\n+++ b/b.ts\n${hunk}`), { ...base, diff: hunk });
    }
  });

  it('renames where git names two files without saying so, and else edits the old one', () => {
    const two = `--- a/a.ts\n+++ b/b.ts\n${hunk}`;
    assert.deepEqual(operationsOf(`diff --git a/a.ts b/b.ts\n${two}`), [
      { kind: 'rename', path: 'a.ts', newPath: 'b.ts', diff: hunk },
    ]);
    assert.deepEqual(operationsOf(two), [{ kind: 'diff', path: 'a.ts', diff: hunk }]);
  });

  it('has its names from the header of git where no other line has them', () => {
    assert.deepEqual(operationsOf(`diff --git a/a.ts b/a.ts\nindex 12..34\n${hunk}`), [
      { kind: 'diff', path: 'a.ts', diff: hunk },
    ]);
    assert.deepEqual(operationsOf(`+++ b/a.ts\n${hunk}`), [
      { kind: 'diff', diff: `+++ b/a.ts\n${hunk}` },
    ]);
  });

  it('cannot be applied where it is binary, changes a mode, or changes nothing', () => {
    const head = 'diff --git a/a.png b/a.png';
    const binary = 'It is a binary change, which cannot be applied as text.';
    for (const [rest, reason] of [
      ['GIT binary patch\nliteral 0', binary],
      ['Binary files a/a.png and b/a.png differ', binary],
      [
        'old mode 100644\nnew mode 100755',
        'It changes only the mode of the file. Change that in a terminal.',
      ],
      ['index 12..34', 'The diff changes nothing in this file.'],
    ] as const)
      assert.deepEqual(operationsOf(`${head}\n${rest}`), [{ kind: 'none', path: 'a.png', reason }]);
    const gone = 'diff --git a/a.png b/a.png\n--- a/a.png\n+++ /dev/null\nGIT binary patch';
    assert.deepEqual(operationsOf(gone), [{ kind: 'none', path: 'a.png', reason: binary }]);
    assert.deepEqual(operationsOf('diff --git a/one two b/x y z\nindex 12..34'), [
      { kind: 'none', reason: 'The diff names no file and changes nothing.' },
    ]);
    assert.deepEqual(operationsOf(`--- /dev/null\n+++ /dev/null\n${hunk}`), [
      { kind: 'diff', diff: hunk },
    ]);
  });

  it('is read by its marks where a new file is damaged', () => {
    const [created] = operationsOf(
      '--- /dev/null\n+++ b/new.ts\n@@ -0,0 +1,3 @@\n+one\n-gone\n+two',
    );
    assert.deepEqual(created, { kind: 'create', path: 'new.ts', text: 'one\ntwo\n' });
  });
});

const kinds = (text: string): string[] => operationsOf(text).map(({ kind }) => kind);
const file = (path: string): string =>
  `Index: ${path}\n${'='.repeat(67)}\n--- ${path}\t(revision 1)\n+++ ${path}\t(working copy)\n${hunk}`;

describe('a diff of several files', () => {
  it('has a part for each, with or without the header of git', () => {
    const other = names.replaceAll('a.ts', 'b.ts');
    const edit = (path: string) => ({ kind: 'diff', path, diff: hunk });
    assert.deepEqual(operationsOf(`${names}\n${hunk}\n${other}\n${hunk}`), [
      edit('a.ts'),
      edit('b.ts'),
    ]);
    assert.deepEqual(
      operationsOf(
        `diff --git a/a.ts b/a.ts\n${names}\n${hunk}\ndiff --git a/b.ts b/b.ts\n${other}\n${hunk}`,
      ),
      [edit('a.ts'), edit('b.ts')],
    );
    assert.equal(
      readDiff(`${names}\n${hunk}\n${other}\n${hunk}`.split('\n'))[1]?.source,
      `${other}\n${hunk}`,
    );
  });

  it('keeps lines of a hunk that look like names', () => {
    const quoted = '@@ -1,3 +1,3 @@\n x\n--- a/quoted\n+++ b/quoted\n y';
    assert.deepEqual(operationsOf(`${names}\n${quoted}`), [
      { kind: 'diff', path: 'a.ts', diff: quoted },
    ]);
  });

  it('begins anew where names follow names without a hunk', () => {
    const other = names.replaceAll('a.ts', 'b.ts');
    assert.deepEqual(operationsOf(`${names}\n${other}\n${hunk}`), [
      { kind: 'none', path: 'a.ts', reason: 'The diff changes nothing in this file.' },
      { kind: 'diff', path: 'b.ts', diff: hunk },
    ]);
  });

  it('is only its changes in mails, without messages and signatures', () => {
    const edit = { kind: 'diff', path: 'a.ts', diff: hunk };
    const one = `${mail}\nFrom: Ada\nSubject: [PATCH] x\n\nconst quoted = call(1);\n---\n a.ts | 2 +-\n\ndiff --git a/a.ts b/a.ts\n${names}\n${hunk}\n-- \n2.43.0\n\n`;
    assert.deepEqual(operationsOf(one), [edit]);
    assert.deepEqual(operationsOf(`${one}${one}`), [edit, edit]);
    // The last line of a hunk may look like the begin of a signature.
    const [kept] = operationsOf(`${names}\n@@ -1,2 +1 @@\n-x\n-- \n2.0 words\nmore`);
    assert.equal(kept?.kind === 'diff' && kept.diff.includes('\n-- '), true);
  });

  it('lists code that stands before it or behind its hunks', () => {
    const code = 'const one = call(1);\nconst two = call(2);\nreturn one + two;';
    assert.deepEqual(kinds(`${code}\n${names}\n${hunk}`), ['none', 'diff']);
    assert.deepEqual(kinds(`${names}\n${hunk}\n${code}`), ['diff', 'none']);
  });

  it('has nothing but its changes where Subversion made it', () => {
    const texts = { 'a.ts': 'x\n', 'b.ts': 'x\n' };
    assert.deepEqual(applied(`\`\`\`diff\n${file('a.ts')}\n${file('b.ts')}\n\`\`\`\n`, texts), {
      files: [
        ['edit', 'a.ts', 'y\n'],
        ['edit', 'b.ts', 'y\n'],
      ],
      refused: [],
    });
  });

  it('keeps lines of a new file that have lost their mark, and says so', () => {
    const head = 'diff --git a/n.ts b/n.ts\nnew file mode 100644\n--- /dev/null\n+++ b/n.ts';
    const rows = ['+const one = 1;', 'const two = 2;', ' const three = 3;', '', '+const four = 4;'];
    const text = 'const one = 1;\nconst two = 2;\nconst three = 3;\n\nconst four = 4;\n';
    const create = { kind: 'create', path: 'n.ts', text };
    assert.deepEqual(operationsOf(`${head}\n@@ -0,0 +1,5 @@\n${rows.join('\n')}`), [
      { ...create, hasUnmarked: true },
    ]);
    const blankOnly = rows.map(row => (row === '' ? '' : `+${row.replace(/^[+ ]/, '')}`));
    assert.deepEqual(operationsOf(`${head}\n@@ -0,0 +1,5 @@\n${blankOnly.join('\n')}`), [create]);
  });

  it('makes no empty file of one whose hunk cannot be found', () => {
    const head = 'diff --git a/n.ts b/n.ts\nnew file mode 100644\n';
    assert.deepEqual(
      operationsOf(`${head}--- /dev/null\n+++ b/n.ts\n  @@ -0,0 +1 @@\n+const one = 1;`),
      [
        {
          kind: 'none',
          path: 'n.ts',
          reason: 'The diff of this new file holds none of its lines.',
        },
      ],
    );
    assert.equal(operationsOf(`${head}+const one = 1;`)[0]?.kind, 'none');
    assert.deepEqual(operationsOf(`${head}index 0000000..e69de29`), [
      { kind: 'create', path: 'n.ts', text: '' },
    ]);
  });

  it('is one part without a name where no line names a file', () => {
    assert.deepEqual(operationsOf(hunk), [{ kind: 'diff', diff: hunk }]);
  });
});
