import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { lineStartsOf, linesIn } from '../../../../src/compact/core/ranges';
import { completeLines, editsOf, keptText } from '../../../../src/compact/session/keptText';
import { readChat } from '../../../../src/compact/sessions/chat';
import {
  type CompactPlan,
  compactByService,
  compactLocally,
  ProofFailed,
  proveAnswer,
} from '../../../../src/compact/worker/engine';
import { indexLines, pinnedLines, wireText } from '../../../../src/compact/worker/sessionLineIndex';

const plan: CompactPlan = {
  engine: 'service',
  route: 'compact',
  ratio: 0.5,
  query: '',
  keepRecent: 0,
  pins: [],
};
const { signal } = new AbortController();
const context = { signal, now: () => 0 };
const names = { turn: (role: string) => role, part: ({ type }: { type: string }) => type };

const messages = JSON.stringify([
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'One\nTwo\nThree' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [
      { id: 'c', type: 'function', function: { name: 'run', arguments: '{"command":"ls"}' } },
    ],
  },
  { role: 'tool', tool_call_id: 'c', content: 'a\nb\nc\nd\n' },
  { role: 'user', content: 'Last' },
]);
const text = '## User\n\nalpha\nbeta\n\n## Assistant\n\ngamma\nbeta\ndelta\n';
const open = (path: string, content: string) => {
  const chat = readChat({ path, text: content });
  return { chat, lineIndex: indexLines(chat) };
};

describe('a sheet', () => {
  it('is the text itself for a transcript, and gives it back whole', () => {
    for (const content of [text, text.trimEnd(), text.replaceAll('\n', '\r\n')]) {
      const { chat, lineIndex } = open('chat.md', content);
      const all = new Uint8Array(lineIndex.starts.length - 1).fill(1);
      assert.equal(keptText(chat, lineIndex, { kept: all, markers: [] }, names), content);
    }
  });

  it('locks what its format cannot remove, and gives parts back as they were', () => {
    const old = JSON.stringify([
      { role: 'user', content: 'Run it' },
      { role: 'assistant', content: null, function_call: { name: 'run', arguments: '{"a":"ls"}' } },
      { role: 'function', name: 'run', content: 'done' },
    ]);
    const { chat, lineIndex } = open('chat.json', old);
    const locked = lineIndex.parts
      .filter(({ isLocked }) => isLocked)
      .map(({ firstLine }) =>
        lineIndex.text.slice(lineIndex.starts[firstLine], lineIndex.starts[firstLine + 1]),
      );
    assert.deepEqual(locked, ['a: ls\n']);
    const all = new Uint8Array(lineIndex.starts.length - 1).fill(1);
    assert.deepEqual(
      editsOf(chat, lineIndex, { kept: all, markers: [] }),
      chat.messages.map(({ parts }) => parts.map(part => part.text)),
    );
  });

  it('finds pinned lines whatever their case', () => {
    const { lineIndex } = open('chat.md', text);
    const pinned = pinnedLines(lineIndex, ['BETA', ' ']);
    assert.deepEqual(
      [...pinned.entries()].flatMap(([at, is]) => (is ? [at] : [])),
      [3, 8],
    );
  });

  it('finds a pinned text at its very start, more than once in a line, and at its end', () => {
    const { lineIndex } = open('chat.md', text);
    const linesWith = (pin: string) =>
      [...pinnedLines(lineIndex, [pin]).entries()].flatMap(([at, is]) => (is ? [at] : []));
    assert.deepEqual(linesWith('##'), [0, 5]);
    assert.deepEqual(linesWith('ta'), [3, 5, 8, 9]);
    assert.deepEqual(linesWith('nowhere'), []);
  });

  it('is sent with roles, and with tags around what stays', () => {
    const { chat, lineIndex } = open('chat.json', messages);
    const wire = wireText(chat, lineIndex, pinnedLines(lineIndex, ['two']));
    assert.equal(
      wire.text,
      '## System\nBe brief.\n## User\nOne\n<keepContext>\nTwo\n</keepContext>\n' +
        'Three\n## Assistant\ncommand: ls\n## Tool\na\nb\nc\nd\n## User\nLast\n',
    );
    const sent = wire.text.split('\n');
    for (const [at, line] of wire.lines.entries())
      if (line >= 0)
        assert.equal(
          `${sent[at]}\n`,
          lineIndex.text.slice(lineIndex.starts[line], lineIndex.starts[line + 1]),
        );
  });
});

const numbered = Array.from({ length: 9 }, (_, n) => `line ${n + 1}\n`).join('');
const isSpoken = (line: string) => line !== '' && !line.startsWith('(');

describe('the answer of the service', () => {
  const input = 'a\nb\n\nc\nb\nd\n';
  const kept = (output: string, removed?: [number, number][]) =>
    linesIn(input, lineStartsOf(input), proveAnswer(input, output, removed));

  it('is rebuilt from the ranges, whatever stands where lines are left out', () => {
    for (const output of ['a\nb\nd\n', 'a\n(filtered 3 lines)\nb\nd\n', 'a\n\nb\nd\n', 'a\nb\nd'])
      assert.equal(kept(output, [[2, 4]]), 'a\nb\nd\n', output);
    // The second of two equal lines, as the ranges say.
    assert.deepEqual(proveAnswer(input, 'a\nb\nd\n', [[2, 4]]), [
      [1, 1],
      [5, 6],
    ]);
  });

  it('is matched line by line without ranges, or with unsound ones', () => {
    for (const removed of [undefined, [], [[3, 99]], [[4, 2]]] as const)
      assert.equal(
        kept(
          'a\n(filtered 2 lines)\nc\n',
          removed?.map(([a, b]) => [a, b]),
        ),
        'a\nc\n',
      );
  });

  const lies: [what: string, output: string, line: number][] = [
    ['edited', 'a\nB\n', 2],
    ['added', 'a\nb\nnew\n', 3],
    ['reordered', 'd\na\n', 2],
    ['repeated', 'a\na\n', 2],
    ['shortened', 'a\nb\n(filtered 90 lines)\nd\n', 3],
    ['with a space more', 'a \n', 1],
  ];
  for (const [what, output, line] of lies)
    it(`is refused when it is ${what}, and says at which line`, () => {
      for (const removed of [undefined, [] as [number, number][]])
        assert.throws(
          () => proveAnswer(input, output, removed),
          (error: unknown) =>
            error instanceof ProofFailed && error.line === line && /→/.test(error.excerpt),
        );
    });

  it('is shown with three lines around the one that is refused', () => {
    const excerptOf = (output: string, removed?: [number, number][]) => {
      try {
        proveAnswer(numbered, output, removed);
      } catch (error) {
        assert.ok(error instanceof ProofFailed);
        return error.excerpt.split('\n');
      }
      return assert.fail('it is not refused');
    };
    assert.deepEqual(excerptOf(numbered.replace('line 5', 'other')), [
      '  2  line 2',
      '  3  line 3',
      '  4  line 4',
      '→ 5  other',
      '  6  line 6',
      '  7  line 7',
      '  8  line 8',
    ]);
    assert.deepEqual(excerptOf(`${'x'.repeat(400)}\n`), [`→ 1  ${'x'.repeat(300)}`, '  2  ']);
    // The ranges keep lines 1 to 3 and 8 to 9, the text has others from its third line on.
    const others = numbered.replace('line 3\nline 4\n', '');
    assert.equal(excerptOf(others, [[4, 7]])[2], '→ 3  line 5');
  });

  it('is refused when its ranges say something else than its text', () => {
    assert.throws(() => proveAnswer(input, 'a\nd\n', [[6, 6]]), ProofFailed);
  });

  it('is only ever taken as lines of the input, in their order', () => {
    const line = fc.constantFrom('a', 'b', '', 'c', '(filtered 2 lines)', 'd');
    fc.assert(
      fc.property(fc.array(line), fc.array(line), (from, to) => {
        const whole = from.map(one => `${one}\n`).join('');
        let ranges;
        try {
          ranges = proveAnswer(whole, to.map(one => `${one}\n`).join(''), undefined);
        } catch (error) {
          assert.ok(error instanceof ProofFailed);
          return;
        }
        const left = linesIn(whole, lineStartsOf(whole), ranges).split('\n');
        assert.deepEqual(left.filter(isSpoken), to.filter(isSpoken));
      }),
    );
  });

  it('keeps what is locked and pinned, though the service may leave it out without the tags', async () => {
    const { chat, lineIndex } = open('chat.json', messages);
    const service = {
      compact: async ({ input: sent }: { input: string }) => ({
        text: sent.replaceAll(/<\/?keepContext>\n/g, '').replace('c\n', ''),
        removedRanges: undefined,
        keptRanges: undefined,
        attempts: 1,
        ms: 1,
      }),
    };
    const done = await compactByService(
      chat,
      lineIndex,
      { ...plan, pins: ['b'] },
      service,
      context,
    );
    const left = completeLines(chat, lineIndex, done.kept, true);
    assert.equal(keptText(chat, lineIndex, left, names).includes('\nc\n'), false);
  });

  it('keeps a pinned line that no tag can be put around, though the service leaves it out', async () => {
    const content = 'user:\nPut </keepContext> there.\n\nassistant:\nDone.\n';
    const { chat, lineIndex } = open('chat.md', content);
    const service = {
      compact: async ({ input: sent }: { input: string }) => ({
        text: sent.replace('Put </keepContext> there.\n', ''),
        removedRanges: undefined,
        keptRanges: undefined,
        attempts: 1,
        ms: 1,
      }),
    };
    const keptWith = async (pins: readonly string[]): Promise<string> => {
      const done = await compactByService(chat, lineIndex, { ...plan, pins }, service, context);
      return keptText(chat, lineIndex, { kept: done.kept, markers: [] }, names);
    };
    assert.doesNotMatch(await keptWith([]), /there/);
    assert.match(await keptWith(['there']), /^Put <\/keepContext> there\.$/m);
  });

  it('is refused when it leaves out a span of keepContext', async () => {
    const { chat, lineIndex } = open('chat.json', messages);
    const service = {
      compact: async ({ input: sent }: { input: string }) => ({
        text: sent.replace('Be brief.\n', ''),
        removedRanges: undefined,
        keptRanges: undefined,
        attempts: 1,
        ms: 1,
      }),
    };
    await assert.rejects(
      compactByService(chat, lineIndex, plan, service, context),
      (error: unknown) => error instanceof ProofFailed && /keepContext/.test(error.message),
    );
  });

  it('gets no key, and the lines with one are kept as they were', async () => {
    const chatText = 'user:\none\napi_key = CANARYx7fQ2mZ9wL4t\ntwo\n';
    const { chat, lineIndex } = open('chat.md', chatText);
    let sent = '';
    const service = {
      compact: async (request: { input: string }, options: { sending: unknown }) => {
        sent = request.input;
        assert.deepEqual(options.sending, { purpose: 'compact', secrets: 'withhold', withheld: 1 });
        return {
          text: sent.replace('one\n', ''),
          removedRanges: undefined,
          keptRanges: undefined,
          attempts: 1,
          ms: 1,
        };
      },
    };
    const done = await compactByService(chat, lineIndex, plan, service, context);
    assert.doesNotMatch(sent, /CANARY/);
    assert.equal(
      keptText(chat, lineIndex, { kept: done.kept, markers: [] }, names),
      chatText.replace('one\n', ''),
    );
  });

  it('is asked with the options by its own endpoint only', async () => {
    const { chat, lineIndex } = open('chat.md', text);
    const seen: object[] = [];
    const service = {
      compact: async (request: { input: string }) => {
        seen.push(request);
        return {
          text: request.input,
          removedRanges: undefined,
          keptRanges: undefined,
          attempts: 1,
          ms: 1,
        };
      },
    };
    for (const route of ['compact', 'chat', 'responses'] as const)
      await compactByService(chat, lineIndex, { ...plan, route, query: 'q' }, service, context);
    assert.deepEqual(seen, [
      { input: text, route: 'compact', ratio: 0.5, preserveRecent: 0, query: 'q' },
      { input: text, route: 'chat' },
      { input: text, route: 'responses' },
    ]);
  });
});

describe('compacting on this machine', () => {
  it('takes what pins keep from the share that may stay', () => {
    const lines = Array.from({ length: 100 }, (_, n) =>
      n % 10 < 4
        ? `pinned remark about number ${n + 100}`
        : `other remarks about number ${n + 100}`,
    );
    const { chat, lineIndex } = open('chat.md', `## User\n${lines.join('\n')}\n`);
    const shareOf = (ratio: number, pins: string[]) => {
      const { kept } = compactLocally(
        chat,
        lineIndex,
        { ...plan, engine: 'local', ratio, pins },
        () => 0,
      );
      return kept.reduce((sum, one) => sum + one, 0) / kept.length;
    };
    const pinned = shareOf(0.6, ['pinned']);
    assert.ok(pinned > 0.45 && pinned < 0.65, `${pinned} of 0.6`);
    const tooMany = shareOf(0.2, ['pinned']);
    assert.ok(tooMany > 0.39 && tooMany < 0.45, `${tooMany} of 0.2, with 0.4 pinned`);
    assert.equal(shareOf(1, ['pinned']), 1);
  });

  it('takes the lines of each part from its place in the chat, and tells the time', () => {
    const { chat, lineIndex } = open('chat.json', messages);
    let now = 5;
    const done = compactLocally(
      chat,
      lineIndex,
      { ...plan, engine: 'local', ratio: 1 },
      () => (now += 2),
    );
    assert.deepEqual(
      [...done.kept],
      Array.from({ length: 10 }, () => 1),
    );
    assert.deepEqual([done.engine, done.ms, done.isOverBudget], ['local', 2, false]);
    const few = compactLocally(chat, lineIndex, { ...plan, engine: 'local', ratio: 0.05 }, () => 0);
    // The short instructions and the words of the user stay: lines 0 to 3 and 9.
    assert.deepEqual([...few.kept], [1, 1, 1, 1, 0, 0, 0, 0, 0, 1]);
    assert.equal(few.isOverBudget, true);
  });

  it('keeps pins whatever the share is, and counts the tokens of each line', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('alpha', 'beta gamma', '', 'src/a.ts:12 failed', 'x'), {
          minLength: 1,
        }),
        fc.double({ min: 0.05, max: 1, noNaN: true }),
        (lines, ratio) => {
          const { chat, lineIndex } = open(
            'chat.md',
            `## User\n${lines.join('\n')}\n## Assistant\nok\n## User\nnow\n`,
          );
          const done = compactLocally(
            chat,
            lineIndex,
            { ...plan, engine: 'local', ratio, pins: ['src/a'] },
            () => 0,
          );
          const pinned = pinnedLines(lineIndex, ['src/a']);
          for (const [at, is] of pinned.entries()) if (is) assert.equal(done.kept[at], 1);
          assert.equal(done.tokens.length, done.kept.length);
        },
      ),
      { numRuns: 60 },
    );
  });
});
