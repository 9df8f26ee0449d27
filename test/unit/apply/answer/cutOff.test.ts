import assert from 'node:assert/strict';
import { applyAnswer } from '../../../../src/apply/answer';

const files: Readonly<Record<string, string>> = {
  'src/a.ts':
    "import { b } from './b';\n\nexport function a() {\n  return b(1);\n}\n\nexport const z = 1;\n",
};

const result = (answer: string, world = files) =>
  applyAnswer(answer, { files: () => Object.keys(world), read: path => world[path] });

const summary = (answer: string) =>
  result(answer).files.map(({ kind, path, certain, findings }) => [
    `${kind} ${path}`,
    certain,
    findings.map(({ message }) => message),
  ]);

const message = 'The answer ends within this change: it may be cut off. Ask for the rest of it.';
const newFile = ['export interface Shop {', '  name: string;', '  open: boolean;', '}'];
const added = newFile.map(line => `+${line}`);

/** A new file and an edit, in the forms in which models write them. */
const answers: Readonly<Record<string, readonly string[]>> = {
  'blocks with headings': [
    'First the type:',
    '',
    '**`src/shop.ts`** (new file)',
    '',
    '```ts',
    ...newFile,
    '```',
    '',
    '`src/a.ts`:',
    '',
    '```ts',
    '// ... existing code ...',
    'export function a() {',
    '  return b(2);',
    '}',
    '// ... existing code ...',
    '```',
  ],
  'diffs in blocks': [
    '```diff',
    '--- /dev/null',
    '+++ b/src/shop.ts',
    '@@ -0,0 +1,4 @@',
    ...added,
    '```',
    '',
    '```diff',
    '--- a/src/a.ts',
    '+++ b/src/a.ts',
    '@@ -3,3 +3,4 @@',
    ' export function a() {',
    '-  return b(1);',
    '+  // twice',
    '+  return b(2);',
    ' }',
    '```',
  ],
  'a git diff': [
    'diff --git a/src/shop.ts b/src/shop.ts',
    'new file mode 100644',
    'index 0000000..8ea6862',
    '--- /dev/null',
    '+++ b/src/shop.ts',
    '@@ -0,0 +1,4 @@',
    ...added,
  ],
  'a patch of an agent': [
    '*** Begin Patch',
    '*** Add File: src/shop.ts',
    ...added,
    '*** Update File: src/a.ts',
    '@@ export function a() {',
    '-  return b(1);',
    '+  return b(2);',
    '*** End Patch',
  ],
};

/** An edit that is whole, below the header of its hunk. */
const diff = (header: string) =>
  [
    'diff --git a/src/a.ts b/src/a.ts',
    '--- a/src/a.ts',
    '+++ b/src/a.ts',
    header,
    ' export function a() {',
    '-  return b(1);',
    '+  return b(2);',
    ' }',
  ].join('\n');

describe('an answer that is cut off', () => {
  for (const [form, lines] of Object.entries(answers)) {
    const whole = lines.join('\n');

    it(`is no certain change without a word, wherever it ends: ${form}`, () => {
      const complete = new Map(result(whole).files.map(file => [file.path, file]));
      assert.ok([...complete.values()].every(file => file.certain && file.findings.length === 0));
      // Within its last line nothing shows that a hunk is not whole.
      const end = whole.length - (lines.at(-1)?.length ?? 0);
      for (let length = 1; length <= end; length++) {
        const { files: changed, refused } = result(whole.slice(0, length));
        for (const { path, text, certain, findings } of changed) {
          const isWhole = text?.trimEnd() === complete.get(path)?.text?.trimEnd();
          assert.ok(
            isWhole || refused.length > 0 || (!certain && findings.length > 0),
            whole.slice(0, length),
          );
        }
      }
    });
  }

  it('says so at the end of the last change, and of no other', () => {
    const cut = answers['blocks with headings']?.slice(0, -1).join('\n') ?? '';
    assert.deepEqual(summary(cut), [
      ['create src/shop.ts', true, []],
      ['edit src/a.ts', false, [message]],
    ]);
    assert.equal(result(cut).files[1]?.findings[0]?.line, 4);
  });

  it('says that a fence has no counterpart', () => {
    const lines = answers['blocks with headings'] ?? [];
    const stray = [...lines.slice(0, -2), '```', ...lines.slice(-2)].join('\n');
    const reason =
      'A fence in this answer has no counterpart, so code may have been read as text. Compare the result with it.';
    assert.ok(result(stray).refused.some(refused => refused.reason === reason));
    assert.deepEqual(result(lines.join('\n')).refused, []);
  });

  it('is not sent to the service to be merged again', () => {
    const fenced = answers['blocks with headings']?.slice(11) ?? [];
    assert.ok(result(fenced.join('\n')).files[0]?.snippet);
    assert.equal(result(fenced.slice(0, -1).join('\n')).files[0]?.snippet, undefined);
  });

  it('ends a diff where another block begins', () => {
    const edit = answers['diffs in blocks']?.slice(10, -1) ?? [];
    const glued = [...edit, '```ts title="src/shop.ts"', ...newFile, '```'].join('\n');
    assert.deepEqual(summary(glued), [
      ['edit src/a.ts', false, [message]],
      ['create src/shop.ts', true, []],
    ]);
  });
});

describe('an answer that was not copied from its beginning', () => {
  const guess =
    'The answer does not name the file of this code. src/a.ts fits, but others hold lines of it.';
  const above = 'The copied text begins within this change: lines above it may be missing.';

  it('is read as the rest of the block that it begins in', () => {
    const lines = answers['blocks with headings']?.slice(15) ?? [];
    assert.equal(lines[0], 'export function a() {');
    const next = ['', '`src/shop.ts` (new file):', '', '```ts', ...newFile, '```'];
    assert.deepEqual(summary([...lines, ...next].join('\n')), [
      ['edit src/a.ts', false, [guess, above]],
      ['create src/shop.ts', true, []],
    ]);
  });

  it('is read as the rest of a block where only text follows', () => {
    const text = 'export function a() {\n  return b(2);\n}\n```\n\nThat is all, have fun with it.';
    assert.deepEqual(summary(text), [['edit src/a.ts', false, [guess, above]]]);
    assert.equal(result(text).files[0]?.findings[1]?.line, 4);
  });

  it('is read as the rest of a diff, up to its next file or its end', () => {
    const rest = [' export function a() {', '-  return b(1);', '+  return b(2);', ' }'];
    const shop = ['*** Add File: src/shop.ts', ...added, '*** End Patch'];
    assert.deepEqual(summary([...rest, ...shop].join('\n')), [
      ['edit src/a.ts', false, [above]],
      ['create src/shop.ts', true, []],
    ]);
    assert.deepEqual(summary([...rest, ...(answers['a git diff'] ?? [])].join('\n')), [
      ['edit src/a.ts', false, [above]],
      ['create src/shop.ts', true, []],
    ]);
    assert.deepEqual(summary([...rest, '*** End Patch'].join('\n')), [
      ['edit src/a.ts', false, [above]],
    ]);
  });

  it('is read as the rest of a file between tags', () => {
    const tagged = ['export function a() {', '  return b(2);', '}', '</file>', '</files>'];
    assert.deepEqual(summary(tagged.join('\n')), [['edit src/a.ts', false, [guess, above]]]);
  });

  it('loses no line, wherever it begins', () => {
    for (const [form, lines] of Object.entries(answers)) {
      for (let at = 1; at < lines.length; at++) {
        const { files: changed, refused } = result(lines.slice(at).join('\n'));
        const kept = [...changed.map(({ text = '' }) => text), ...refused.map(part => part.part)];
        const text = kept.join('\n');
        // A quarter of an interface is no code for sure.
        const whole = lines.slice(at).filter(line => /^\+?\s*(?:return|name)/.test(line));
        for (const line of whole)
          assert.ok(text.includes(line.replace('+', '').trim()), `${form} ${at}: ${line}`);
      }
    }
  });
});

describe('an answer that is whole', () => {
  it('may begin with a list above its diff', () => {
    const list = '- a returns twice the value\n- nothing else\n\n';
    assert.deepEqual(summary(`${list}${diff('@@ -3,3 +3,3 @@')}`), [['edit src/a.ts', true, []]]);
  });

  it('may hold one block without a language', () => {
    const text = `Change src/a.ts:\n\n\`\`\`\nexport function a() {\n  return b(2);\n}\n\`\`\`\n`;
    assert.deepEqual(summary(text), [['edit src/a.ts', true, []]]);
  });

  it('may end in a hunk that lost the blank line at its end, or in one without counts', () => {
    for (const header of ['@@ -3,4 +3,4 @@', '@@ -3,3 +3,3 @@', '@@ ... @@', '@@']) {
      assert.deepEqual(summary(diff(header)), [['edit src/a.ts', true, []]], header);
    }
    assert.deepEqual(summary(diff('@@ -3,5 +3,6 @@')), [['edit src/a.ts', false, [message]]]);
  });

  it('may make an empty file, or one in a patch that has no first line', () => {
    const empty =
      'diff --git a/src/x.ts b/src/x.ts\nnew file mode 100644\nindex 0000000..e69de29\n';
    assert.deepEqual(summary(empty), [['create src/x.ts', true, []]]);
    const unframed = ['*** Add File: src/shop.ts', ...added].join('\n');
    assert.deepEqual(summary(unframed), [['create src/shop.ts', true, []]]);
  });
});
