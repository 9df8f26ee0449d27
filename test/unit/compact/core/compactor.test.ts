import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  CompactionStopped,
  type CompactOptions,
  compactText,
} from '../../../../src/compact/core/compactor';
import { proveClaim, proveKeptSpans, proveOutput } from '../../../../src/compact/core/proof';
import { complementOf, lineStartsOf } from '../../../../src/compact/core/ranges';
import { findSegments } from '../../../../src/compact/core/segments/findSegments';
import { anyText, headerStyles, saying } from '../chats';

const numRuns = 300;
const anyOptions: fc.Arbitrary<CompactOptions> = fc.record({
  ratio: fc.oneof(
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.constantFrom(0, 1, -1, 2, Number.NaN),
  ),
  query: fc.option(
    fc.constantFrom('', 'parse_header', '(.*[a-z+?^$\\', 'user\nsrc/wire/header.ts'),
    {
      nil: undefined,
    },
  ),
  preserveRecent: fc.option(fc.integer({ min: 0, max: 5 }), { nil: undefined }),
});
const filler = (lines: number): string =>
  Array.from(
    { length: lines },
    (_, at) => `line ${at} of value_${at} in /tmp/dir${at % 7}/f${at}.ts\n`,
  ).join('');

describe('compactText', () => {
  it('leaves lines out and changes nothing else', () => {
    fc.assert(
      fc.property(anyText, anyOptions, (input, options) => {
        const result = compactText(input, options);
        const proof = proveClaim(input, result);
        assert.deepEqual(proof, { kind: 'proved', keptRanges: result.keptRanges });
        assert.equal(proveOutput(input, result.output).kind, 'proved');
        // Where nothing closes a span, it ends with the turn that the compactor sees.
        const turns = findSegments(input).filter(({ startsTurn }) => startsTurn);
        const boundaries = { starts: turns.map(({ start }) => start), areKnown: false };
        assert.equal(proveKeptSpans(input, result.keptRanges, boundaries).kind, 'proved');
      }),
      { numRuns },
    );
  });

  it('says of each line whether it was kept or removed', () => {
    fc.assert(
      fc.property(anyText, anyOptions, (input, options) => {
        const { keptRanges, removedRanges } = compactText(input, options);
        const count = lineStartsOf(input).length - 1;
        assert.deepEqual(complementOf(keptRanges, count), removedRanges);
        assert.deepEqual(complementOf(removedRanges, count), keptRanges);
      }),
      { numRuns },
    );
  });

  it('stays within the budget unless more must be kept', () => {
    fc.assert(
      fc.property(anyText, anyOptions, (input, options) => {
        const { output, isOverBudget } = compactText(input, options);
        const { ratio } = options;
        const share = Number.isFinite(ratio) ? Math.min(1, Math.max(0, ratio)) : 0.5;
        assert.equal(output.length > Math.floor(share * input.length), isOverBudget);
      }),
      { numRuns },
    );
  });

  it('is deterministic, and within bounds when done again', () => {
    fc.assert(
      fc.property(anyText, anyOptions, (input, options) => {
        const first = compactText(input, options);
        assert.deepEqual(compactText(input, options), first);
        const second = compactText(first.output, options);
        assert.equal(proveOutput(input, second.output).kind, 'proved');
        assert.ok(second.output.length <= first.output.length);
      }),
      { numRuns: 100 },
    );
  });

  for (const [name, input] of [
    ['nothing', ''],
    ['a line', 'x'],
    ['an ended line', 'x\n'],
    ['a line end', '\n'],
    ['line ends', '\n\n\n\n'],
    ['no final line end', 'a\nb'],
    ['carriage returns', 'a\r\nb\r\n'],
    ['lone halves of characters', '\ud800\n\udc00\n\ud83d'],
    ['NUL and a byte order mark', '\ufeffa\u0000b\nc\n'],
    ['no line end in much text', 'abc def_ghi '.repeat(10_000)],
  ] as const)
    it(`returns all of ${name} at ratio 1 and nothing at 0`, () => {
      assert.equal(compactText(input, { ratio: 1 }).output, input);
      assert.equal(compactText(input, { ratio: 0 }).output, '');
    });

  it('fills the budget when lines are short', () => {
    const input = filler(400);
    for (const ratio of [0.05, 0.2, 0.5, 0.9]) {
      const { output } = compactText(input, { ratio });
      assert.ok(output.length > ratio * input.length - 60, `${ratio}: ${output.length}`);
    }
  });

  it('keeps the end of a text that says the same again and again', () => {
    const input = 'npm warn deprecated left-pad@1.3.0\n'.repeat(100);
    const { keptRanges } = compactText(input, { ratio: 0.1 });
    assert.deepEqual(keptRanges, [[91, 100]]);
  });

  it('keeps what the query names', () => {
    const named = 'the port of relay_server is 40713\n';
    const input = filler(100) + named + filler(300);
    const { output } = compactText(input, { ratio: 0.1, query: 'Which port has relay_server?' });
    assert.ok(output.includes(named));
  });

  it('asks for what the user said last when there is no query', () => {
    const about = (topic: string): string =>
      `## User\nLook at ${topic} again.\n## Assistant\n${filler(4)}\n`;
    const facts = `${filler(100)}alpha_ray is 17\n${filler(50)}beta_ray is 18\n${filler(250)}`;
    const chat = (topic: string): string => about('this') + facts + about(topic);
    for (const [topic, fact] of [
      ['alpha_ray', 'alpha_ray is 17\n'],
      ['beta_ray', 'beta_ray is 18\n'],
    ] as const)
      assert.ok(compactText(chat(topic), { ratio: 0.05 }).output.includes(fact), topic);
  });

  it('stops when told to', () => {
    const shares: number[] = [];
    const shouldStop = (share: number): boolean => shares.push(share) > 2;
    assert.throws(() => compactText(filler(90_000), { ratio: 0.5, shouldStop }), CompactionStopped);
    assert.equal(shares.length, 3);
    assert.deepEqual(
      shares,
      shares.toSorted((a, b) => a - b),
    );
  });

  it('needs time in proportion to the length, whatever the text', () => {
    for (const line of ['}\n', 'User\n', '<keepContext>\n## User\n', '```\n', '[[[[', '- - - (']) {
      const input = line.repeat(100_000);
      const result = compactText(input, { ratio: 0.3 });
      assert.ok(result.isOverBudget || result.output.length <= 0.3 * input.length);
    }
  });
});

describe('compactText and keepContext', () => {
  const cases: [name: string, span: string, kept: string[]][] = [
    ['tags on lines of their own', '<keepContext>\none\ntwo\n</keepContext>\n', ['one', 'two']],
    ['tags within one line', 'a <keepContext>one</keepContext> b\n', ['a ', ' b']],
    ['tags within lines', 'a <keepContext>one\ntwo\nthree</keepContext> b\n', ['a ', 'two', ' b']],
    [
      'several spans in a line',
      '<keepContext>a</keepContext> <keepContext>b</keepContext>\n',
      ['a', 'b'],
    ],
    [
      'a tag within a span',
      '<keepContext>\none\n<keepContext>\ntwo\n</keepContext>\n',
      ['one', 'two'],
    ],
    ['a closing tag alone before', '</keepContext>\n<keepContext>\none\n</keepContext>\n', ['one']],
    [
      'a header within a span',
      '<keepContext>\n## User\none\n## Assistant\n</keepContext>\n',
      ['## User\none\n'],
    ],
    ['line ends of two characters', '<keepContext>\r\none\r\n</keepContext>\r\n', ['one\r\n']],
  ];
  for (const [name, span, kept] of cases)
    it(`keeps ${name}`, () => {
      const input = filler(50) + span + filler(50);
      const { output, keptRanges, forcedRanges, isOverBudget } = compactText(input, { ratio: 0.1 });
      for (const text of kept) assert.ok(output.includes(text), text);
      assert.ok(forcedRanges.length > 0);
      for (const [start, end] of forcedRanges)
        assert.ok(keptRanges.some(range => range[0] <= start && range[1] >= end));
      assert.equal(isOverBudget, false);
    });

  it('keeps the rest of the message when nothing closes the span', () => {
    const head = `## User\n${filler(50)}`;
    const open = '## Assistant\n<keepContext>\none\ntwo\n';
    const input = `${head}${open}## User\n${filler(50)}`;
    const { forcedRanges } = compactText(input, { ratio: 0.1 });
    assert.deepEqual(forcedRanges, [[53, 55]]);
    assert.deepEqual(compactText(`a\n<keepContext>\nb\nc`, { ratio: 0 }).forcedRanges, [[2, 4]]);
  });

  it('says so when the spans alone are over the budget', () => {
    const span = `<keepContext>\n${filler(50)}</keepContext>\n`;
    const { output, isOverBudget } = compactText(filler(50) + span, { ratio: 0.1 });
    assert.equal(output, span);
    assert.equal(isOverBudget, true);
  });
});

describe('compactText and the last turns', () => {
  for (const { name, user, assistant } of headerStyles)
    it(`keeps them whole: ${name}`, () => {
      const isLine = /labels|person|JSON lines|prompt|shell/.test(name);
      const oneLine = saying.map(text => (isLine ? text.replaceAll('\n', ' ') : text));
      fc.assert(
        fc.property(fc.array(oneLine, { minLength: 4, maxLength: 8 }), sayings => {
          const turns = sayings.flatMap(text => [user('What of this?'), assistant(text)]);
          const input = turns.join('');
          const { output } = compactText(input, { ratio: 0.1, preserveRecent: 2 });
          const isAnswered = /prompt|shell/.test(name);
          assert.ok(output.endsWith(turns.slice(-2).join('')), output);
          // Turns of a terminal are a command with what it printed; nothing else is kept at this ratio.
          const most = turns.slice(isAnswered ? -4 : -2).join('').length;
          assert.ok(output.length <= Math.max(most, 0.1 * input.length), output);
        }),
        { numRuns: 60 },
      );
    });

  it('takes the sections of a log for turns', () => {
    const sections = ['test session starts', 'FAILURES', 'short test summary info'];
    const parts = sections.map(name => `===== ${name} =====\n${filler(30)}`);
    const { output } = compactText(parts.join(''), { ratio: 0.1, preserveRecent: 1 });
    assert.equal(output, parts.at(-1));
  });

  it('keeps the end of a text without turns', () => {
    const input = filler(200);
    const { output, isOverBudget } = compactText(input, { ratio: 0.2, preserveRecent: 2 });
    assert.ok(output.endsWith(input.slice(-Math.floor(0.09 * input.length))));
    assert.equal(isOverBudget, false);
  });

  it('keeps all when there are fewer turns than asked for', () => {
    const input = `User: a\nAssistant: b\n${filler(20)}`;
    const { output, isOverBudget } = compactText(input, { ratio: 0.1, preserveRecent: 3 });
    assert.equal(output, input);
    assert.equal(isOverBudget, true);
  });

  it('keeps calls and results of tools with the turn that made them', () => {
    const last = `[assistant]\nLet me look.\n\n[tool_call]\nread a.ts\n\n[tool_result]\n${filler(20)}\n`;
    const input = `[user]\nHello.\n\n[assistant]\n${filler(50)}\n[user]\nAgain.\n\n${last}`;
    const { output } = compactText(input, { ratio: 0.1, preserveRecent: 1 });
    assert.equal(output, last);
  });
});
