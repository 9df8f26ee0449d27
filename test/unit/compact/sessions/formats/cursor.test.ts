import assert from 'node:assert/strict';
import { written } from '../../../../../src/base/sentence';
import {
  detectFormat,
  type ReadHistory,
  readHistory,
  UnsupportedHistory,
} from '../../../../../src/compact/sessions';
import { draw } from '../fixtures';

type Row = readonly [key: string, value: unknown];
const rowsOf = (...rows: readonly Row[]): string =>
  JSON.stringify(rows.map(([key, value]) => ({ key, value })));
const read = (...rows: readonly Row[]): ReadHistory => readHistory('cursor.json', rowsOf(...rows));

const composer = (...ids: readonly string[]): Row => [
  'composerData:s1',
  {
    _v: 3,
    composerId: 's1',
    name: 'Cord',
    createdAt: 1_772_445_600_000,
    fullConversationHeadersOnly: ids.map(bubbleId => ({ bubbleId, type: 1 })),
  },
];
const bubble = (id: string, type: number, text: string, more: object = {}): Row => [
  `bubbleId:s1:${id}`,
  { _v: 3, bubbleId: id, type, text, createdAt: `2026-03-02T10:00:0${id}.000Z`, ...more },
];
const tool = (more: object) => ({
  toolFormerData: { toolCallId: 'c1', name: 'read_file', ...more },
});

describe('a session of Cursor', () => {
  it('has its messages in the order of their headers, answers joined', () => {
    const { history } = read(
      bubble('3', 2, 'Really.'),
      ['other:row', 5],
      composer('1', '2', '3'),
      bubble('2', 2, '75 cm.', { thinking: { text: 'Length?' } }),
      bubble('1', 1, 'How long?'),
      bubble('9', 1, 'of no header'),
    );
    assert.deepEqual(draw(history), [
      'user',
      '  text: How long?',
      'assistant',
      '  thinking whole: Length?',
      '  text: 75 cm.',
      '  text: Really.',
    ]);
    assert.deepEqual(
      [history.sessionId, history.title, history.startedAt, history.notes],
      ['s1', 'Cord', '2026-03-02T10:00:00.000Z', []],
    );
    assert.deepEqual(
      history.messages.map(({ id, at }) => [id, at]),
      [
        ['1', '2026-03-02T10:00:01.000Z'],
        ['2', '2026-03-02T10:00:02.000Z'],
      ],
    );
  });

  it('has calls by the arguments that the model sent, and results as far as there are any', () => {
    for (const [more, ...lines] of [
      [
        { rawArgs: '{"path":"a.ts"}', params: '{"path":"/k/a.ts"}', result: '{"contents":"x"}' },
        '  tool_call read_file #c1 whole: path: a.ts',
        'tool',
        '  tool_result #c1 whole: contents: x',
      ],
      [{ params: '{"path":"a.ts"}' }, '  tool_call read_file #c1 whole: path: a.ts'],
      [
        { result: 'plain' },
        '  tool_call read_file #c1 whole: ',
        'tool',
        '  tool_result #c1 whole: plain',
      ],
    ] as [object, ...string[]][])
      assert.deepEqual(
        draw(read(composer('1', '2'), bubble('1', 1, 'a'), bubble('2', 2, '', tool(more))).history),
        ['user', '  text: a', 'assistant', ...lines],
      );
  });

  it('may have its messages inside, as older ones do', () => {
    const [key] = composer();
    const conversation = [
      { type: 1, bubbleId: '1', text: 'a' },
      { type: 2, bubbleId: '2', text: 'b' },
    ];
    const { history } = read([key, { composerId: 's1', conversation }]);
    assert.deepEqual(draw(history), ['user', '  text: a', 'assistant', '  text: b']);
    assert.deepEqual([history.notes, history.startedAt], [[], undefined]);
  });

  it('may have its values as JSON in a text, as the database has them', () => {
    const quoted = [composer('1'), bubble('1', 1, 'a')].map(
      ([key, value]): Row => [key, JSON.stringify(value)],
    );
    assert.deepEqual(draw(read(...quoted).history), ['user', '  text: a']);
  });

  it('may be of each version that is known, or of none', () => {
    for (const _v of [1, 2, 3, undefined]) {
      const conversation = [{ type: 1, bubbleId: '1', text: 'a', _v }];
      const { history } = read(['composerData:s1', { _v, composerId: 's1', conversation }]);
      assert.deepEqual(draw(history), ['user', '  text: a']);
    }
  });

  it('says how many of its messages are missing', () => {
    const { history } = read(composer('1', '2', '3'), bubble('1', 1, 'a'));
    assert.deepEqual(history.notes.map(written), ['Messages that are missing: 2.']);
  });

  it('is refused where it is damaged, empty, of several sessions or of another version', () => {
    const [key, value] = composer('1');
    const one = bubble('1', 1, 'a');
    for (const [rows, reason] of [
      [[[key, '{'], one], /a row is damaged/],
      [[composer('1'), ['composerData:s2', value], one], /rows of several sessions/],
      [[composer('1')], /./],
      [[composer('1'), bubble('1', 3, 'a')], /type.*3/],
      [[composer('1'), bubble('1', 1, 'a', { _v: 4 })], /version 4 of a bubble is not known/],
      [[[key, { _v: 9, conversation: [{ type: 1, text: 'a' }] }]], /version 9 of a composer/],
    ] as [Row[], RegExp][])
      assert.throws(
        () => read(...rows),
        error => error instanceof UnsupportedHistory && reason.test(error.message),
      );
  });

  it('is told by the row of the session', () => {
    assert.equal(detectFormat('a.json', rowsOf(bubble('1', 1, 'a'), composer('1')))?.id, 'cursor');
    assert.notEqual(detectFormat('a.json', rowsOf(bubble('1', 1, 'a')))?.id, 'cursor');
    assert.notEqual(detectFormat('a.json', '{"key":"composerData:1"}')?.id, 'cursor');
  });
});
