import assert from 'node:assert/strict';
import {
  editText,
  isSent,
  type MergeRequest,
  type MergeService,
  merge,
  mergeRequest,
} from '../../../../src/apply/changeset/engine';
import { english, type Translate } from '../../../../src/base/sentence';
import { ClearedFile } from '../../../../src/platform/egress/sending';

const original = 'const a = 1;\nconst b = 2;\nconst c = 3;\n';
const certain = '// ... existing code ...\nconst b = 20;\nconst c = 3;\n';
const foreign = '// ... existing code ...\nfoo(bar);\nbaz(qux);\n// ... existing code ...\n';

function request(text: string, engine: MergeRequest['engine'] = 'auto'): MergeRequest {
  const edit = { format: 'snippet', text } as const;
  return { edit, original, path: 'a.ts', engine, model: 'auto', t: english };
}

function serviceWith(isReady: boolean): MergeService & { calls: number } {
  return {
    calls: 0,
    isReady: () => Promise.resolve(isReady),
    apply() {
      this.calls += 1;
      return Promise.resolve({ text: original.replace('2', '20'), model: 'svc-v3-fast' });
    },
  };
}

const context = { signal: new AbortController().signal, now: () => 0 };

/** Marks what is translated. */
const t: Translate = (message, ...args) => `[${english(message, ...args)}]`;

/** A clock that goes on by a second each time. */
const ticking = (): (() => number) => {
  let seconds = 0;
  return () => 1000 * seconds++;
};

const sent = (given: MergeRequest, isReady = true) => isSent(given, serviceWith(isReady));

describe('an edit for the engines', () => {
  it('is sent as its text', () => {
    assert.equal(editText({ format: 'snippet', text: 'a' }), 'a');
    assert.equal(editText({ format: 'unifiedDiff', diff: 'b' }), 'b');
    const blocks = ['c', 'd'].map(replace => ({ search: 'x', replace }));
    assert.equal(editText({ format: 'searchReplace', blocks }), 'c\nd');
  });

  it('has its path comment again where the file has that line', () => {
    const edit = { format: 'snippet', text: 'b();', pathComment: '// a.ts' } as const;
    const settings = { engine: 'auto', model: 'auto' } as const;
    const textFor = (lines: readonly string[]): string =>
      editText(
        mergeRequest(edit, lines, settings, { original: lines.join('\n'), path: 'a.ts', t }).edit,
      );
    assert.equal(textFor(['// a.ts', 'a();']), '// a.ts\nb();');
    assert.equal(textFor(['a();']), 'b();');
  });

  it('is sent only where the settings, the key and the local merge call for it', async () => {
    const diff = { format: 'unifiedDiff', diff: '@@\n-const b = 2;\n+const b = 20;\n' } as const;
    assert.equal(await sent(request(certain)), false);
    assert.equal(await sent(request(certain, 'service')), true);
    assert.equal(await sent(request(certain, 'service'), false), false);
    assert.equal(await sent(request(foreign)), true);
    assert.equal(await sent(request(foreign), false), false);
    assert.equal(await sent(request(foreign, 'local')), false);
    assert.equal(await sent({ ...request('', 'service'), edit: diff }), false);
  });

  it('is sent with the file, the wishes of the user and what may leave', async () => {
    const service = serviceWith(true);
    const seen: Parameters<MergeService['apply']>[] = [];
    service.apply = (...all) => {
      seen.push(all);
      return Promise.resolve({ text: original.replace('2', '20'), model: 'svc-v3-fast' });
    };
    const files = [new ClearedFile('a.ts', original, false)];
    const given = { ...request(certain, 'service'), instruction: 'I raise b.' };
    const merged = await merge({ ...given, clearance: { files } }, service, {
      ...context,
      now: ticking(),
    });
    const [asked, options] = seen[0] ?? [];
    assert.deepEqual(asked, {
      original,
      update: certain,
      model: 'auto',
      instruction: 'I raise b.',
    });
    assert.deepEqual([options?.sending, options?.stream], [{ purpose: 'apply', files }, true]);
    assert.deepEqual(merged, {
      kind: 'merged',
      text: original.replace('2', '20'),
      engine: 'service',
      model: 'svc-v3-fast',
      ms: 1000,
      certain: true,
      findings: [],
    });
    await merge({ ...given, instruction: '' }, service, context);
    const [plain, bare] = seen[1] ?? [];
    assert.equal(plain?.instruction, undefined);
    assert.deepEqual(bare?.sending, { purpose: 'apply', files: [] });
  });
});

describe('merge by engine', () => {
  it('says how long it took, and that the only place is certain', async () => {
    const merged = await merge(request(certain), serviceWith(false), {
      ...context,
      now: ticking(),
    });
    assert.deepEqual(merged, {
      kind: 'merged',
      text: original.replace('2', '20'),
      engine: 'local',
      ms: 1000,
      certain: true,
      findings: [],
    });
  });

  it('auto: a certain local merge sends nothing', async () => {
    const service = serviceWith(true);
    const merged = await merge(request(certain), service, context);
    assert.equal(merged.kind === 'merged' && merged.engine, 'local');
    assert.equal(service.calls, 0);
  });

  it('auto: asks the service where the local merge gives up', async () => {
    const service = serviceWith(true);
    const merged = await merge(request(foreign), service, context);
    assert.equal(merged.kind === 'merged' && merged.engine, 'service');
    assert.equal(service.calls, 1);
  });

  it('auto: without a key the local refusal stands', async () => {
    const service = serviceWith(false);
    const merged = await merge(request(foreign), service, context);
    assert.equal(merged.kind, 'refused');
    assert.equal(service.calls, 0);
  });

  it('local: never asks the service', async () => {
    const service = serviceWith(true);
    await merge(request(foreign, 'local'), service, context);
    assert.equal(service.calls, 0);
  });

  it('service: audits what comes back', async () => {
    const service = serviceWith(true);
    service.apply = () => Promise.resolve({ text: 'const a = 1;\n', model: 'svc-v3-fast' });
    const merged = await merge(request(certain, 'service'), service, context);
    assert.ok(
      merged.kind === 'merged' && merged.findings.some(({ severity }) => severity === 'error'),
    );
  });

  it('says in the language of the user that a merge is not certain', async () => {
    const merged = await merge(
      { ...request('const b = 20;\nconst d = 4;\n', 'local'), t },
      serviceWith(false),
      context,
    );
    const uncertain =
      merged.kind === 'merged' ? merged.findings.find(({ kind }) => kind === 'uncertain') : merged;
    assert.match(JSON.stringify(uncertain), /"\[The snippet could be read in more than one way\./);
  });

  it('tells the findings of the audit in the language of the user', async () => {
    const service = serviceWith(true);
    service.apply = () => Promise.resolve({ text: 'const a = 1;\n', model: 'svc-v3-fast' });
    const merged = await merge({ ...request(certain, 'service'), t }, service, context);
    assert.deepEqual(
      merged.kind === 'merged' ? merged.findings.map(({ message }) => message) : [],
      [
        '[A part of the snippet is not in the result, or only half of it. Look for it from here on.]',
        '[The last 2 lines of the file are missing.]',
      ],
    );
  });

  it('tells in the language of the user why an edit is refused', async () => {
    const edits: MergeRequest['edit'][] = [
      { format: 'snippet', text: foreign },
      { format: 'unifiedDiff', diff: '@@\n-const z = 2;\n+const b = 20;\n' },
      { format: 'searchReplace', blocks: [{ search: 'foo(bar);', replace: '' }] },
    ];
    for (const edit of edits) {
      const merged = await merge({ ...request('', 'local'), edit, t }, serviceWith(false), context);
      assert.match(merged.kind === 'refused' ? merged.reason : '', /^\[.*\[.+\].*\.\]$/);
    }
  });

  it('audits diffs and search/replace blocks', async () => {
    const unmet = '*** Update File: a.ts\n@@ class Other {\n-const b = 2;\n+const b = 20;\n';
    const blocks = [{ search: 'const b = 2;', replace: 'const b = “20”;' }];
    for (const edit of [
      { format: 'unifiedDiff', diff: unmet },
      { format: 'searchReplace', blocks },
    ] as const) {
      const merged = await merge({ ...request(''), edit, t }, serviceWith(false), context);
      assert.equal(merged.kind, 'merged');
      const findings = merged.findings.filter(({ kind }) => kind !== 'uncertain');
      assert.ok(findings.length > 0, JSON.stringify(merged));
      for (const { message } of findings) assert.match(message, /^\[.+\]$/);
    }
  });

  it('a diff stays here, whatever the engine', async () => {
    const service = serviceWith(true);
    const diff =
      '--- a/a.ts\n+++ b/a.ts\n@@ -1,3 +1,3 @@\n const a = 1;\n-const b = 2;\n+const b = 20;\n const c = 3;\n';
    const merged = await merge(
      { ...request('', 'service'), edit: { format: 'unifiedDiff', diff } },
      service,
      context,
    );
    assert.equal(merged.kind === 'merged' && merged.text, original.replace('2', '20'));
    assert.equal(service.calls, 0);
  });

  for (const [form, edit] of [
    [
      'a diff',
      {
        format: 'unifiedDiff',
        diff: '@@ -2,2 +2,2 @@\n const b = 2;\n-const c = 3;\n+const c = 30;\n',
      },
    ],
    [
      'a search/replace block',
      {
        format: 'searchReplace',
        blocks: [{ search: 'const c = 3;\n', replace: 'const c = 30;\n' }],
      },
    ],
  ] as const)
    it(`${form} changes no line outside the selection`, async () => {
      const inside = { ...request(''), edit, range: { startLine: 3, endLine: 3 } };
      const merged = await merge(inside, serviceWith(false), context);
      assert.equal(merged.kind === 'merged' && merged.text, original.replace('3', '30'));
      const outside = { ...inside, range: { startLine: 1, endLine: 2 } };
      const refused = await merge(outside, serviceWith(false), context);
      assert.match(refused.kind === 'refused' ? refused.reason : '', /outside the selection/);
    });
});
