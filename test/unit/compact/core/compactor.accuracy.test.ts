import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { compactText } from '../../../../src/compact/core/compactor';
import { assertApproved } from '../../../support/unit/approved';

interface Chat {
  title: string;
  query: string;
  lines: { text: string; matters: boolean }[];
}

/** Chats whose lines begin with `+` when what comes later needs them, and with a space when not. */
const chats = readFileSync('test/fixtures/quality/compact.txt', 'utf8')
  .split(/^=== /m)
  .slice(1)
  .map((part): Chat => {
    const [title = '', query = '', ...lines] = part.trimEnd().split('\n');
    return {
      title,
      query: query.replace('query:', '').trim(),
      lines: lines.map(line => ({ text: `${line.slice(2)}\n`, matters: line.startsWith('+') })),
    };
  });

const inputOf = ({ lines }: Chat): string => lines.map(({ text }) => text).join('');
const namesIn = (text: string): string[] =>
  (text.match(/[\w./-]{3,}/g) ?? []).filter(name => /[a-z][A-Z]|[\d_/]|\w\.\w/.test(name));

/** A point for each line that matters and is in the output, and for each of its names that is. */
function pointsOf({ lines }: Chat, output: string): number {
  const kept = new Set(output.split('\n'));
  const names = new Set(namesIn(output));
  return lines
    .filter(({ matters }) => matters)
    .reduce(
      (sum, { text }) =>
        sum +
        Number(kept.has(text.trimEnd())) +
        namesIn(text).filter(name => names.has(name)).length,
      0,
    );
}

const total = (points: (chat: Chat, ratio: number) => number): number =>
  [0.1, 0.2, 0.3, 0.4, 0.5, 0.6].reduce(
    (all, ratio) => all + chats.reduce((sum, chat) => sum + points(chat, ratio), 0),
    0,
  );

const withoutQuery = (chat: Chat, ratio: number): number =>
  pointsOf(chat, compactText(inputOf(chat), { ratio }).output);

describe('compactText on invented chats', () => {
  const most = total(chat => pointsOf(chat, inputOf(chat)));

  // Raise a number when compaction has become better. Lowering one needs a reason.
  it('keeps as much of what matters as it did', () => {
    const points = total(withoutQuery);
    assert.ok(points >= 542, `${points} of ${most} points`);
  });

  it('keeps as much of what matters as it did, for a query', () => {
    const points = total((chat, ratio) => {
      const { query } = chat;
      return pointsOf(chat, compactText(inputOf(chat), { ratio, query }).output);
    });
    assert.ok(points >= 541, `${points} of ${most} points`);
  });

  it('keeps the same lines', () => {
    const lines = chats.flatMap(chat =>
      ['', chat.query].flatMap(query =>
        [0.2, 0.4].flatMap(ratio => [
          `== ${chat.title} at ${ratio}${query === '' ? '' : `, for ${query}`}`,
          compactText(inputOf(chat), { ratio, query }).output.trimEnd(),
        ]),
      ),
    );
    assertApproved('compactedChats', [...lines, ''].join('\n'));
  });

  it('keeps more of it than the newest lines of the same length have', () => {
    const newest = total((chat, ratio) => {
      const input = inputOf(chat);
      const from = input.length * (1 - ratio);
      return pointsOf(chat, input.slice(input.indexOf('\n', from) + 1));
    });
    const points = total(withoutQuery);
    assert.ok(points > 1.2 * newest, `${points} against ${newest}`);
  });
});
