import assert from 'node:assert/strict';
import { english } from '../../../../src/base/sentence';
import { recordLimit, type SentEntry, SentRecord } from '../../../../src/platform/egress/record';
import { sentReport } from '../../../../src/platform/egress/report';
import type { Purpose } from '../../../../src/platform/egress/sending';
import { mapTexts } from '../../../../src/platform/egress/texts';
import { useUtc } from '../../../support/unit/approved';

const entry = (more: Partial<SentEntry> = {}): SentEntry => ({
  at: Date.UTC(2026, 10, 20, 9, 5, 7),
  purpose: 'chat',
  operation: 'chat',
  to: 'service.test',
  files: [],
  chars: 12,
  withheld: 0,
  isAgreed: false,
  outcome: 'sent',
  ...more,
});

/** The cells of the rows of the report. */
function rowsOf(...entries: readonly SentEntry[]): string[][] {
  const record = new SentRecord();
  for (const one of entries) record.add(one);
  const lines = sentReport(record, english).split('\n');
  return lines
    .filter(line => line.startsWith('| '))
    .slice(2)
    .map(line => line.slice(2, -2).split(' | '));
}

describe('the report of what was sent', () => {
  useUtc();

  it('says what a call was for, where it went, and how much', () => {
    assert.deepEqual(
      rowsOf(
        entry({
          files: [
            { name: 'a.ts', chars: 3 },
            { name: 'b.ts', chars: 4 },
          ],
        }),
      ),
      [
        [
          '09\\:05\\:07',
          'chat',
          'service.test',
          'a.ts (3 characters), b.ts (4 characters)',
          '12',
          'sent',
        ],
      ],
    );
  });

  it('has the newest first, below a head', () => {
    assert.deepEqual(
      rowsOf(entry({ chars: 1 }), entry({ chars: 2 })).map(cells => cells[4]),
      ['2', '1'],
    );
    const record = new SentRecord();
    record.add(entry());
    const report = sentReport(record, english);
    assert.match(report, /^# What Was Sent\n\n/);
    assert.match(
      report,
      /\n\| When \| For \| To \| Files \| Characters \| Outcome \|\n\| --- \| --- \| --- \| --- \| --- \| --- \|\n\| 09/,
    );
    assert.ok(report.includes(`at most ${recordLimit} calls`));
    assert.doesNotMatch(report, /no longer listed|Nothing was sent/);
    assert.match(sentReport(new SentRecord(), english), /\n\nNothing was sent\.\n$/);
  });

  it('names every purpose', () => {
    const purposes: Readonly<Record<Purpose, string>> = {
      apply: 'merging an edit',
      edit: 'an edit by a chat model',
      search: 'code search',
      rerank: 'sorting results',
      compact: 'compacting a chat',
      chat: 'chat',
      prompt: 'a prompt for \\@splice',
      pickModel: 'picking a model',
      classify: 'classification',
      classifyPrompt: 'classifying a prompt',
      watch: 'the reflex indicator',
      batch: 'a batch run',
      guard: 'the check of an attached file',
      playground: 'the Playground',
      test: 'a test request',
    };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the record
    for (const [purpose, text] of Object.entries(purposes) as [Purpose, string][])
      assert.equal(rowsOf(entry({ purpose }))[0]?.[1], text);
  });

  it('says how each call ended, and what was left out or agreed to', () => {
    for (const [more, text] of [
      [{ outcome: 'sending' }, 'on its way'],
      [{ outcome: 'unsent' }, 'not sent\\: the call failed before sending'],
      [{ outcome: 'refused', reason: 'a key' }, 'refused\\: a key'],
      [{ outcome: 'refused', reason: 'a key', isAgreed: true }, 'refused\\: a key'],
      [{ withheld: 2 }, 'sent; 2 values that look like keys were left out'],
      [{ isAgreed: true }, 'sent; with what you agreed to'],
    ] as const)
      assert.equal(rowsOf(entry(more))[0]?.[5], text);
  });
});

describe('the record of what was sent', () => {
  it('tells of each change, and keeps the newest calls', () => {
    let changes = 0;
    const record = new SentRecord(() => changes++);
    const settle = record.add(entry({ outcome: 'sending' }));
    settle('sent');
    assert.equal(changes, 2);
    assert.equal(record.entries[0]?.outcome, 'sent');
    for (let at = 0; at < recordLimit; at++) record.add(entry({ chars: at }));
    assert.equal(record.forgotten, 1);
    assert.equal(record.entries.length, recordLimit);
    assert.equal(record.entries[0]?.chars, 0);
    // It is no longer listed, so nothing changes.
    const before = changes;
    settle('unsent');
    assert.equal(changes, before);
    assert.ok(record.entries.every(({ outcome }) => outcome === 'sent'));
  });

  it('bounds names and files', () => {
    const record = new SentRecord();
    const files = Array.from({ length: 30 }, () => ({ name: 'x'.repeat(300), chars: 1 }));
    record.add(entry({ files }));
    assert.equal(record.entries[0]?.files.length, 20);
    assert.equal(record.entries[0]?.files[0]?.name.length, 200);
  });
});

const upper = (value: unknown): unknown => mapTexts(value, text => text.toUpperCase());

describe('the texts of a request', () => {
  it('are all replaced, at any depth, and nothing else', () => {
    assert.deepEqual(upper({ a: 'x', b: ['y', { c: 'z' }], d: 1, e: null, f: undefined }), {
      a: 'X',
      b: ['Y', { c: 'Z' }],
      d: 1,
      e: null,
      f: undefined,
    });
    const url = new URL('https://service.test/x');
    const bytes = new Uint8Array([1]);
    assert.deepEqual(upper({ url, bytes }), { url, bytes });
  });

  it('are not ids, names of models, or what must go back unchanged', () => {
    const kept = {
      model: 'a',
      models: ['a'],
      id: 'a',
      toolCallId: 'a',
      toolUseId: 'a',
      signature: 'a',
      idempotencyKey: 'a',
      endpoint: { name: 'a' },
      serviceTier: 'a',
    };
    assert.deepEqual(upper(kept), kept);
  });

  it('are those of the input of a tool whatever their names, and the names too', () => {
    for (const key of ['arguments', 'parameters', 'input', 'schema'])
      assert.deepEqual(upper({ [key]: { id: 'a', list: [{ model: 'b' }] } }), {
        [key]: { ID: 'A', LIST: [{ MODEL: 'B' }] },
      });
  });

  it('are found in JSON within a text, which stays as it was written where nothing is replaced', () => {
    assert.deepEqual(upper({ arguments: '{ "k": "v" }' }), { arguments: '{"K":"V"}' });
    assert.deepEqual(upper({ arguments: '{ "K": "V" }' }), { arguments: '{ "K": "V" }' });
    assert.deepEqual(upper({ arguments: '{ "k"' }), { arguments: '{ "K"' });
    const escaped = { arguments: '{"k":"\\u0061"}' };
    assert.deepEqual(
      mapTexts(escaped, text => text.replace('a', '…')),
      { arguments: '{"k":"…"}' },
    );
  });

  it('are not the bytes of an image', () => {
    const images = [
      { type: 'image', url: 'a' },
      { type: 'image', source: { data: 'a' } },
      { url: 'data:image/png;base64,a' },
    ];
    assert.deepEqual(upper(images), [
      { ...images[0], type: 'IMAGE' },
      { ...images[1], type: 'IMAGE' },
      images[2],
    ]);
    assert.deepEqual(upper({ type: 'image', text: 'a' }), { type: 'IMAGE', text: 'A' });
    assert.deepEqual(upper({ url: 'https://a' }), { url: 'HTTPS://A' });
    assert.deepEqual(upper({ source: 'a' }), { source: 'A' });
  });
});
