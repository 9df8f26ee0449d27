import assert from 'node:assert/strict';
import type { MergeOutcome, MergeRequest } from '../../../../src/apply/changeset/engine';
import { importsEnd, mergeAnswer } from '../../../../src/apply/instruct/mergeAnswer';
import { english } from '../../../../src/base/sentence';

const original = `import a from 'a';
import c from 'c';
export function f() {
  start();
  return a;
}
function g() {
  return 1;
}
function h() {
  return 2;
}
`;
const selection = { startLine: 3, endLine: 6 };
const update = `// ... existing code ...
export function f() {
  start();
  return a + 1;
}
// ... existing code ...`;

interface Played {
  readonly outcome: MergeOutcome;
  /** How often the service was asked to merge. */
  readonly calls: number;
}

/** Merges a snippet for the selection. @param answer the whole file as the service gives it; '' when it has no key */
async function play(
  text: string,
  answer: string,
  more: Partial<MergeRequest> = {},
): Promise<Played> {
  let calls = 0;
  const outcome = await mergeAnswer(
    {
      edit: { format: 'snippet', text },
      original,
      path: 'a.ts',
      range: selection,
      engine: 'service',
      model: 'auto',
      t: english,
      ...more,
    },
    {
      isReady: async () => answer !== '',
      apply: async () => {
        calls++;
        return { text: answer, model: 'svc-v3-fast' };
      },
    },
    { signal: new AbortController().signal, now: () => 0 },
  );
  return { outcome, calls };
}

/** The file with parts replaced, `[from, to]`. */
const edited = (...parts: [from: string, to: string][]) =>
  parts.reduce((text, [from, to]) => text.replace(from, to), original);
const inside: [string, string] = ['return a;', 'return a + 1;'];

/** The merged text and `kind line` of each finding. */
async function mergedBy(answer: string, text = update): Promise<[string, string[]]> {
  const { outcome } = await play(text, answer);
  assert.ok(outcome.kind === 'merged', JSON.stringify(outcome));
  return [outcome.text, outcome.findings.map(({ kind, line }) => `${kind} ${line}`)];
}

async function refusalOf(answer: string, text = update): Promise<string> {
  const { outcome } = await play(text, answer);
  return outcome.kind === 'refused' ? outcome.reason : '';
}

describe('an answer for a selection', () => {
  it('changes its first and its last line', async () => {
    const answer = edited(['f() {', 'f(x) {'], ['return a;\n}', 'return a;\n};']);
    const [text] = await mergedBy(answer, answer);
    assert.equal(text, answer);
  });

  it('keeps changes of imports, each with a warning at its line', async () => {
    const answer = edited(
      ["import a from 'a';", "import x from 'x';\nimport a from 'a';"],
      ["'c';", "'d';"],
      inside,
    );
    const { outcome } = await play(answer, answer);
    assert.ok(outcome.kind === 'merged');
    assert.equal(outcome.text, answer);
    const found = outcome.findings.filter(({ kind }) => kind === 'importChanged');
    assert.deepEqual(
      found.map(({ line, severity }) => [line, severity]),
      [
        [1, 'warning'],
        [3, 'warning'],
      ],
    );
    assert.match(found[0]?.message ?? '', /imports change too, outside the selected lines/);
  });

  it('loses changes of other lines, with their number, and no complaint that they are missing', async () => {
    const more = `${update}\nfunction g() {\n  return 3;\n}\n// ... existing code ...`;
    assert.deepEqual(await mergedBy(edited(inside, ['return 1', 'return 3']), more), [
      edited(inside),
      ['leftOut 3'],
    ]);
    const { outcome } = await play(
      more,
      edited(inside, ['return 1', 'return 3'], ['() {\n  return 2', '(b) {\n  return b']),
    );
    assert.match(
      outcome.kind === 'merged' ? (outcome.findings[0]?.message ?? '') : '',
      /also changed 3 lines outside of the selection\. That was left out/,
    );
  });

  it('says what else is wrong when it loses changes of other lines', async () => {
    const [text, findings] = await mergedBy(
      edited(['  start();\n', ''], inside, ['return 1', 'return 3']),
      '// ... existing code ...\n  return a + 1;\n// ... existing code ...',
    );
    assert.equal(text, edited(['  start();\n', ''], inside));
    assert.deepEqual(findings, ['leftOut 3', 'droppedCode 4']);
  });

  it('is refused when all its changes are elsewhere, even next to the selection', async () => {
    for (const change of [
      ['return 1', 'return 3'],
      ['function g() {', 'function k() {'],
      ["import a from 'a';", "run();\nimport a from 'a';"],
    ] as [string, string][])
      assert.match(await refusalOf(edited(change)), /only lines outside the selection/, change[1]);
  });

  it('is refused when a change goes over the border of the selection', async () => {
    const below = edited(['  return a;\n}\nfunction g() {', '  many();\n  others();\n  here();']);
    assert.match(
      await refusalOf(below, below),
      /changes lines 5 to 7 in one piece, but only lines 3 to 6 are selected/,
    );
    const above = edited(["import c from 'c';\nexport function f() {", 'export const f = () => {']);
    assert.match(await refusalOf(above, above), /changes lines 2 to 3 in one piece/);
  });

  it('asks the service only when the place is not clear on this machine', async () => {
    const auto = { engine: 'auto' } as const;
    const clear = await play(update, 'x', auto);
    assert.equal(clear.calls, 0);
    assert.equal(clear.outcome.kind === 'merged' && clear.outcome.text, edited(inside));
    const local = await play(update, 'x', { engine: 'local' });
    assert.deepEqual(local, clear);
    const foreign = '// ... existing code ...\nfoo(bar);\nbaz(qux);\n// ... existing code ...';
    const unclear = await play(foreign, edited(inside), auto);
    assert.equal(unclear.calls, 1);
    assert.equal(unclear.outcome.kind === 'merged' && unclear.outcome.engine, 'service');
    const alone = await play(foreign, '', auto);
    assert.equal(alone.calls, 0);
    assert.equal(alone.outcome.kind, 'refused');
  });

  it('merges exact edits on this machine', async () => {
    const blocks = [{ search: '  return a;', replace: '  return a + 1;' }];
    const edit = { format: 'searchReplace', blocks } as const;
    const { outcome, calls } = await play('', 'x', { edit });
    assert.equal(calls, 0);
    assert.equal(outcome.kind === 'merged' && outcome.text, edited(inside));
  });

  it('confines exact edits too', async () => {
    const elsewhere = { search: '  return 1;', replace: '  return 3;' };
    const own = { search: '  return a;', replace: '  return a + 1;' };
    const outcomes = await Promise.all(
      [[elsewhere], [own, elsewhere]].map(
        async blocks =>
          (await play('', 'x', { edit: { format: 'searchReplace', blocks } })).outcome,
      ),
    );
    assert.equal(outcomes[0]?.kind, 'refused');
    assert.ok(outcomes[1]?.kind === 'merged');
    assert.equal(outcomes[1].text, edited(inside));
    assert.deepEqual(
      outcomes[1].findings.map(({ kind }) => kind),
      ['leftOut'],
    );
    const diff = '@@\n-  return 1;\n+  return 3;\n';
    const { outcome } = await play('', 'x', { edit: { format: 'unifiedDiff', diff } });
    assert.equal(outcome.kind, 'refused');
  });

  it('replaces the selection when it has no marker and is unlike the rest', async () => {
    const { outcome, calls } = await play('export const f = () => a;', 'x', { engine: 'auto' });
    assert.equal(calls, 0);
    assert.equal(
      outcome.kind === 'merged' && outcome.text,
      original.replace(/export function f[^]*?\n\}/, 'export const f = () => a;'),
    );
  });

  it('may change the whole file when nothing is selected', async () => {
    const answer = edited(inside, ['return 1', 'return 3']);
    const { range: _, ...open } = { range: selection };
    const outcome = await mergeAnswer(
      {
        ...open,
        edit: { format: 'snippet', text: update },
        original,
        path: 'a.ts',
        engine: 'service',
        model: 'auto',
        t: english,
      },
      {
        isReady: async () => true,
        apply: async () => ({ text: answer, model: 'svc-v3-fast' }),
      },
      { signal: new AbortController().signal, now: () => 0 },
    );
    assert.equal(outcome.kind === 'merged' && outcome.text, answer);
  });
});

describe('the end of the imports', () => {
  const heads: [string, string, number][] = [
    ['no import', 'a();\n', 0],
    ['comments and an import', "// x\n\nimport a from 'a';\n\nrun();", 4],
    ['an import of several lines', "import {\n  a,\n} from 'a';\nrun();", 3],
    ['a doc string', '"""What\nit does."""\nimport os\nfrom a import (\n  b,\n)\nrun()', 6],
    ['a doc string in one line', "'''What.'''\nimport os\nrun()", 2],
    ['an empty doc string', '""""""\nimport os\nrun()', 2],
    ['includes', '#include <a.h>\nint main() {}', 1],
    ['nothing else', "import a from 'a';\nimport b from 'b';", 2],
    ['brackets that close twice', "import a from ')';\nimport {\n  b,\n} from 'b';\nrun();", 4],
  ];
  for (const [name, head, rows] of heads)
    it(`is known with ${name}`, () => assert.equal(importsEnd(head.split('\n')), rows));
});
