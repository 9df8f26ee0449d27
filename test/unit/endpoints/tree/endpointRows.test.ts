import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  dropGone,
  type EndpointsSnapshot,
  markGone,
  mergeStatus,
} from '../../../../src/endpoints/core/endpointsSnapshot';
import {
  appearanceOf,
  endpointGroups,
  stateFactsOf,
} from '../../../../src/endpoints/core/lifecycle';
import { timelineOf } from '../../../../src/endpoints/core/timeline';
import { attentionCount, endpointRows } from '../../../../src/endpoints/tree/endpointRows';
import type { EndpointDetails, EndpointRowsInput } from '../../../../src/endpoints/tree/rowsInput';
import { type RowData, RowTree, type TreeRow } from '../../../../src/platform/tree/rows';
import type { EndpointStatus, EndpointSummary } from '../../../../src/service/wire/dedicated';
import { endpointStates } from '../../../../src/service/wire/dedicated';
import { assertApproved, outlineOf, useUtc } from '../../../support/unit/approved';
import { cpuMs } from '../../../support/unit/cpuTime';
import {
  dayMs,
  endpoint,
  event,
  hourMs,
  minuteMs,
  snapshotOf,
  startMs,
  status,
  t,
} from '../core/support';

function inputOf(
  snapshot: EndpointsSnapshot,
  more: Partial<EndpointRowsInput> = {},
): EndpointRowsInput {
  return {
    snapshot,
    nowMs: startMs,
    details: new Map(),
    dismissed: new Set(),
    watched: new Set(),
    shownEvents: new Map(),
    t,
    locale: 'en-GB',
    commands: { moreEvents: 'more', retry: 'retry' },
    ...more,
  };
}

/** Two blanks per level, descriptions in brackets. */
function text(rows: readonly RowData[], indent = ''): string[] {
  return rows.flatMap(({ label, description, children = [] }) => [
    `${indent}${label}${description ? ` [${description}]` : ''}`,
    ...text(children, `${indent}  `),
  ]);
}

const withStatus = (
  snapshot: EndpointsSnapshot,
  ...all: EndpointStatus[]
): Partial<EndpointRowsInput> => ({
  snapshot: all.reduce((merged, one) => mergeStatus(merged, one, startMs), snapshot),
  details: new Map<string, EndpointDetails>(all.map(one => [one.id, { status: one, at: startMs }])),
});

describe('the states of an endpoint', () => {
  const rows: [
    state: string,
    group: string,
    icon: string,
    color: string | undefined,
    text: string,
  ][] = [
    [
      'checkout_pending',
      'attention',
      'credit-card',
      'problemsWarningIcon.foreground',
      'Waiting for payment',
    ],
    ['paid', 'starting', 'check', undefined, '1/7 Paid'],
    ['capacity_held', 'starting', 'lock', undefined, '2/7 GPUs reserved'],
    ['provisioning', 'starting', 'loading~spin', undefined, '3/7 Preparing GPUs'],
    ['pr_open', 'starting', 'git-pull-request', undefined, '4/7 Configuration in review'],
    ['merged', 'starting', 'git-merge', undefined, '5/7 Configuration approved'],
    ['deploying', 'starting', 'loading~spin', undefined, '6/7 Loading the model'],
    ['ready', 'ready', 'pass-filled', 'testing.iconPassed', 'Ready'],
    ['suspended', 'attention', 'debug-pause', 'problemsWarningIcon.foreground', 'Suspended'],
    ['failed', 'attention', 'error', 'testing.iconFailed', 'Failed'],
    ['refunding', 'ended', 'history', undefined, 'Refund in progress'],
    ['refunded', 'ended', 'discard', 'disabledForeground', 'Refunded'],
    ['canceled', 'ended', 'circle-slash', 'disabledForeground', 'Canceled'],
    ['hibernating', 'starting', 'question', undefined, 'New state "hibernating"'],
  ];

  it('are all in the table', () => {
    assert.deepEqual(
      rows
        .map(([state]) => state)
        .slice(0, -1)
        .toSorted(),
      [...endpointStates.keys()].toSorted(),
    );
  });

  for (const [state, group, icon, color, words] of rows)
    it(`${state}: ${words}`, () => {
      const snapshot = snapshotOf([endpoint('a', state)]);
      const [top] = endpointRows(inputOf(snapshot));
      const row = group === 'ended' ? top?.children?.[0] : top;
      assert.equal(appearanceOf(state, t).group, group);
      assert.deepEqual(row?.icon, { id: icon, ...(color === undefined ? {} : { color }) });
      assert.equal(row?.description, `${words} · Team 8`);
      assert.equal(row?.id, 'a');
      assert.match(row?.spoken ?? '', /^Model a #a, (Needs Attention|Starting|Ready|Ended), /);
      assert.doesNotMatch(row?.spoken ?? '', /\$\(|~spin|·/);
    });

  const menus: Record<string, string> = {
    checkout_pending: ';endpoint;attention;watchable;current;billing;',
    ready: ';endpoint;ready;serves;current;',
    suspended: ';endpoint;attention;current;billing;',
    failed: ';endpoint;attention;dismissable;current;',
    refunding: ';endpoint;ended;',
    refunded: ';endpoint;ended;',
    canceled: ';endpoint;ended;',
  };
  for (const [state, group] of rows)
    it(`${state}: has the actions that are possible in it`, () => {
      const [top] = endpointRows(inputOf(snapshotOf([endpoint('a', state)])));
      const row = group === 'ended' ? top?.children?.[0] : top;
      assert.equal(row?.context, menus[state] ?? ';endpoint;starting;watchable;current;');
    });

  it('show one that the service lists no more among those that are over, until it is dismissed', () => {
    const gone = markGone(snapshotOf([endpoint('a', 'ready')]), 'a', startMs);
    const [top] = endpointRows(inputOf(gone));
    const [row] = top?.children ?? [];
    assert.equal(top?.label, 'Ended');
    assert.match(row?.description ?? '', /^No longer listed · was: Ready · /);
    assert.match(row?.spoken ?? '', /^Model a #a, Ended, No longer listed, was: Ready, /);
    assert.deepEqual(
      [row?.icon?.id, row?.context, row?.fold],
      ['circle-slash', ';gone;dismissable;', undefined],
    );
    assert.deepEqual(endpointRows(inputOf(dropGone(gone, 'a'))), []);
  });

  it('name the time in a state whose beginning was seen', () => {
    const before = snapshotOf([endpoint('a', 'provisioning')]);
    const snapshot = snapshotOf([endpoint('a', 'deploying')], startMs, before);
    const [row] = endpointRows(inputOf(snapshot, { nowMs: startMs + 12 * minuteMs }));
    assert.equal(row?.description, '6/7 Loading the model · 12 min · Team 8');
    assert.match(row?.spoken ?? '', /Step 6 of 7, Loading the model, for 12 minutes, Team 8$/);
  });

  it('mark the end of one that serves', () => {
    const snapshot = snapshotOf([endpoint('a', 'ready'), endpoint('b', 'ready')]);
    const rowsOf = endpointRows({
      ...inputOf(snapshot),
      ...withStatus(
        snapshot,
        status('a', 'ready', { cancelEffectiveAt: startMs + 39 * dayMs }),
        status('b', 'ready', { cancelEffectiveAt: startMs + 30 * hourMs }),
      ),
    });
    assert.deepEqual(
      rowsOf.map(({ description, icon }) => [description, icon]),
      [
        ['Ready · ends 29 Dec (39 days) · Team 8', { id: 'clock' }],
        [
          'Ready · ends 21 Nov (30 h) · Team 8',
          { id: 'clock', color: 'problemsWarningIcon.foreground' },
        ],
      ],
    );
  });
});

const at = (minutes: number) => startMs - minutes * minuteMs;

describe('the tree of endpoints', () => {
  it('is flat up to six that are not over, by group, newest first', () => {
    const snapshot = snapshotOf([
      endpoint('new-ready', 'ready', { createdAt: startMs - 1 }),
      endpoint('old-ready', 'ready', { createdAt: startMs - 2 }),
      endpoint('paid', 'paid'),
      endpoint('failed', 'failed'),
      endpoint('gone', 'canceled'),
    ]);
    assert.deepEqual(text(endpointRows(inputOf(snapshot))), [
      'Model failed #iled [Failed · Team 8]',
      'Model paid #paid [1/7 Paid · Team 8]',
      'Model new-ready #eady [Ready · Team 8]',
      'Model old-ready #eady [Ready · Team 8]',
      'Ended [1]',
      '  Model gone #gone [Canceled · Team 8]',
    ]);
  });

  it('has groups above six', () => {
    const states = ['paid', 'ready', 'ready', 'ready', 'ready', 'ready', 'suspended', 'refunded'];
    const snapshot = snapshotOf(states.map((state, n) => endpoint(`e${n}`, state)));
    const rows = endpointRows(inputOf(snapshot));
    assert.deepEqual(
      rows.map(({ id, label, description, fold }) => [id, label, description, fold]),
      [
        ['group:attention', 'Needs Attention', '1', 'open'],
        ['group:starting', 'Starting', '1', 'open'],
        ['group:ready', 'Ready', '5', 'open'],
        ['group:ended', 'Ended', '1', 'closed'],
      ],
    );
  });

  it('puts a failure that was dismissed to those that are over', () => {
    const snapshot = snapshotOf([endpoint('a', 'failed'), endpoint('b', 'failed')]);
    assert.equal(attentionCount(snapshot, new Set()), 2);
    assert.equal(attentionCount(snapshot, new Set(['a'])), 1);
    assert.deepEqual(text(endpointRows(inputOf(snapshot, { dismissed: new Set(['a']) }))), [
      'Model b #b [Failed · Team 8]',
      'Ended [1]',
      '  Model a #a [Failed · Team 8]',
    ]);
  });

  it('shows what a status tells', () => {
    const snapshot = snapshotOf([endpoint('a', 'deploying')]);
    const events = [
      event('payment.succeeded', at(30), ['checkout_pending', 'paid'], {
        actorType: 'payments_provider',
      }),
      event('capacity.held', at(28), ['paid', 'capacity_held']),
      event('note.added', at(20), [], { actorType: 'robot' }),
      event('deployment.started', at(4), ['capacity_held', 'deploying'], {
        actorType: 'code_host_actions',
      }),
    ];
    const rows = endpointRows({
      ...inputOf(snapshot),
      ...withStatus(
        snapshot,
        status('a', 'deploying', { events, activationDeadline: startMs + 92 * minuteMs }),
      ),
    });
    const clock = (minutes: number) =>
      new Date(at(minutes)).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
    assert.deepEqual(text(rows), [
      'Model a #a [6/7 Loading the model · 4 min · Team 8]',
      '  Activation deadline [in 1 h 32 min]',
      '  Plan [Team 8 · 8 GPUs · GPU generation 4]',
      '  Model [svc-glm52-744b]',
      '  Spend cap [US$2,500.00]',
      '  Provisioning [deploying · diagnostic only]',
      '  Timeline [4 events]',
      `    Loading the model [${clock(4)} · for 4 min · by a job of the code host]`,
      `    note.added [${clock(20)} · by robot]`,
      `    GPUs reserved [${clock(28)} · took 24 min · by the service]`,
      `    Paid [${clock(30)} · took 2 min · by the payment provider]`,
    ]);
  });

  it('shows the connection in ready only, though it stays in the status', () => {
    const connection = {
      servedModelName: 'dedicated/m',
      endpointUrl: 'https://x.test',
      maxConcurrency: 4,
    };
    for (const state of [...endpointStates.keys(), 'hibernating']) {
      const snapshot = snapshotOf([endpoint('a', state)]);
      const rows = endpointRows({
        ...inputOf(snapshot),
        ...withStatus(snapshot, status('a', state, { connection })),
      });
      const has = text(rows).some(row => row.trim().startsWith('Connection'));
      assert.equal(has, state === 'ready', state);
      const [flags] = rows.map(({ context }) => context);
      assert.equal(flags?.includes(';serves;') ?? false, state === 'ready', state);
    }
    // The list is ahead of the status, and the other way round.
    for (const [listed, told] of [
      ['suspended', 'ready'],
      ['ready', 'suspended'],
    ] as const) {
      const snapshot = snapshotOf([endpoint('a', listed)]);
      const rows = endpointRows({
        ...inputOf(snapshot),
        ...withStatus(snapshot, status('a', told, { connection })),
      });
      assert.ok(!text(rows).some(row => row.includes('Connection')), `${listed} ${told}`);
    }
  });

  it('shows twenty events, then more', () => {
    const events = Array.from({ length: 57 }, (_, n) =>
      event('note.added', startMs - hourMs + n * 1000),
    );
    const snapshot = snapshotOf([endpoint('a', 'ready')]);
    const known = withStatus(snapshot, status('a', 'ready', { events }));
    const timeline = (shown?: number) =>
      endpointRows({
        ...inputOf(snapshot),
        ...known,
        ...(shown === undefined ? {} : { shownEvents: new Map([['a', shown]]) }),
      })[0]?.children?.find(({ id }) => id === 'a/timeline')?.children ?? [];
    const first = timeline();
    assert.deepEqual(
      [first.length, first.at(-1)?.label, first.at(-1)?.description],
      [21, 'Load more…', '20 of 57'],
    );
    assert.equal(timeline(60).length, 57);
    assert.deepEqual(
      timeline(40)
        .slice(0, 20)
        .map(({ id }) => id),
      first.slice(0, 20).map(({ id }) => id),
    );
  });

  it('keeps hostile text on one line, without links, icons and invisible characters', () => {
    const evil = 'a\u202eb\n[pay](command:x) $(trash) \u200bsk-abcdefgh12345 <img src=x>';
    const snapshot = snapshotOf([
      endpoint('a', 'ready', { modelDisplayName: evil, planName: evil, modelHardware: evil }),
      endpoint('b', evil, { modelDisplayName: evil }),
      endpoint('__proto__', 'ready'),
    ]);
    const rows = endpointRows({
      ...inputOf(snapshot),
      ...withStatus(
        snapshot,
        status('a', 'ready', {
          planName: evil,
          provisioningStatus: evil,
          connection: { servedModelName: evil, endpointUrl: evil },
          events: [event(evil, startMs, [evil, evil], { actorType: evil })],
        }),
      ),
    });
    const visit = (all: readonly RowData[]): void => {
      for (const { label, description = '', tooltip = '', spoken = '', children = [] } of all) {
        for (const shown of [label, description, tooltip.replaceAll('\n', ' '), spoken])
          assert.doesNotMatch(shown, /[\u202e\u200b\n]|\]\(|\$\(|sk-abc/u, JSON.stringify(shown));
        visit(children);
      }
    };
    visit(rows);
    assert.ok(rows.some(({ id }) => id === '__proto__'));
  });
});

describe('the timeline', () => {
  it('takes events without ids, dates or with the same id', () => {
    const events = [
      event('x.y', 0, [], { id: undefined, createdAt: undefined }),
      event('x.y', 0, [], { id: undefined, createdAt: undefined }),
      event('a.b', startMs, ['p', 'q'], { id: 'same' }),
      event('a.c', startMs - 5, ['q', 'r'], { id: 'same' }),
    ];
    const entries = timelineOf(events);
    assert.equal(new Set(entries.map(({ key }) => key)).size, 4);
    // Never a negative time.
    assert.deepEqual(
      entries.map(({ lastedMs }) => lastedMs),
      [undefined, 0, undefined, undefined],
    );
  });
});

/** What VS Code would hold after following all changes that it was told of. */
class Drawn {
  readonly tree = new RowTree();
  #children = new Map<string, string[]>();
  #roots: string[] = [];
  updates = 0;

  show(rows: readonly RowData[]): void {
    const change = this.tree.update(rows);
    if (change === 'all') {
      this.updates++;
      this.#children = new Map();
      this.#roots = this.#fetch(this.tree.roots);
    } else
      for (const row of change) {
        this.updates++;
        this.#children.set(row.id, this.#fetch(row.children));
      }
  }

  #fetch(rows: readonly TreeRow[]): string[] {
    return rows.map(row => {
      this.#children.set(row.id, this.#fetch(row.children));
      return row.id;
    });
  }

  ids(): string[] {
    const visit = (ids: readonly string[]): string[] =>
      ids.flatMap(id => [id, ...visit(this.#children.get(id) ?? [])]);
    return visit(this.#roots);
  }
}

const idsOf = (rows: readonly RowData[]): string[] =>
  rows.flatMap(({ id, children = [] }) => [id, ...idsOf(children)]);

describe('random walks over all states', () => {
  const anyState = fc.constantFrom(...endpointStates.keys(), 'hibernating', '');

  it('lose no endpoint, keep every id, and draw what has changed', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(9), anyState, fc.boolean()), { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 10 }),
        (walk, count) => {
          const current = new Map<string, EndpointSummary>(
            Array.from({ length: count }, (_, n) => [
              `e${n}`,
              endpoint(`e${n}`, 'checkout_pending'),
            ]),
          );
          const details = new Map<string, EndpointDetails>();
          const drawn = new Drawn();
          const objects = new Map<string, TreeRow>();
          let snapshot = snapshotOf([...current.values()]);
          walk.forEach(([which, state, isOpened], step) => {
            const id = `e${which % count}`;
            current.set(id, { ...endpoint(id, state) });
            const now = startMs + step * minuteMs;
            snapshot = snapshotOf([...current.values()], now, snapshot);
            if (isOpened) {
              const told = status(id, state, { events: [event('a.b', now, [state, state])] });
              details.set(id, { status: told, at: now });
              snapshot = mergeStatus(snapshot, told, now);
            }
            const rows = endpointRows(inputOf(snapshot, { nowMs: now, details }));
            drawn.show(rows);
            assert.deepEqual(drawn.ids(), idsOf(rows));
            for (const each of current.keys()) {
              const row = drawn.tree.byId(each);
              assert.ok(row, `${each} is lost`);
              assert.equal(objects.get(each) ?? row, row, `${each} is another object`);
              objects.set(each, row);
              assert.ok(
                endpointGroups.includes(stateFactsOf(current.get(each)?.state ?? '').group),
              );
            }
          });
        },
      ),
      { numRuns: 200 },
    );
  });

  it('draws only one row when only one has changed, and none when none has', () => {
    const drawn = new Drawn();
    const all = ['a', 'b', 'c'].map(id => endpoint(id, 'deploying'));
    const first = snapshotOf(all);
    drawn.show(endpointRows(inputOf(first)));
    drawn.show(endpointRows(inputOf(first)));
    assert.equal(drawn.updates, 1);
    const [, ...others] = all;
    const next = snapshotOf([endpoint('a', 'merged'), ...others], startMs, first);
    drawn.show(endpointRows(inputOf(next)));
    assert.equal(drawn.updates, 2);
  });

  it('takes 500 endpoints with 2,000 events each', () => {
    const events = Array.from({ length: 2000 }, (_, n) =>
      event('deployment.started', startMs - (2000 - n) * minuteMs, ['merged', 'deploying']),
    );
    const all = Array.from({ length: 500 }, (_, n) =>
      endpoint(`e${n}`, n % 2 ? 'ready' : 'deploying'),
    );
    let snapshot = snapshotOf(all);
    const details = new Map<string, EndpointDetails>(
      all.map(({ id, state }) => [id, { status: status(id, state, { events }), at: startMs }]),
    );
    const drawn = new RowTree();
    drawn.update(endpointRows(inputOf(snapshot, { details })));
    const times = Array.from({ length: 10 }, (_, n) => {
      snapshot = snapshotOf(all, startMs + n * minuteMs, snapshot);
      return cpuMs(() =>
        drawn.update(endpointRows(inputOf(snapshot, { details, nowMs: startMs + n * minuteMs }))),
      );
    }).toSorted((a, b) => a - b);
    if (process.env['FIGURES']) console.log(`500 × 2,000: ${times[5]?.toFixed(0)} ms per drawing`);
    assert.ok((times[5] ?? 0) < 400, String(times));
  });
});

/** The rows of endpoints whose statuses are known. */
const opened = (all: readonly EndpointStatus[], more: Partial<EndpointRowsInput> = {}): string => {
  const known = all.reduce((snapshot, one) => mergeStatus(snapshot, one, startMs), snapshotOf(all));
  const details = new Map<string, EndpointDetails>(
    all.map(one => [one.id, { status: one, at: startMs }]),
  );
  return outlineOf(endpointRows(inputOf(known, { details, ...more })));
};

const trail = [
  event('order.created', startMs - 5 * hourMs, [], {
    toState: 'checkout_pending',
    actorType: 'user',
  }),
  event('order.paid', startMs - 4 * hourMs, ['checkout_pending', 'paid'], { actorType: 'payment' }),
  event('gpu.checked', startMs - 4 * hourMs + minuteMs),
  event('capacity.held', startMs - 3 * hourMs, ['paid', 'capacity_held']),
  event('deploy.failed', startMs - 2 * hourMs, ['capacity_held', 'failed'], { actorType: 'admin' }),
  event('deploy.started', startMs - 90 * minuteMs, ['failed', 'deploying']),
];

describe('the view of endpoints', () => {
  useUtc();

  it('shows one that is on its way with its deadline and trail', () =>
    assertApproved(
      'endpointStarting',
      opened([
        status('starting', 'deploying', {
          activationDeadline: startMs + 3 * hourMs,
          events: trail,
          unreadable: 2,
          reservedGpuEquivalents: 1,
        }),
      ]),
    ));

  it('shows one that serves with its connection and end', () =>
    assertApproved(
      'endpointServing',
      opened([
        status('serving', 'ready', {
          readyAt: startMs - dayMs,
          cancelEffectiveAt: startMs + 2 * dayMs,
          events: [event('endpoint.ready', startMs - dayMs, ['deploying', 'ready'])],
          connection: {
            endpointUrl: 'https://serving.example.org/',
            servedModelName: 'svc-m',
            contextTokens: 131_072,
            maxConcurrency: 8,
            pricePerM: { input: 0.5, output: 1.25 },
          },
        }),
        status('bare', 'ready', {
          events: [],
          connection: {},
          spendCapCents: undefined,
          provisioningStatus: undefined,
          reservedGpuEquivalents: undefined,
          planName: undefined,
        }),
      ]),
    ));

  it('writes the size of a context in the language of the editor', () => {
    const serving = status('serving', 'ready', { connection: { contextTokens: 131_072 } });
    assert.match(opened([serving], { locale: 'de' }), /Context \[131\.072 tokens\]/);
    assert.match(opened([serving], { locale: 'en' }), /Context \[131,072 tokens\]/);
  });

  it('shows why one has failed', () => {
    const failed = status('failed', 'failed', { failureCode: 'gpu_shortage', events: trail });
    const refunded = status('refunded', 'refunded', { events: trail.slice(0, 5) });
    assertApproved('endpointFailed', opened([failed, refunded]));
  });

  it('shows only the newest events of a long trail, and offers more', () => {
    const long = status('long', 'deploying', {
      events: Array.from({ length: 25 }, (_, n) => event('gpu.checked', startMs - 25 + n)),
    });
    const shown = opened([long], { shownEvents: new Map([['long', 2]]) });
    assertApproved('endpointTrail', shown);
    assert.equal(opened([long]).match(/long\/event\//g)?.length, 20);
  });

  it('shows what could not be read', () => {
    const details = new Map<string, EndpointDetails>([['a', { failure: 'The service is busy.' }]]);
    assertApproved(
      'endpointUnread',
      outlineOf(endpointRows(inputOf(snapshotOf([endpoint('a', 'ready')]), { details }))),
    );
  });

  it('has groups once there are many, newest first, those that are over folded', () => {
    const states = 'ready ready paid suspended failed refunding canceled'.split(' ');
    const all = states.map((state, n) =>
      endpoint(`e${n}`, state, { createdAt: startMs - ((n * 7) % 5) * hourMs }),
    );
    const few = inputOf(snapshotOf(all));
    assertApproved('endpointsFew', outlineOf(endpointRows(few)));
    const many = [...all, endpoint('e8', 'merged'), endpoint('e9', 'ready')];
    const input = inputOf(markGone(snapshotOf(many), 'e9', startMs - hourMs), {
      watched: new Set(['e2']),
      dismissed: new Set(['e4']),
    });
    assertApproved('endpointsMany', outlineOf(endpointRows(input)));
    assert.equal(attentionCount(few.snapshot, new Set()), 2);
    assert.equal(attentionCount(few.snapshot, new Set(['e4'])), 1);
  });

  it('tells endpoints of the same name apart by their ids', () => {
    const same = { modelDisplayName: 'Twin', planName: 'Team 8' };
    const rows = endpointRows(
      inputOf(
        snapshotOf([
          endpoint('ep_0123456789', 'ready', same),
          endpoint('ep_9876546789', 'ready', same),
          endpoint('ep_other', 'ready', { ...same, planName: 'Team 16' }),
        ]),
      ),
    );
    assert.deepEqual(
      rows.map(({ description }) => description),
      ['Ready · Team 8 · 23456789', 'Ready · Team 8 · 76546789', 'Ready · Team 16'],
    );
  });
});
