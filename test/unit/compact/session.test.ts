import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isRecord } from '../../../src/base/typeGuards';
import { type CompactedSession, openSession, type Session } from '../../../src/compact/session';
import { chooseSessionLines, lowestRatio } from '../../../src/compact/session/compactSession';
import { readChat } from '../../../src/compact/sessions/chat';
import { indexLines } from '../../../src/compact/worker/sessionLineIndex';
import { chatBytes, longSession, type Step, sourceLines } from './session/sessions';

const open = (steps: readonly Step[]): Session => {
  const session = openSession('chat.json', chatBytes(steps));
  assert.ok(!('refused' in session), JSON.stringify(session));
  return session;
};
const isMarker = (line: string) => /^\[.*left out(?:; recall \w+)?\]$/.test(line);
const shareOf = ({ tokensBefore, tokensAfter }: CompactedSession) => tokensAfter / tokensBefore;
const idsIn = (text: string) => [...text.matchAll(/; recall (\w+)\]/g)].map(([, id = '']) => id);

/** A question and its answer as Cline exports them. */
const exportedTurn = (at: number) => [
  `**User:**\n\nWhat of kettle ${at}?`,
  `<environment_details>\n${sourceLines(`tab${at}_`, 12)}\n</environment_details>\n\n---\n`,
  `**Assistant:**\n\n<think>\n${sourceLines(`thought${at}_`, 9)}\n</think>\n`,
  `${sourceLines(`answer${at}_`, 20)}\n\n---\n`,
];

/** The texts with who they are from. Texts of one kind are one where what was between them is gone. */
function joined({ messages }: Pick<Session, 'messages'>): [who: string, text: string][] {
  const all: [who: string, text: string][] = [];
  for (const { role, kind, text } of messages) {
    const last = all.at(-1);
    if (last?.[0] === `${role} ${kind}`) last[1] += text;
    else all.push([`${role} ${kind}`, text]);
  }
  return all;
}

/** The ids of calls and of results in a written file. */
function pairsIn(bytes: Uint8Array): { calls: string[]; results: string[] } {
  const messages: unknown = JSON.parse(new TextDecoder().decode(bytes));
  assert.ok(Array.isArray(messages));
  const calls: string[] = [];
  const results: string[] = [];
  for (const message of messages) {
    assert.ok(isRecord(message));
    for (const call of Array.isArray(message['tool_calls']) ? message['tool_calls'] : []) {
      calls.push(String(call.id));
    }
    if (message['role'] === 'tool') results.push(String(message['tool_call_id']));
  }
  return { calls, results };
}

describe('openSession', () => {
  it('says why it refuses a file', () => {
    const refused = openSession('a.json', new TextEncoder().encode('{"a":1}'));
    assert.match('refused' in refused ? refused.refused : '', /of no tool that is known/);
    assert.ok('refused' in openSession('a.txt', Uint8Array.of(0xff, 0xfe)));
  });

  it('has a message for each part, with its kind', () => {
    const { messages } = open([
      { system: 'Be brief.' },
      { user: 'Look.' },
      { user: '<system-reminder>\nnot typed\n</system-reminder>' },
      { call: { path: 'a' }, result: 'found' },
      { assistant: 'Done.' },
    ]);
    assert.deepEqual(
      messages.map(({ kind, text }) => [kind, text.split('\n')[0]]),
      [
        ['system', 'Be brief.'],
        ['user', 'Look.'],
        ['system', '<system-reminder>'],
        ['call', 'path: a'],
        ['result', 'found'],
        ['assistant', 'Done.'],
      ],
    );
  });
});

describe('a compacted session', () => {
  const steps = longSession();
  const session = open(steps);

  it('has the size that was asked for', () => {
    for (const ratio of [0.5, 0.3, 0.2, 0.1]) {
      for (const query of ['', 'which part does module7 compute']) {
        const share = shareOf(session.compact({ ratio, query }));
        assert.ok(Math.abs(share - ratio) <= 0.05 * ratio, `${share} of ${ratio}`);
      }
    }
    assert.equal(shareOf(session.compact({ ratio: 1 })), 1);
  });

  it('holds all that the user typed, at any ratio', () => {
    for (const ratio of [0.3, 0.1, 0.01]) {
      const { text } = session.compact({ ratio });
      for (const step of steps) if ('user' in step) assert.ok(text.includes(step.user));
    }
  });

  it('holds what the assistant said before the results', () => {
    const { messages } = session.compact({ ratio: 0.1 });
    const said = messages.filter(({ kind }) => kind === 'assistant');
    assert.equal(said.length, 30);
  });

  it('consists of lines of the messages and of notes', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.02, max: 0.9, noNaN: true }),
        fc.constantFrom('', 'module3 part4', 'nothing of it'),
        fc.integer({ min: 0, max: 4 }),
        (ratio, query, keepRecent) => {
          const { messages } = session.compact({ ratio, query, keepRecent });
          const own = new Map(session.messages.map(message => [message.id, message.text]));
          for (const { id, text } of messages) {
            const lines = (own.get(id) ?? '').split('\n');
            let at = 0;
            for (const line of text.split('\n')) {
              if (line === '' || isMarker(line)) continue;
              const found = lines.indexOf(line, at);
              assert.ok(found >= 0, line);
              at = found + 1;
            }
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it('has each call with its result, in the messages and in the file', () => {
    for (const ratio of [0.5, 0.2, 0.05]) {
      const compacted = session.compact({ ratio, query: 'module9 part5' });
      const kinds = compacted.messages.map(({ kind }) => kind);
      assert.equal(
        kinds.filter(kind => kind === 'call').length,
        kinds.filter(kind => kind === 'result').length,
      );
      const { calls, results } = pairsIn(compacted.write().files[0]?.bytes ?? new Uint8Array());
      assert.deepEqual(calls, results);
      assert.ok(calls.length > 0);
    }
  });

  it('is written with the lines and notes of its messages', () => {
    const compacted = session.compact({ ratio: 0.2 });
    const { files, resume } = compacted.write();
    assert.match(resume, /new file/);
    const again = openSession('chat.json', files[0]?.bytes ?? new Uint8Array());
    assert.ok(!('refused' in again));
    assert.deepEqual(
      again.messages.map(({ kind, text }) => [kind, text]),
      compacted.messages.map(({ kind, text }) => [kind, text]),
    );
  });

  it('keeps where a tool saved the whole of an output', () => {
    const pointers = [
      'Output too large (99KB). Full output saved to: /home/ada/.claude/tool-results/a1.txt',
      'Output too large to read at once (22.1 KB). Saved to: /tmp/tool-output-17.txt',
      'The full output has been saved to: ~/.gemini/tmp/shell.output',
      '[Showing lines 1-90 of 3000 (50KB limit). Full output: C:\\Temp\\pi-bash-1.log]',
    ];
    const withPointers = longSession().map((step, at) =>
      'call' in step && at % 32 === 2
        ? { ...step, result: `${step.result}\n${pointers[at >> 5] ?? ''}\n${step.result}` }
        : step,
    );
    const { text } = open(withPointers).compact({ ratio: 0.1, keepRecent: 0 });
    for (const line of pointers) assert.ok(text.includes(`${line}\n`), line);
  });

  it('ranks lines by what matters next', () => {
    const line = "export const module11Value33 = compute5(1033, 'module11/part33');";
    assert.ok(!session.compact({ ratio: 0.1 }).text.includes(line));
    const query = 'What does module11 compute for part33?';
    assert.ok(session.compact({ ratio: 0.1, query }).text.includes(line));
  });

  it('keeps the last turns whole', () => {
    const { messages } = session.compact({ ratio: 0.05, keepRecent: 2 });
    const last = session.messages.slice(-4).map(({ id, text }) => [id, text]);
    assert.deepEqual(
      messages.slice(-4).map(({ id, text }) => [id, text]),
      last,
    );
  });
});

describe('the lowest ratio of a session', () => {
  const chat = readChat({
    path: 'chat.json',
    text: new TextDecoder().decode(chatBytes(longSession())),
  });
  const lineIndex = indexLines(chat);

  it('is what a compaction can reach, and no less', () => {
    for (const keepRecent of [0, 2, 5]) {
      const lowest = lowestRatio(chat, lineIndex, keepRecent);
      const none = new Uint8Array(lineIndex.tokens.length);
      const isOver = (ratio: number): boolean =>
        chooseSessionLines(chat, lineIndex, none, { ratio, query: '', keepRecent }).isOverBudget;
      assert.deepEqual([isOver(lowest * 1.1), isOver(lowest * 0.9)], [false, true], `${lowest}`);
    }
  });

  it('is higher the more turns stay whole', () => {
    const ratios = [0, 1, 2, 5, 1000].map(turns => lowestRatio(chat, lineIndex, turns));
    assert.deepEqual(
      ratios,
      ratios.toSorted((a, b) => a - b),
    );
    assert.ok((ratios[0] ?? 1) < 0.1, `${ratios[0]}`);
    assert.equal(ratios.at(-1), 1);
  });
});

describe('a note on lines that were left out', () => {
  const session = open(longSession());

  it('recalls them, and together the notes recall all', () => {
    for (const ratio of [0.3, 0.1]) {
      const compacted = session.compact({ ratio });
      const ids = idsIn(compacted.text);
      assert.equal(new Set(ids).size, ids.length);
      const recalled = ids.map(id => session.recall(id) ?? '').join('\n');
      const have = new Set([...recalled.split('\n'), ...compacted.text.split('\n')]);
      for (const { text } of session.messages) {
        for (const line of text.split('\n')) assert.ok(have.has(line), line);
      }
    }
    assert.equal(session.recall('none'), undefined);
  });

  it('costs less than 2 % of the size', () => {
    for (const ratio of [0.3, 0.2, 0.1]) {
      const { text } = session.compact({ ratio });
      const notes = text.split('\n').filter(isMarker);
      const chars = notes.reduce((sum, note) => sum + note.length + 1, 0);
      assert.ok(chars < 0.02 * text.length, `${chars} of ${text.length} at ${ratio}`);
      assert.ok(notes.length > 0);
    }
  });

  it('is in no message of the user, and starts no session', () => {
    for (const ratio of [0.3, 0.05]) {
      const { messages } = session.compact({ ratio });
      assert.ok(!isMarker(messages[0]?.text ?? ''));
      for (const { kind, text } of messages) {
        if (kind === 'user') assert.ok(!text.split('\n').some(isMarker));
      }
    }
  });

  it('takes the place of an answer between messages of the user', () => {
    const long = sourceLines('answer', 80);
    const asked = open([
      { user: 'First?' },
      { assistant: long },
      { user: 'Second?' },
      { assistant: 'Yes.' },
      { user: 'Third?' },
    ]);
    const { text, messages } = asked.compact({ ratio: 0.01, keepRecent: 1 });
    const [id = ''] = idsIn(text);
    assert.ok(asked.recall(id)?.includes(long));
    assert.deepEqual(
      messages.map(({ kind }) => kind),
      ['user', 'assistant', 'user', 'assistant', 'user'],
    );
  });

  it('stands under the header and in the element of a transcript that it is about', () => {
    const text = Array.from({ length: 12 }, (_, at) => exportedTurn(at).join('\n')).join('\n');
    const exported = openSession('task.md', new TextEncoder().encode(text));
    assert.ok(!('refused' in exported));
    for (const ratio of [0.6, 0.3, 0.15]) {
      const left = exported.compact({ ratio });
      for (let at = 0; at < 12; at++) assert.ok(left.text.includes(`What of kettle ${at}?`));
      const again = openSession('task.md', left.write().files[0]?.bytes ?? new Uint8Array());
      assert.ok(!('refused' in again));
      assert.deepEqual(joined(again), joined(left));
    }
  });

  it('has the same id for the same lines in another run', () => {
    const [first, second] = [open(longSession()), open(longSession())];
    assert.deepEqual(
      idsIn(first.compact({ ratio: 0.2 }).text),
      idsIn(second.compact({ ratio: 0.2 }).text),
    );
  });
});

describe('what the user pasted', () => {
  const paste = `Why does this fail?\n${sourceLines('pasted', 400)}\nTell me the line.`;

  it('stays whole while it leaves room for others', () => {
    const { text } = open([...longSession(40), { user: paste }, ...longSession(2)]).compact({
      ratio: 0.5,
    });
    assert.ok(text.includes(paste));
  });

  it('loses lines when it would take the budget, with a note, and keeps what was typed around it', () => {
    const session = open([...longSession(4), { user: paste }, ...longSession(2)]);
    const compacted = session.compact({ ratio: 0.2 });
    const own = compacted.messages.find(({ text }) => text.startsWith('Why does this fail?'));
    assert.ok(own && own.text.length < paste.length);
    assert.ok(own.text.endsWith('Tell me the line.'));
    assert.ok(shareOf(compacted) < 0.21);
  });
});

describe('the calls of a session', () => {
  it('shrink to their first lines where the text that they wrote goes', () => {
    const steps: Step[] = [
      { user: 'Write it.' },
      {
        call: { path: 'src/old.ts', content: `// the head\n${sourceLines('old', 300)}` },
        result: 'the file is written and WARNING_42 was printed',
      },
      ...longSession(3),
    ];
    const session = open(steps);
    const compacted = session.compact({ ratio: 0.2, query: 'WARNING_42' });
    const call = compacted.messages.find(({ kind }) => kind === 'call');
    const [path, head, note] = call?.text.split('\n') ?? [];
    assert.deepEqual([path, head], ['path: src/old.ts', 'content: // the head']);
    assert.ok(isMarker(note ?? ''), note);
    const file = new TextDecoder().decode(compacted.write().files[0]?.bytes);
    assert.match(file, /\\"path\\":\\"src\/old\.ts\\",\\"content\\":\\"\/\/ the head\\\\n\[/);
  });

  it('keep the newest of results that are the same', () => {
    const read: Step = { call: { path: 'a.ts' }, result: sourceLines('same', 80) };
    const steps: Step[] = [
      { user: 'Read it.' },
      read,
      { assistant: 'I read it.' },
      ...longSession(6),
      read,
      { assistant: 'I read it again.' },
      ...longSession(2),
    ];
    const { messages } = open(steps).compact({ ratio: 0.4 });
    const linesAt = messages.flatMap(({ id, kind, text }) =>
      kind === 'result' && text.includes('sameValue') ? [id] : [],
    );
    const again = messages.find(({ text }) => text === 'I read it again.');
    assert.ok(again && linesAt.length > 0);
    for (const id of linesAt) assert.ok(id > again.id - 3, `${id} of ${again.id}`);
  });
});
