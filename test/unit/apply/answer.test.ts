import assert from 'node:assert/strict';
import { type AnswerResult, applyAnswer } from '../../../src/apply/answer';

const cart = `import { total } from './money';

export function add(sku: string): void {
  lines.push(sku);
}

export function remove(sku: string): void {
  lines.delete(sku);
}
`;
const money = `export const total = (values: number[]): number =>
  values.reduce((sum, value) => sum + value, 0);
`;

type Files = Readonly<Record<string, string>>;
const usual: Files = { 'src/cart.ts': cart, 'src/money.ts': money, 'README.md': '# Shop\n' };

function apply(answer: string, files: Files = usual, activePath?: string): AnswerResult {
  const workspace = { files: () => Object.keys(files), read: (path: string) => files[path] };
  return applyAnswer(answer, workspace, { activePath });
}

const shapeOf = ({ files }: AnswerResult) =>
  files.map(({ kind, path, newPath }) => [kind, path, ...(newPath === undefined ? [] : [newPath])]);

const textOf = ({ files }: AnswerResult, path: string): string | undefined =>
  files.find(file => file.path === path || file.newPath === path)?.text;

const fence = (code: string, info = 'ts'): string => `\`\`\`${info}\n${code}\`\`\`\n`;
const blocks = (search: string, replace: string): string =>
  `<<<<<<< SEARCH\n${search}=======\n${replace}>>>>>>> REPLACE\n`;
const counted = blocks('  lines.delete(sku);\n', '  lines.delete(sku);\n  count--;\n');
const withCount = cart.replace('  lines.delete(sku);\n', '  lines.delete(sku);\n  count--;\n');

const git = (from: string, to: string, rest: string) => `diff --git a/${from} b/${to}\n${rest}\n`;

/** A call of a tool that inserts the line `x` behind a line of a file. */
function insertX(text: string, line: number) {
  const input = { path: 'a.txt', insert_line: line, new_str: 'x' };
  return apply(JSON.stringify({ name: 'insert', arguments: input }), { 'a.txt': text });
}

describe('an answer that names a file without text', () => {
  const image = 'media/logo.png is a binary file.';
  const workspace = {
    files: () => ['media/logo.png', 'src/cart.ts'],
    read: (path: string) => (path === 'src/cart.ts' ? cart : undefined),
    unreadable: (path: string) => (path === 'media/logo.png' ? image : undefined),
  };
  const reasonOf = (answer: string) => {
    const { files, refused } = applyAnswer(answer, workspace);
    assert.deepEqual(files, []);
    return refused.map(({ reason }) => reason);
  };
  it('says why it is not edited, and does not put a new file in its place', () => {
    assert.deepEqual(reasonOf(`### media/logo.png\n\n${fence('const all = 1;\n')}`), [image]);
    assert.deepEqual(reasonOf(`media/logo.png\n${counted}`), [image]);
  });

  it('says where to delete or rename it', () => {
    assert.deepEqual(
      reasonOf(git('media/logo.png', 'media/logo.png', 'deleted file mode 100644')),
      [`${image} Delete it in the Explorer instead.`],
    );
    const moved = 'similarity index 100%\nrename from media/logo.png\nrename to media/sign.png';
    assert.deepEqual(reasonOf(git('media/logo.png', 'media/sign.png', moved)), [
      `${image} Rename or copy it in the Explorer instead.`,
    ]);
  });

  it('moves no other file to its place', () => {
    const moved = 'similarity index 100%\nrename from src/cart.ts\nrename to media/logo.png';
    assert.match(reasonOf(git('src/cart.ts', 'media/logo.png', moved)).join(), /exists already/);
  });
});

describe('an answer with several files', () => {
  it('is one change set: an edit, a new file and what cannot be placed, in its order', () => {
    const answer = [
      '### New file: `src/price.ts`\n',
      fence('export const price = 3;\n'),
      '### `src/cart.ts`\n',
      fence(counted),
      '### `src/gone.ts`\n',
      fence(counted),
    ].join('\n');
    const result = apply(answer);
    assert.deepEqual(shapeOf(result), [
      ['create', 'src/price.ts'],
      ['edit', 'src/cart.ts'],
    ]);
    assert.equal(textOf(result, 'src/price.ts'), 'export const price = 3;\n');
    assert.equal(textOf(result, 'src/cart.ts'), withCount);
    assert.deepEqual(
      result.refused.map(({ path }) => path),
      ['src/gone.ts'],
    );
    assert.match(result.refused[0]?.reason ?? '', /no file src\/gone\.ts in this workspace/);
  });

  it('stacks the blocks of one file in their order', () => {
    const first = blocks('  count--;\n', '  count -= 1;\n');
    const result = apply(`In \`src/cart.ts\`:\n\n${fence(counted)}\n${fence(first)}`);
    assert.deepEqual(shapeOf(result), [['edit', 'src/cart.ts']]);
    assert.match(textOf(result, 'src/cart.ts') ?? '', /delete\(sku\);\n {2}count -= 1;\n/);
  });

  it('takes a further block that does not fit the file of its heading to the one that holds its lines', () => {
    const answer = `### src/cart.ts\n${fence(counted, '')}\nAnd the sum:\n\n${fence(blocks('  values.reduce((sum, value) => sum + value, 0);\n', '  values.reduce((sum, value) => sum + value, 1);\n'), '')}`;
    const result = apply(answer);
    assert.deepEqual(result.refused, []);
    assert.equal(textOf(result, 'src/cart.ts'), withCount);
    assert.equal(textOf(result, 'src/money.ts'), money.replace('value, 0', 'value, 1'));
  });

  it('lists code behind the end of a patch in a block that nothing closes', () => {
    const answer = `\`\`\`\n*** Begin Patch\n*** Add File: src/new.ts\n+const fresh = 1;\n*** End Patch\n\n<file path="src/other.ts">\nconst other = call(2);\n</file>\n`;
    const result = apply(answer);
    assert.deepEqual(shapeOf(result), [['create', 'src/new.ts']]);
    assert.match(result.refused.map(({ part }) => part).join('\n'), /other = call\(2\)/);
  });

  it('lists code that a block in an unclosed one hides', () => {
    const answer = `<file path="src/new.ts">\nconst fresh = 1;\n</file>\n\nBefore:\n\n\`\`\`ts\nconst shown = call(1);\n\n<replace_in_file>\n<path>src/cart.ts</path>\n<diff>\n------- SEARCH\n  lines.push(sku);\n=======\n  lines.push(sku, 1);\n+++++++ REPLACE\n</diff>\n</replace_in_file>\n\nconst hidden = call(3);\n`;
    const { files, refused } = apply(answer);
    const all = [...files.map(({ text }) => text), ...refused.map(({ part }) => part)].join('\n');
    assert.match(all, /shown = call\(1\)/);
    assert.match(all, /hidden = call\(3\)/);
  });

  it('does so only where no line nearer names the file', () => {
    const answer = `### src/cart.ts\n${fence(counted, '')}\n### src/cart.ts\n${fence(blocks('  values.reduce((sum, value) => sum + value, 0);\n', 'x\n'), '')}`;
    const result = apply(answer);
    assert.deepEqual(shapeOf(result), [['edit', 'src/cart.ts']]);
    assert.deepEqual(
      result.refused.map(({ path }) => path),
      ['src/cart.ts'],
    );
  });

  it('goes on after a block that fits nowhere', () => {
    const lost = blocks('  nowhere();\n', '  somewhere();\n');
    const result = apply(`src/cart.ts\n${fence(lost)}\n${fence(counted)}`);
    assert.equal(textOf(result, 'src/cart.ts'), withCount);
    assert.equal(result.refused.length, 1);
    assert.match(result.refused[0]?.part ?? '', /somewhere/);
  });

  it('says where a later part takes away what an earlier one adds', () => {
    const heading = '### New file: `src/price.ts`\n\n';
    const result = apply(
      `${heading}${fence('export const price = 3;\n')}\n${heading}${fence('export const price = 4;\n')}`,
    );
    assert.equal(textOf(result, 'src/price.ts'), 'export const price = 4;\n');
    const [file] = result.files;
    assert.equal(file?.certain, false);
    assert.match(file?.findings[0]?.message ?? '', /takes away .*price = 3;/);
  });

  it('says of an edit that a file already holds that there is nothing to change', () => {
    const result = apply(`src/cart.ts\n${fence(counted)}`, { 'src/cart.ts': withCount });
    assert.deepEqual(shapeOf(result), []);
    assert.equal(result.refused.length, 1);
  });

  it('takes a heading over a file that a sentence mentions', () => {
    const answer = `### \`src/price.ts\`\n\nIt is used by \`src/cart.ts\`.\n\n${fence('export const price = 3;\n')}`;
    assert.deepEqual(shapeOf(apply(answer)), [['create', 'src/price.ts']]);
  });

  it('lists commands for a terminal instead of applying them', () => {
    const result = apply(
      `Run this:\n\n${fence('npm install\n', 'bash')}\n### src/cart.ts\n\n${fence(counted)}`,
    );
    assert.deepEqual(shapeOf(result), [['edit', 'src/cart.ts']]);
    assert.match(result.refused[0]?.reason ?? '', /commands for a terminal/);
  });

  it('asks for no file where a sentence alone says that one is deleted, and is not certain of it', () => {
    const result = apply(`Delete \`src/money.ts\`.\n\n### src/cart.ts\n\n${fence(counted)}`);
    assert.deepEqual(shapeOf(result), [
      ['delete', 'src/money.ts'],
      ['edit', 'src/cart.ts'],
    ]);
    assert.deepEqual(
      result.files.map(({ certain }) => certain),
      [false, true],
    );
  });

  it('never takes a comment of the code for such a sentence', () => {
    const code = '// Delete src/money.ts\nexport const a = 1;\nexport const b = 2;\n';
    const result = apply(code, usual, 'src/cart.ts');
    assert.ok(result.files.every(({ kind }) => kind !== 'delete'));
  });
});

describe('the dialects of an answer', () => {
  const gitDiff = `diff --git a/src/cart.ts b/src/cart.ts
index 1111111..2222222 100644
--- a/src/cart.ts
+++ b/src/cart.ts
@@ -7,3 +7,4 @@ export function add(sku: string): void {
 export function remove(sku: string): void {
   lines.delete(sku);
+  count--;
 }
`;
  const edits: Readonly<Record<string, string>> = {
    'a search/replace block with the path above its fence': `src/cart.ts\n${fence(counted)}`,
    'a search/replace block with the path inside its fence': fence(`src/cart.ts\n${counted}`, ''),
    'a search/replace block without a fence': `src/cart.ts\n${counted}`,
    'a git diff': gitDiff,
    'a git diff in a fence under a heading': `**\`src/cart.ts\`**\n\n${fence(gitDiff, 'diff')}`,
    'a mail with a patch': `From 1234567890123456789012345678901234567890 Mon Sep 17 00:00:00 2001
From: A <a@example.org>
Subject: [PATCH] count

---
 src/cart.ts | 1 +
 1 file changed, 1 insertion(+)

${gitDiff}-- 
2.43.0

`,
    'a patch of an agent':
      '*** Begin Patch\n*** Update File: src/cart.ts\n@@\n   lines.delete(sku);\n+  count--;\n }\n*** End Patch\n',
    'a file tag': `<file path="src/cart.ts">\n${withCount}</file>\n`,
    'a tool in tags': `<replace_in_file>\n<path>src/cart.ts</path>\n<diff>\n${counted}</diff>\n</replace_in_file>\n`,
    'a tag for the path and one for the content': `<file_path>src/cart.ts</file_path>\n<content>\n${withCount}</content>\n`,
    'a call of a tool': JSON.stringify({
      name: 'str_replace',
      arguments: {
        path: 'src/cart.ts',
        old_str: '  lines.delete(sku);\n',
        new_str: '  lines.delete(sku);\n  count--;\n',
      },
    }),
    'a call with its arguments as text, in a list': JSON.stringify([
      {
        type: 'function',
        function: {
          name: 'write_file',
          arguments: JSON.stringify({ file_path: './src/cart.ts', content: withCount }),
        },
      },
    ]),
    'a call with several edits': JSON.stringify({
      tool: 'multi_edit',
      input: {
        file_path: 'src/cart.ts',
        edits: [{ old_string: 'delete(sku);', new_string: 'delete(sku);\n  count--;' }],
      },
    }),
    'a call with a line': JSON.stringify({
      name: 'insert',
      arguments: { path: 'src/cart.ts', insert_line: 8, new_str: '  count--;' },
    }),
    'a lazy snippet': `src/cart.ts\n${fence('// ... existing code ...\nexport function remove(sku: string): void {\n  lines.delete(sku);\n  count--;\n}\n')}`,
    'the whole file': `### Updated file: \`src/cart.ts\`\n\n${fence(withCount)}`,
    'code before and after': `In src/cart.ts:\n\nBefore:\n${fence('  lines.delete(sku);\n')}\nAfter:\n${fence('  lines.delete(sku);\n  count--;\n')}`,
    'a Windows path': `src\\cart.ts\n${fence(counted)}`,
  };
  for (const [name, answer] of Object.entries(edits))
    it(`reads ${name}`, () => {
      const result = apply(answer);
      assert.deepEqual(shapeOf(result), [['edit', 'src/cart.ts']]);
      assert.equal(textOf(result, 'src/cart.ts'), withCount);
      assert.deepEqual(result.refused, []);
    });

  it('keeps the line ends of a file that mixes them when a call inserts a line', () => {
    const inserted = (text: string, line: number) => textOf(insertX(text, line), 'a.txt');
    assert.equal(inserted('\uFEFFa\r\nb\nc\r\n', 1), '\uFEFFa\r\nx\r\nb\nc\r\n');
    assert.equal(inserted('a\nb', 2), 'a\nb\nx');
    assert.equal(inserted('a\nb\n', 0), 'x\na\nb\n');
    assert.match(insertX('a\n', 9).refused[0]?.reason ?? '', /has 1 line/);
  });

  it('reads new, deleted, renamed and copied files of a git diff', () => {
    const result = apply(`diff --git a/src/new.ts b/src/new.ts
new file mode 100644
--- /dev/null
+++ b/src/new.ts
@@ -0,0 +1 @@
+export const fresh = 1;
diff --git a/README.md b/README.md
deleted file mode 100644
--- a/README.md
+++ /dev/null
@@ -1 +0,0 @@
-# Shop
diff --git a/src/money.ts b/src/sum.ts
similarity index 100%
rename from src/money.ts
rename to src/sum.ts
diff --git a/pkg/__init__.py b/pkg/__init__.py
new file mode 100644
`);
    assert.deepEqual(shapeOf(result), [
      ['create', 'src/new.ts'],
      ['delete', 'README.md'],
      ['rename', 'src/money.ts', 'src/sum.ts'],
      ['create', 'pkg/__init__.py'],
    ]);
    assert.equal(textOf(result, 'src/new.ts'), 'export const fresh = 1;\n');
    assert.equal(textOf(result, 'src/sum.ts'), undefined);
    assert.equal(textOf(result, 'pkg/__init__.py'), '');
  });

  it('refuses modes and binary files by name', () => {
    const result = apply(`diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
diff --git a/logo.png b/logo.png
index 1111111..2222222 100644
Binary files a/logo.png and b/logo.png differ
`);
    assert.deepEqual(result.files, []);
    assert.deepEqual(
      result.refused.map(({ path }) => path),
      ['run.sh', 'logo.png'],
    );
  });

  it('reads names with blanks, quotes and octal bytes', () => {
    const files = { 'docs/two words.md': 'one\n', 'src/größe.ts': 'const a = 1;\n' };
    const result = apply(
      `diff --git a/docs/two words.md b/docs/two words.md
--- a/docs/two words.md\t
+++ b/docs/two words.md\t
@@ -1 +1 @@
-one
+two
diff --git "a/src/gr\\303\\266\\303\\237e.ts" "b/src/gr\\303\\266\\303\\237e.ts"
--- "a/src/gr\\303\\266\\303\\237e.ts"
+++ "b/src/gr\\303\\266\\303\\237e.ts"
@@ -1 +1 @@
-const a = 1;
+const a = 2;
`,
      files,
    );
    assert.deepEqual(shapeOf(result), [
      ['edit', 'docs/two words.md'],
      ['edit', 'src/größe.ts'],
    ]);
  });

  it('reads additions, deletions and moves of a patch of an agent', () => {
    const result = apply(
      '*** Begin Patch\n*** Add File: src/new.ts\n+export const fresh = 1;\n*** Delete File: README.md\n*** Update File: src/money.ts\n*** Move to: src/sum.ts\n@@\n-export const total = (values: number[]): number =>\n+export const sum = (values: number[]): number =>\n*** End Patch\n',
    );
    assert.deepEqual(shapeOf(result), [
      ['create', 'src/new.ts'],
      ['delete', 'README.md'],
      ['rename', 'src/money.ts', 'src/sum.ts'],
    ]);
    assert.match(textOf(result, 'src/sum.ts') ?? '', /^export const sum/);
  });
});

const edit = (path: string): string => `${path}\n${fence(counted)}`;

const found = (path: string, files: Files, activePath?: string) =>
  shapeOf(apply(edit(path), files, activePath)).map(([, name]) => name);

describe('the paths of an answer', () => {
  it('are found exactly before all others', () => {
    const files = Object.fromEntries(
      Array.from({ length: 120 }, (_, n) => [`packages/p${n}/src/index.ts`, cart]),
    );
    assert.deepEqual(found('packages/p77/src/index.ts', files), ['packages/p77/src/index.ts']);
  });

  it('are found by their end, and below the folder that is open', () => {
    assert.deepEqual(found('cart.ts', usual), ['src/cart.ts']);
    assert.deepEqual(found('shop/src/cart.ts', usual), ['src/cart.ts']);
    assert.deepEqual(found('/home/a/shop/src/cart.ts', usual), ['src/cart.ts']);
  });

  it('that several files have go to the one that the edit fits, or to the nearest', () => {
    const files = { 'a/cart.ts': money, 'b/cart.ts': cart, 'c/cart.ts': '' };
    assert.deepEqual(found('cart.ts', files), ['b/cart.ts']);
    const twins = { 'a/cart.ts': cart, 'b/cart.ts': cart };
    assert.deepEqual(found('cart.ts', twins, 'b/main.ts'), ['b/cart.ts']);
    const open = apply(edit('cart.ts'), twins);
    assert.deepEqual(open.files, []);
    assert.match(open.refused[0]?.reason ?? '', /a\/cart\.ts, b\/cart\.ts/);
  });

  it('outside of the workspace are refused', () => {
    for (const path of ['../shop/cart.ts', '/etc/hosts.ts', 'src/../../cart.ts', '~/cart.ts']) {
      const result = apply(`*** Begin Patch\n*** Add File: ${path}\n+a\n*** End Patch\n`);
      assert.deepEqual(result.files, [], path);
      assert.match(result.refused[0]?.reason ?? '', /outside of the workspace/, path);
    }
  });

  it('of new files never lead out by the name of a file inside', () => {
    const add = (path: string) =>
      apply(`*** Begin Patch\n*** Add File: ${path}\n+export {};\n*** End Patch\n`);
    assert.deepEqual(shapeOf(add('/home/a/shop/src/cart.ts')), [['edit', 'src/cart.ts']]);
    assert.deepEqual(shapeOf(add('lib/../cart.ts')), [['create', 'cart.ts']]);
    assert.deepEqual(add('/home/a/shop/cart.ts').files, []);
    const moved = apply(
      '*** Begin Patch\n*** Update File: README.md\n*** Move to: /tmp/shop/src/new.ts\n*** End Patch\n',
    );
    assert.deepEqual(moved.files, []);
    assert.match(moved.refused[0]?.reason ?? '', /outside of the workspace/);
  });

  it('that nobody names are found by the content', () => {
    const result = apply(fence(counted));
    assert.deepEqual(shapeOf(result), [['edit', 'src/cart.ts']]);
    const twins = apply(fence(counted), { 'a.ts': cart, 'b.ts': cart });
    assert.deepEqual(twins.files, []);
    assert.match(twins.refused[0]?.reason ?? '', /a\.ts, b\.ts/);
  });
});
