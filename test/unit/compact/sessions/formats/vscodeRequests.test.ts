import assert from 'node:assert/strict';
import { written as english } from '../../../../../src/base/sentence';
import {
  type HistoryMessage,
  type ReadHistory,
  readHistory,
  UnsupportedHistory,
} from '../../../../../src/compact/sessions';
import { omissionMarker } from '../../../../../src/compact/sessions/edit';
import { asCopy, draw, minting, sameEdits, textWritten, write } from '../fixtures';

const read = (...requests: readonly object[]): ReadHistory =>
  readHistory('chat.json', JSON.stringify({ responderUsername: 'GitHub Copilot', requests }));
const drawn = (...requests: readonly object[]): string[] => draw(read(...requests).history);
const asked = (text: string) => ({ text, parts: [{ kind: 'text', text }] });
/** A question with these parts of an answer. */
const answered = (...response: readonly object[]) => ({ message: asked('a'), response });

const call = (id: string) => ({ id, name: 'read_file', arguments: '{"path":"a.ts"}' });
const result = (...values: readonly unknown[]) => ({
  $mid: 20,
  content: values.map(value => ({ $mid: 21, value })),
});
/** Elements of a result, and a result that is a tree of them. */
const leaf = (text: string, lineBreakBefore?: boolean) => ({ type: 2, text, lineBreakBefore });
const group = (...children: object[]) => ({ type: 1, ctor: 2, children });
const tree = (...children: object[]) => ({ $mid: 23, value: { node: group(...children) } });
/** A question whose answer has rounds of calls. */
const inRounds = (rounds: readonly object[], more: object = {}, response: object[] = []) => ({
  requestId: 'request_1',
  message: asked('a'),
  response,
  result: { metadata: { toolCallRounds: rounds, ...more } },
});
const round = (id: string, response: string, more: object = {}) => ({
  id,
  response,
  toolCalls: [],
  ...more,
});
const requestsIn = (text: string) => JSON.parse(text).requests;
const canGo = ({ items, parts }: HistoryMessage): boolean[] => [
  items.length > 0,
  ...parts.map(({ location }) => (location.items?.length ?? 0) > 0),
];

describe('a question in a chat of VS Code', () => {
  it('is the text as it was sent, or as it was typed', () => {
    const answer = { value: 'b' };
    const metadata = {
      renderedUserMessage: [
        { type: 1, text: '<context>' },
        { type: 3, cacheType: 'ephemeral' },
        { type: 1, text: 'sent' },
      ],
    };
    for (const [request, ...lines] of [
      [{ message: 'typed' }, '  text: typed'],
      [{ message: asked('typed') }, '  text: typed'],
      [{ message: { text: 'typed' } }, '  text: typed'],
      [{ message: asked('typed'), result: { metadata } }, '  text: <context>', '  text: sent'],
      [
        { message: asked('typed'), result: { metadata: { renderedUserMessage: [] } } },
        '  text: typed',
      ],
      // The pieces name places in the text, which would no longer be right.
      [
        {
          message: {
            text: 'typed #file:a.ts',
            parts: [
              { kind: 'text', text: 'typed ' },
              { kind: 'dynamic', text: '#file:a.ts' },
            ],
          },
        },
        '  text whole: typed #file:a.ts',
      ],
      [
        {
          message: {
            text: '/fix',
            parts: [{ kind: 'slash', slashCommand: { name: 'fix' } }],
          },
        },
        '  text whole: /fix',
      ],
    ] as [object, ...string[]][])
      assert.deepEqual(drawn({ ...request, response: [answer] }), [
        'user',
        ...lines,
        'assistant',
        '  text: b',
      ]);
    assert.deepEqual(drawn({ message: {}, response: [answer] }), ['assistant', '  text: b']);
  });

  it('has its id and its time, and can go as a whole where nothing answers it', () => {
    const { history } = read(
      { ...answered({ value: 'b' }), requestId: 'r1', timestamp: 1_772_445_600_000 },
      { message: asked('c'), response: [] },
    );
    assert.deepEqual(
      history.messages.map(({ id, at }) => [id, at]),
      [
        ['r1', '2026-03-02T10:00:00.000Z'],
        [undefined, undefined],
        [undefined, undefined],
      ],
    );
    assert.deepEqual(history.messages.map(canGo), [
      [false, false],
      [false, true],
      [true, false],
    ]);
  });
});

describe('an answer in a chat of VS Code', () => {
  it('has its text, and a part for each thing that is shown', () => {
    const { history } = read(
      answered(
        { value: 'one\ntwo' },
        { kind: 'markdownContent', content: { value: 'three' } },
        { kind: 'markdownContent', content: 'four' },
        { kind: 'thinking', value: 'Hm.', id: 't' },
        { kind: 'thinking' },
        { kind: 'toolInvocationSerialized', toolId: 'copilot_readFile' },
        { kind: 'inlineReference', inlineReference: { path: '/a.ts' } },
        { kind: 'textEditGroup', edits: [] },
        { kind: 'progressMessage', content: { value: 'Reading' } },
      ),
    );
    assert.deepEqual(draw(history), [
      'user',
      '  text: a',
      'assistant',
      '  text: one|two',
      '  text: three',
      '  text: four',
      '  thinking whole: Hm.',
      '  thinking whole: ',
      '  other copilot_readFile whole: ',
      '  other whole: ',
      '  other whole: ',
      '  other whole: ',
    ]);
    assert.deepEqual(history.notes, []);
  });

  it('keeps what is not known, says so once, and is refused without a kind', () => {
    const unknown = { kind: 'newThing', value: 'x' };
    const session = read(answered({ value: 'b' }, unknown, unknown));
    assert.deepEqual(session.history.notes.map(english), [
      'Parts "newThing" are not known and stay as they are.',
    ]);
    const left = textWritten(session, sameEdits(session.history));
    assert.deepEqual(requestsIn(left)[0].response[1], unknown);
    for (const part of [{ value: 5 }, {}, { content: { value: 'x' } }])
      assert.throws(() => read(answered(part)), UnsupportedHistory);
  });

  it('has rounds of calls with their results, in place of what is shown', () => {
    const thinking = { id: 't', text: 'Hm.' };
    const request = inRounds(
      [
        round('r1', 'I look.', { thinking, toolCalls: [call('c1'), call('c2')] }),
        round('r2', '', { toolCalls: [call('c3')] }),
        round('r3', 'Done.', { thinking: {} }),
      ],
      {
        toolCallResults: {
          c1: result('one\ntwo', { image: true }),
          c3: result('three'),
        },
      },
      [{ value: 'shown' }],
    );
    const { history } = read(request);
    assert.deepEqual(draw(history), [
      'user',
      '  text: a',
      'assistant',
      '  thinking whole: Hm.',
      '  text: I look.',
      '  tool_call read_file #c1 whole: path: a.ts',
      '  tool_call read_file #c2 whole: path: a.ts',
      'tool',
      '  tool_result #c1: one|two',
      '  other #c1 whole: ',
      'assistant',
      '  text: ',
      '  tool_call read_file #c3 whole: path: a.ts',
      'tool',
      '  tool_result #c3: three',
      'assistant',
      '  thinking whole: ',
      '  text: Done.',
    ]);
    assert.deepEqual(
      history.messages.map(({ id }) => id),
      ['request_1', 'r1', 'r1', 'r2', 'r2', 'r3'],
    );
  });

  it('loses a call with its result', () => {
    const session = read(
      inRounds([round('r1', 'I look.', { toolCalls: [call('c1'), call('c2')] })], {
        toolCallResults: { c1: result('one'), c2: result('two') },
      }),
    );
    const edits = session.history.messages.map(({ parts }) =>
      parts.map(({ callId, text }) => (callId === 'c1' ? null : text)),
    );
    const [{ result: left }] = requestsIn(textWritten(session, edits));
    assert.deepEqual(left.metadata, {
      toolCallRounds: [round('r1', 'I look.', { toolCalls: [call('c2')] })],
      toolCallResults: { c2: result('two') },
    });
  });

  it('loses all calls that have one result, which VS Code keeps by their id', () => {
    const session = read(
      inRounds(
        [
          round('r1', 'I look.', { toolCalls: [call('c1')] }),
          round('r2', 'Again.', { toolCalls: [call('c1')] }),
        ],
        { toolCallResults: { c1: result('one') } },
      ),
    );
    const edits = sameEdits(session.history).map((own, at) => (at === 1 ? ['I look.', null] : own));
    const [{ result: left }] = requestsIn(textWritten(session, edits));
    assert.deepEqual(left.metadata, {
      toolCallRounds: [round('r1', 'I look.'), round('r2', 'Again.')],
      toolCallResults: {},
    });
  });

  it('shows in each place what is left of a round', () => {
    const text = 'one\ntwo';
    const session = read(
      inRounds([round('r1', text), round('r2', 'other\ntwo')], {}, [
        { value: text },
        { kind: 'markdownContent', content: { value: text } },
        { value: 'one\nthree' },
      ]),
    );
    const edits = sameEdits(session.history);
    (edits[1] ?? [])[0] = 'two';
    const [{ response, result: written }] = requestsIn(textWritten(session, edits));
    assert.deepEqual(response, [
      { value: 'two' },
      { kind: 'markdownContent', content: { value: 'two' } },
      { value: 'one\nthree' },
    ]);
    assert.deepEqual(written.metadata.toolCallRounds, [
      round('r1', 'two'),
      round('r2', 'other\ntwo'),
    ]);
  });

  it('has results that are trees of elements, and writes them as texts', () => {
    const file = tree(
      leaf('a.ts', false),
      leaf(' has ', false),
      leaf(''),
      leaf('3'),
      group(leaf('lines:', false)),
      group(group(leaf('one\n', true)), group(leaf('two', true)), leaf('three', true)),
    );
    const contents = [file, tree(), { $mid: 24, value: {} }, { $mid: 23, value: { node: 1 } }];
    const session = read(
      inRounds([round('r1', 'I look.', { toolCalls: [call('c1')] }), round('r2', 'Done.')], {
        toolCallResults: { c1: { $mid: 20, content: contents } },
      }),
    );
    const other = '  other #c1 whole: ';
    assert.deepEqual(draw(session.history).slice(4, 10), [
      '  tool_call read_file #c1 whole: path: a.ts',
      'tool',
      '  tool_result #c1: a.ts has 3|lines:|one|two|three',
      other,
      other,
      other,
    ]);
    const same = sameEdits(session.history);
    const resultsWith = (edit: string) => {
      const edits = same.map((own, at) => (at === 2 ? [edit, ...own.slice(1)] : own));
      return requestsIn(textWritten(session, edits))[0].result.metadata.toolCallResults.c1.content;
    };
    assert.deepEqual(resultsWith(same[2]?.[0] ?? ''), JSON.parse(JSON.stringify(contents)));
    const others = JSON.parse(JSON.stringify(contents.slice(1)));
    assert.deepEqual(resultsWith('two\nthree'), [{ $mid: 21, value: 'two\nthree' }, ...others]);
    assert.deepEqual(resultsWith(''), [{ $mid: 21, value: omissionMarker }, ...others]);
  });

  it('has the texts of a tree with an image, and keeps the image when they are shortened', () => {
    const image = { type: 1, ctor: 3, props: { src: 'data' }, children: [] };
    const opaque = { type: 3, value: { id: 7 } };
    const content = tree(leaf('b.png'), image, group(leaf('one'), leaf('two', true), opaque));
    const session = read(
      inRounds([round('r1', 'I look.', { toolCalls: [call('c1')] }), round('r2', 'Done.')], {
        toolCallResults: { c1: { $mid: 20, content: [content] } },
      }),
    );
    assert.deepEqual(draw(session.history).slice(5, 8), [
      'tool',
      '  tool_result #c1: b.pngone|two',
      '  image #c1 whole: ',
    ]);
    const same = sameEdits(session.history);
    const edits = same.map((own, at) => (at === 2 ? ['two', ''] : own));
    const written = requestsIn(textWritten(session, edits))[0].result.metadata.toolCallResults;
    assert.deepEqual(written.c1.content, [{ $mid: 21, value: 'two' }, tree(image, group(opaque))]);
  });

  it('loses rounds of which nothing is left, except for the last', () => {
    const calls = { toolCalls: [call('c1')] };
    const session = read(
      inRounds(
        [round('r1', 'I look.', calls), round('r2', ''), round('r3', 'Done.')],
        { toolCallResults: { c1: result('one') } },
        [{ value: 'I look.' }, { value: 'Done.' }],
      ),
    );
    assert.deepEqual(
      session.history.messages.map(({ items }) => items.length > 0),
      [false, true, false, false],
    );
    const without = (gone: readonly number[]) =>
      requestsIn(
        textWritten(
          session,
          sameEdits(session.history).map((own, at) =>
            gone.includes(at) ? own.map(() => null) : own,
          ),
        ),
      )[0];
    const { response, result: left } = without([1, 2]);
    assert.deepEqual(response, [{ value: 'Done.' }]);
    assert.deepEqual(left.metadata, {
      toolCallRounds: [round('r2', ''), round('r3', 'Done.')],
      toolCallResults: {},
    });
    // What is displayed would count as the answer if there were no rounds.
    assert.deepEqual(without([1, 2, 3]).result.metadata.toolCallRounds, [
      round('r2', omissionMarker),
      round('r3', ''),
    ]);
  });

  it('is no longer continued by the id of an answer once something is left out', () => {
    const session = read(
      inRounds([round('r1', 'I look.', { statefulMarker: 'resp_1' }), round('r2', 'Done.')]),
    );
    const same = sameEdits(session.history);
    assert.match(textWritten(session, same), /"statefulMarker":"resp_1"/);
    const edits = same.map(own => own.map(text => (text === 'Done.' ? 'Do' : text)));
    assert.match(textWritten(session, edits), /"statefulMarker":""/);
  });

  it('is another chat to Copilot, whose figures are of what is left', () => {
    const long = 'It is long. '.repeat(4000);
    const about = { responseId: 'a1', sessionId: 's1', promptTokens: 30_000 };
    const rounds = [round('r1', long, { toolCalls: [call('c1')] }), round('r2', 'Done.')];
    const session = read({ ...inRounds(rounds, about), promptTokens: 30_000 });
    const same = sameEdits(session.history);
    assert.equal(requestsIn(textWritten(session, same))[0].result.metadata.sessionId, 's1');
    const edits = same.map(own => own.map(text => (text === long ? 'It is long.' : text)));
    const written = write(session, edits, minting()).files[0]?.text ?? '';
    const [{ promptTokens, result: left }] = requestsIn(written);
    assert.equal(left.metadata.responseId, '');
    assert.notEqual(left.metadata.sessionId, 's1');
    assert.equal(left.metadata.promptTokens, promptTokens);
    assert.ok(promptTokens > 12_000 && promptTokens < 16_000, `${promptTokens}`);
    const copy = write(session, edits, asCopy).files[0]?.text ?? '';
    assert.match(copy, /"responseId":"","sessionId":"s1"/);
  });

  it('begins with a summary, whichever of its places the summary is in', () => {
    const rounds = [round('r1', 'before'), round('r2', 'sums up'), round('r3', 'after')];
    const summary = { toolCallRoundId: 'r2', text: 'sum' };
    const whole = ['user', '  summary whole: sum', 'assistant', '  text: after'];
    for (const request of [
      inRounds(rounds, { summary }),
      inRounds(rounds, { summaries: [{ toolCallRoundId: 'r1', text: 'older' }, summary] }),
      inRounds(rounds.map(one => (one.id === 'r2' ? { ...one, summary: 'sum' } : one))),
    ])
      assert.deepEqual(drawn(answered({ value: 'gone' }), request), whole);
    // Nothing is known of what these sum up.
    const failed = { toolCallRoundId: 'r2', text: '' };
    assert.equal(drawn(inRounds(rounds, { summary: failed })).length, 6);
    const none = rounds.map(one => ({ ...one, summary: '' }));
    assert.equal(drawn(inRounds(none)).length, 6);
    assert.deepEqual(drawn(answered({ value: 'gone' }), inRounds(none, { summary })), whole);
    for (const odd of [{ text: 'sum' }, { toolCallRoundId: 'r2' }, { toolCallRoundId: 'r9' }])
      assert.equal(drawn(inRounds(rounds, { summary: odd })).length, 6);
  });
});

describe('a summary of a chat of VS Code', () => {
  const summary = { toolCallRoundId: 'r1', text: 'sum' };
  const first = inRounds([round('r1', 'gone'), round('r2', 'after')]);
  const next = { ...answered({ value: 'b' }), result: { metadata: { summaries: [summary] } } };
  const whole = ['user', '  summary whole: sum', 'assistant', '  text: after'];

  it('may be noted in a later request than the one that it is about', () => {
    const later = ['user', '  text: a', 'assistant', '  text: b'];
    assert.deepEqual(drawn(first, next), [...whole, ...later]);
    // What is noted later counts.
    const newer = { toolCallRoundId: 'r2', text: 'newer' };
    const last = { ...next, result: { metadata: { summaries: [summary, newer] } } };
    const after = ['user', '  summary whole: newer', ...later, ...later];
    assert.deepEqual(drawn(first, next, last), after);
    // A round that comes only later cannot be meant.
    assert.equal(drawn(next, first).length, 9);
  });

  it('stays with the request that it is noted in', () => {
    const asking = { ...next, response: [] };
    const session = read(first, asking);
    assert.deepEqual(draw(session.history), [...whole, 'user', '  text: a']);
    assert.deepEqual(session.history.messages.at(-1)?.items, []);
  });
});

describe('a log of a chat of VS Code', () => {
  const root = {
    version: 3,
    sessionId: 's',
    responderUsername: 'A',
    requests: [
      answered({ value: 'b' }),
      inRounds([round('r1', 'c', { thinking: { text: 'Hm.' }, toolCalls: [call('c1')] })], {
        toolCallResults: { c1: result('one') },
        renderedUserMessage: [{ type: 1, text: 'sent' }],
      }),
      { message: asked('d'), response: [] },
    ],
  };
  const log = JSON.stringify({ kind: 0, v: root });

  it('can lose the same entries as the chat itself', () => {
    const whole = readHistory('chat.json', JSON.stringify(root)).history;
    const { history } = readHistory('chat.jsonl', `${log}\n`);
    assert.deepEqual(draw(history), draw(whole));
    assert.deepEqual(history.messages.map(canGo), [
      [false, false],
      [false, true],
      [false, true],
      [false, true, false, true],
      [false, true],
      [true, false],
    ]);
    assert.deepEqual(whole.messages.map(canGo), history.messages.map(canGo));
  });

  it('starts anew in a copy that lost something, because its entries are named by their place', () => {
    const [first, ...others] = root.requests;
    const added = others.map(request => JSON.stringify({ kind: 2, k: ['requests'], v: [request] }));
    const start = JSON.stringify({ kind: 0, v: { ...root, requests: [first] } });
    const before = `${[start, ...added].join('\n')}\n`;
    const session = readHistory('chat.jsonl', before);
    const same = sameEdits(session.history);
    assert.equal(write(session, same, asCopy).files[0]?.text, before);
    const edits = same.map((own, at) => own.map(text => (at === 4 ? null : text)));
    const [copy] = write(session, edits, asCopy).files;
    const { kind, v } = JSON.parse(copy?.text ?? '');
    assert.deepEqual([copy?.path, kind, v.requests.length], ['chat.jsonl', 0, 3]);
    assert.deepEqual(v.requests[1].result.metadata, {
      toolCallRounds: [round('r1', 'c', { thinking: { text: 'Hm.' } })],
      toolCallResults: {},
      renderedUserMessage: [{ type: 1, text: 'sent' }],
    });
  });

  it('is shortened all the same', () => {
    const session = readHistory('chat.jsonl', `${log}\n`);
    const edits = sameEdits(session.history).map((own, at) => (at === 1 ? [''] : own));
    const [file] = write(session, edits, asCopy).files;
    assert.equal(JSON.parse(file?.text ?? '').v.requests[0].response[0].value.includes('b'), false);
  });
});
