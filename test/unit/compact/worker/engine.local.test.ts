import assert from 'node:assert/strict';
import { openSession } from '../../../../src/compact/session';
import { lowestRatio } from '../../../../src/compact/session/compactSession';
import { readChat } from '../../../../src/compact/sessions/chat';
import { compactLocally } from '../../../../src/compact/worker/engine';
import { indexLines, linesOfRange } from '../../../../src/compact/worker/sessionLineIndex';
import { chatBytes } from '../session/sessions';

describe('a session of a few short lines', () => {
  const short = chatBytes([
    { user: 'Hello' },
    { assistant: 'Yes.' },
    { user: 'And?' },
    { assistant: 'No.' },
    { user: 'Thanks' },
  ]);

  it('stays whole where notes on the lines left out would be longer than they are', () => {
    const session = openSession('chat.json', short);
    assert.ok(!('refused' in session));
    const { text, tokensBefore, tokensAfter } = session.compact({ ratio: 0.1, keepRecent: 0 });
    assert.equal(tokensAfter, tokensBefore);
    assert.doesNotMatch(text, /left out/);
  });
});

describe('a transcript of short messages', () => {
  it('has the size that was asked for, with the headers of the messages', () => {
    const text = Array.from(
      { length: 120 },
      (_, turn) =>
        `## User\n\nask_${turn} once more\n\n## Assistant\n\nThe file part_${turn}.ts has it.\nSo it does.\n`,
    ).join('\n');
    const chat = readChat({ path: 'chat.md', text });
    const lowest = lowestRatio(chat, indexLines(chat), 1);
    for (const ratio of [0.7, 0.5, 0.3, 0.2]) {
      const session = openSession('chat.md', Buffer.from(text));
      assert.ok(!('refused' in session));
      const { tokensBefore, tokensAfter } = session.compact({ ratio, keepRecent: 1 });
      const reached = tokensAfter / tokensBefore;
      assert.ok(
        reached <= Math.max(ratio, lowest) * 1.05 && reached >= ratio * 0.9,
        `${ratio}: ${reached}`,
      );
    }
  });
});

describe('the words of the user in a plain text', () => {
  const words = 'meets the other words of this line in no other place of the text';
  /** Each line of the user has as many tokens as one of the `answerLines` below it. */
  const textOf = (turns: number, answerLines: number) =>
    Array.from({ length: turns }, (_, turn) => {
      const answer = Array.from(
        { length: answerLines },
        (__, at) => `answer ${turn}.${at} ${words}`,
      );
      return `## User\n\nquestion ${turn} ${words}\n\n## Assistant\n\n${answer.join('\n')}\n`;
    }).join('\n');
  const questionsLeft = (turns: number, answerLines: number, ratio: number): number[] => {
    const chat = readChat({ path: 'chat.md', text: textOf(turns, answerLines) });
    const lineIndex = indexLines(chat);
    const plan = {
      engine: 'local',
      route: 'compact',
      ratio,
      query: '',
      keepRecent: 0,
      pins: [],
    } as const;
    const { kept } = compactLocally(chat, lineIndex, plan, () => 0);
    return Array.from(kept, (isKept, line) =>
      isKept === 1 ? linesOfRange(lineIndex, line, line + 1) : '',
    )
      .flatMap(line => /^question (\d+)/.exec(line)?.[1] ?? [])
      .map(Number);
  };

  it('all stay, also where they are more than the share', () => {
    const all = Array.from({ length: 40 }, (_, turn) => turn);
    for (const [answerLines, ratio] of [
      [13, 0.3],
      [13, 0.1],
      [4, 0.1],
    ] as const)
      assert.deepEqual(questionsLeft(40, answerLines, ratio), all, `${answerLines} ${ratio}`);
  });

  it('stay in a log of aider, while a paste between them goes', () => {
    const prompts = Array.from({ length: 30 }, (_, turn) => `#### question ${turn} ${words}`);
    const paste = Array.from({ length: 200 }, (_, at) => `#### pasted ${at} ${words}`);
    const turns = prompts.map(
      (prompt, turn) => `${prompt}\n${turn === 3 ? paste.join('\n') : ''}\n\nanswer ${turn}\n`,
    );
    const text = `# aider chat started at 2026-03-02 10:00:00\n\n${turns.join('\n')}`;
    const session = openSession('.aider.chat.history.md', Buffer.from(text));
    assert.ok(!('refused' in session));
    const left = session.compact({ ratio: 0.1 }).text.split('\n');
    assert.deepEqual(
      prompts.filter(prompt => !left.includes(prompt)),
      [],
    );
    assert.ok(left.filter(line => line.startsWith('#### pasted')).length < 20);
    assert.match(left.join('\n'), /left out/);
  });
});
