import assert from 'node:assert/strict';
import { applyInput, applyReportText, parseToolEdit } from '../../../../src/apply/parse/toolEdits';
import { written } from '../../../../src/base/sentence';
import { unifiedDiff } from '../../../../src/merge/diff/unifiedDiff';
import { applyUnifiedDiff } from '../../../../src/merge/patch/mergePatch';
import { withholdSecrets } from '../../../../src/platform/egress/secrets/withhold';
import { cutAtLine, inputProblem } from '../../../../src/platform/tools/toolInput';

const problem = (input: unknown): string => {
  const { error } = applyInput.safeParse(input);
  return error ? inputProblem(error) : 'none';
};

describe('an edit that an agent writes', () => {
  it('is refused with a mark in it that stands for a key, which it would replace', () => {
    const { text } = withholdSecrets('const apiKey = "x7fQ2mZ9wL4tR8aa";');
    const edit = parseToolEdit(`// ... existing code ...\n${text}\n`);
    assert.ok('reason' in edit && /were not shown/.test(edit.reason));
  });
});

describe('the input of splice_apply', () => {
  it('is one edit or a list of them', () => {
    const edit = { path: 'a.ts', update: 'x' };
    assert.deepEqual(applyInput.parse({ ...edit, path: ' a.ts ', instruction: 'I fix it.' }), {
      edits: [edit],
      instruction: 'I fix it.',
    });
    const edits = [edit, { path: 'b.ts', update: 'y' }];
    assert.deepEqual(applyInput.parse({ edits, instruction: null }), {
      edits,
      instruction: undefined,
    });
  });

  const wrong: [input: unknown, wording: RegExp][] = [
    [{}, /^"path" is the path .* "update" is the changed code/],
    [{ path: 'a.ts' }, /^"update" is the changed code/],
    [{ path: 5, update: 'x' }, /^"path" is the path/],
    [{ path: 'a.ts', update: ' \n' }, /^"update" is/],
    [{ path: 'a.ts', update: 'x', edits: [{ path: 'b', update: 'y' }] }, /^Give either/],
    [{ path: 'a.ts', edits: [{ path: 'b', update: 'y' }] }, /^Give either/],
    [{ update: 'x', edits: [{ path: 'b', update: 'y' }] }, /^Give either/],
    [{ edits: [{ path: 'a.ts', update: 'x' }, { path: 'b.ts' }] }, /^edits\.1\.update: "update"/],
    [{ edits: 'a' }, /^"edits" is a list\./],
    [{ path: 'a.ts', update: 'x', instruction: 7 }, /^"instruction" is one sentence/],
    [{ edits: Array.from({ length: 21 }, () => ({ path: 'a', update: 'x' })) }, /at most 20 edits/],
    [{ path: 'a.ts', update: 'x'.repeat(1_000_001) }, /longer than 1,000,000/],
    ['text', /./],
  ];
  for (const [input, wording] of wrong)
    it(`is refused in a sentence: ${JSON.stringify(input).slice(0, 60)}`, () =>
      assert.match(problem(input), wording));

  it('may be a bare snippet, a fence, a diff or search/replace blocks of one file', () => {
    assert.deepEqual(parseToolEdit('just words'), { format: 'snippet', text: 'just words' });
    const formats = [
      '```ts\nconst a = 1;\n```',
      '--- a\n+++ b\n@@ -1 +1 @@\n-a\n+b\n',
      'a.ts\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n',
    ].map(text => {
      const edit = parseToolEdit(text);
      return 'reason' in edit ? edit.reason : edit.format;
    });
    assert.deepEqual(formats, ['snippet', 'unifiedDiff', 'searchReplace']);
    const two = parseToolEdit('### a.ts\n```ts\nlet a;\n```\n### b.ts\n```ts\nlet b;\n```\n');
    assert.match(
      'reason' in two ? two.reason : '',
      /holds 2 edits\. Send each as an edit of its own/,
    );
  });
});

describe('an update with too many code blocks', () => {
  it('is refused, and does not become a snippet', () => {
    const edit = parseToolEdit('```ts\na();\n```\n'.repeat(1001));
    assert.match('reason' in edit ? edit.reason : '', /far too many code blocks\. Send one edit/);
  });
});

const unchanged = (isInReview: boolean) =>
  applyReportText([{ kind: 'unchanged', path: 'a.ts', isInReview }]);

describe('the report to an agent', () => {
  const review = {
    kind: 'review',
    path: 'a.ts',
    before: 'one\ntwo\n',
    after: 'one\n2\n',
    findings: [{ kind: 'lost', severity: 'error', message: 'Code was dropped.', line: 2 }],
    engine: 'local',
    isOnTop: false,
  } as const;

  it('says that the user decides, what would change and what the audit found', () => {
    const text = applyReportText([review]);
    assert.match(text, /^Nothing is written yet\. .*only what the user accepts/);
    assert.match(text, /a\.ts: a review is open, \+1 −1 lines, merged on this machine\.\n/);
    assert.match(text, /- error, line 2: Code was dropped\./);
    assert.ok(
      text.includes('```diff\n--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n```'),
    );
  });

  it('says what to send after a refusal, and does not speak of a review', () => {
    const text = applyReportText([{ kind: 'refused', path: 'b.ts', reason: 'Two places fit' }]);
    assert.match(text, /^Nothing of it was applied\. .*more unchanged lines/);
    assert.match(text, /b\.ts: refused\. Two places fit\.$/);
  });

  it('tells an edit that is in the file from one that still waits', () => {
    assert.equal(unchanged(false), 'a.ts: nothing to change. The file already holds this edit.');
    assert.match(unchanged(true), /has not decided yet, already holds/);
  });

  it('says what else the review holds, who merged it, and why not the service', () => {
    const text = applyReportText([
      { ...review, findings: [], isOnTop: true, engine: 'service' },
      { ...review, path: 'b.ts', note: 'No key is set.' },
    ]);
    assert.match(text, /a\.ts: .* merged by the service\. It also holds the changes .* undecided/);
    assert.match(text, /\nThe audit of the merge found nothing\.\n/);
    assert.match(text, /b\.ts: .* on this machine\. The service did not merge it: No key is set\./);
    assert.doesNotMatch(text, /Nothing of it was applied/);
  });

  it('lists twelve findings of a merge and counts the others', () => {
    const found = [12, 13].map(count =>
      applyReportText([
        { ...review, findings: lines(count).map((_, at) => ({ ...review.findings[0], line: at })) },
      ]),
    );
    const listed = found.map(text => text.match(/^- error, line \d+: /gm)?.length);
    assert.deepEqual(listed, [12, 12]);
    assert.doesNotMatch(found[0] ?? '', / more, in the review/);
    assert.match(found[1] ?? '', /^- and 1 more, in the review$/m);
  });

  it('stays within its length over all edits', () => {
    const after = `${'x'.repeat(79)}\n`.repeat(1000);
    const text = applyReportText([1, 2, 3].map(() => ({ ...review, before: '', after })));
    assert.ok(text.length < 24_000, String(text.length));
    assert.match(text, /\(\d+ more characters of this diff; the review shows it whole\)/);
  });

  it('cuts a text at the end of a line', () => {
    assert.equal(
      cutAtLine('ab\ncd\n', 4, left => `${left} left`),
      'ab\n\n(3 left)\n',
    );
    assert.equal(
      cutAtLine('ab\n', 4, () => ''),
      'ab\n',
    );
  });
});

const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}\n`);

describe('a unified diff', () => {
  const changed = (change: (all: string[]) => void) => {
    const all = lines(30);
    change(all);
    return all.join('');
  };
  const before = lines(30).join('');

  const cases: [what: string, after: string, heads: string[]][] = [
    ['one line', changed(all => (all[9] = 'ten\n')), ['@@ -7,7 +7,7 @@']],
    ['an insertion at the top', `new\n${before}`, ['@@ -1,3 +1,4 @@']],
    ['a removal at the end', changed(all => all.pop()), ['@@ -27,4 +27,3 @@']],
    [
      'two places',
      changed(all => {
        all.splice(2, 1);
        all[24] = 'x\ny\n';
      }),
      ['@@ -1,6 +1,5 @@', '@@ -23,7 +22,8 @@'],
    ],
    ['no line end any more', before.trimEnd(), ['@@ -27,4 +27,4 @@']],
  ];
  for (const [what, after, heads] of cases)
    it(`of ${what} says where, and can be applied`, () => {
      const { text } = unifiedDiff('a.txt', before, after);
      assert.deepEqual(text.match(/^@@.*@@$/gm), heads);
      const result = applyUnifiedDiff(before, text);
      assert.equal(
        result.kind === 'refused' ? written(result.reason) : result.text.trimEnd(),
        after.trimEnd(),
      );
    });

  it('of equal texts is empty, whatever their line ends', () => {
    assert.deepEqual(unifiedDiff('a', 'x\r\ny\r\n', 'x\ny\n'), { text: '', added: 0, removed: 0 });
  });

  it('of an empty file counts from 0', () => {
    assert.match(unifiedDiff('a', '', 'x\n').text, /^@@ -0,0 \+1 @@$/m);
  });
});
