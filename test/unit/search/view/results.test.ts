import assert from 'node:assert/strict';
import {
  asMarkdown,
  asSearchEditor,
  asText,
  countPlaces,
  countSure,
  describeFile,
  type FoundSpan,
  filterFiles,
  moveSpans,
} from '../../../../src/search/view/results';

const text = `import x from 'x';

/** Says hello. */
export function greetUser(user) {
  return 'hello ' + user;
}

const other = 1;
`;
const file = { root: 0, path: 'src/greet.ts' };
const lines = (spans: readonly FoundSpan[]) =>
  spans.map(({ startLine, endLine }) => [startLine, endLine]);
const span = (startLine: number, endLine: number): FoundSpan => ({
  startLine,
  endLine,
  title: '',
  highlights: [],
});

const titleOf = (code: string, query: string): string | undefined =>
  describeFile({ ...file, ranges: '*' }, code, query)?.spans[0]?.title;

const wordsOf = (code: string, query: string): readonly string[] | undefined =>
  describeFile({ ...file, ranges: '*' }, code, query)?.spans[0]?.words;

const scored = (...scores: (number | undefined)[]) => scores.map(score => ({ score }));

describe('search results', () => {
  it('gives a span the title that says most, with the words of the query marked', () => {
    const found = describeFile({ ...file, ranges: [[1, 6]] }, text, 'where are users greeted?');
    const [first] = found?.spans ?? [];
    assert.equal(first?.title, 'export function greetUser(user) {');
    assert.deepEqual(
      first?.highlights.map(([start, end]) => first.title.slice(start, end)),
      ['greet', 'User', 'user'],
    );
  });

  it('marks the names in the path of a request', () => {
    const code = 'router.get("/users/:id", (http) => get(http));\n';
    const query = 'GET http://localhost:3000/users/42';
    assert.deepEqual(wordsOf(code, query), ['users']);
  });

  it('keeps spans within the file, in order, joined where they touch', () => {
    const found = describeFile(
      {
        ...file,
        ranges: [
          [7, 900],
          [2, 3],
          [4, 5],
          [40, 50],
          [0, 0],
        ],
      },
      text,
      'x',
    );
    assert.deepEqual(lines(found?.spans ?? []), [[2, 8]]);
    const apart = describeFile(
      {
        ...file,
        ranges: [
          [1, 1],
          [8, 8],
        ],
      },
      text,
      'x',
    );
    assert.deepEqual(lines(apart?.spans ?? []), [
      [1, 1],
      [8, 8],
    ]);
    assert.deepEqual(lines(describeFile({ ...file, ranges: '*' }, text, '')?.spans ?? []), [
      [1, 8],
    ]);
    assert.equal(describeFile({ ...file, ranges: [[90, 99]] }, text, 'x'), undefined);
    assert.equal(describeFile({ ...file, ranges: '*' }, '', 'x'), undefined);
  });

  const edits: [what: string, change: [number, number, number], wanted: [number, number]][] = [
    ['an edit below', [20, 20, 3], [10, 12]],
    ['lines put in above', [2, 2, 4], [13, 15]],
    ['lines taken away above', [2, 4, 1], [8, 10]],
    ['lines put in within', [10, 10, 3], [10, 14]],
    ['lines taken away within', [9, 11, 1], [10, 10]],
    ['an edit over its beginning', [4, 10, 2], [6, 7]],
    ['its first line replaced by several', [9, 9, 3], [10, 14]],
    ['its first line taken away with those above', [7, 9, 1], [8, 10]],
    ['everything replaced', [0, 29, 1], [1, 1]],
    ['the same number of lines', [0, 1, 2], [10, 12]],
  ];
  for (const [what, [startLine, endLine, newLines], wanted] of edits)
    it(`follows ${what}`, () => {
      const lastLine = 30 + newLines - (endLine - startLine + 1);
      const [moved] = moveSpans([span(10, 12)], { startLine, endLine, newLines }, lastLine);
      assert.deepEqual([moved?.startLine, moved?.endLine], wanted);
    });

  it('joins spans with at most two lines between them, and a span within another', () => {
    const rows = 'word\n'.repeat(20);
    for (const [ranges, joined] of [
      [
        [
          [1, 2],
          [4, 5],
        ],
        [[1, 5]],
      ],
      [
        [
          [1, 2],
          [5, 6],
        ],
        [
          [1, 2],
          [5, 6],
        ],
      ],
      [
        [
          [1, 9],
          [3, 4],
        ],
        [[1, 9]],
      ],
      [
        [
          [-3, 1],
          [19, 99],
        ],
        [
          [1, 1],
          [19, 20],
        ],
      ],
    ] as [ranges: [number, number][], joined: [number, number][]][])
      assert.deepEqual(lines(describeFile({ ...file, ranges }, rows, 'x')?.spans ?? []), joined);
  });

  it('take the line with most words of the query for the title, a definition before others', () => {
    for (const [code, query, title] of [
      ['}\n\n  red;\n  red green;\n', 'red green', 'red green;'],
      ['red one;\nred two;\n', 'red', 'red one;'],
      ['red;\nfunction paint() {\n', 'red', 'function paint() {'],
      ['red;\nactual open class Paint {\n', 'red', 'actual open class Paint {'],
      ['red green;\nfunction paint() {\n', 'red green', 'red green;'],
      ['red;\npub(crate) async fn paint() {\n', '', 'pub(crate) async fn paint() {'],
      ["import { red, green } from 'x';\nred;\n", 'red green', 'red;'],
      ["import { red, green } from 'x';\nblue;\n", 'red green', "import { red, green } from 'x';"],
      ['#include <red.h>\nred;\n', 'red', 'red;'],
      ['{\n}\n', 'red', ''],
      [`${'x'.repeat(161)}\n`, 'x', `${'x'.repeat(160)}…`],
    ] as const)
      assert.equal(titleOf(code, query), title);
  });

  it('take an import with a word of the query before a line without any', () => {
    const code = 'import os\nfrom .blueprints import Blueprint\n\nif checks:\n    pass\n';
    assert.equal(
      titleOf(code, 'how are blueprints registered'),
      'from .blueprints import Blueprint',
    );
    assert.equal(titleOf(`${code}def run():\n`, 'how are blueprints registered'), 'def run():');
  });

  it('are not titled by function words of another language', () => {
    const code = 'let them die und die;\nretry(token);\n';
    const query = 'wo wird die Sitzung mit dem Token erneuert';
    assert.equal(titleOf(code, query), 'retry(token);');
    assert.deepEqual(wordsOf(code, query), ['token']);
  });

  it('are not titled by a line in the list of an import, but by its first one', () => {
    for (const [code, query, title] of [
      [
        'from app import (\n    Queue,  # (old\n    retry_task,\n)\nretry()\n',
        'retry task',
        'retry()',
      ],
      ['from app import (\n  retry_task,\n)\nx = 1\n', 'retry task', 'from app import ('],
      ['from app import Queue, \\\n  retry_task\nretry()\n', 'retry task', 'retry()'],
      ["import {\n  retryTask,\n} from './retryTask';\nretry();\n", 'retry task', 'retry();'],
      ['pub use app::{\n  queue::{retry_task},\n  job,\n};\nretry();\n', 'retry task', 'retry();'],
      ['import (\n\t"app/retry/task"\n\n\t"os"\n)\nretry()\n', 'retry task', 'retry()'],
      ['use constant {\n  retry_task => 1,\n};\nretry();\n', 'retry task', 'retry_task => 1,'],
      ['import data (as\nretry task\n', 'retry task', 'retry task'],
    ] as const)
      assert.equal(titleOf(code, query), title);
    // The place begins within the list.
    const code = 'from app import (\n  Queue,\n  retry_task,\n)\nretry()\n';
    const found = describeFile({ ...file, ranges: [[3, 5]] }, code, 'retry task');
    assert.equal(found?.spans[0]?.title, 'retry()');
    // The place is a part of the list, whose first line is elsewhere.
    const list = `pub use {\n${'  other,\n'.repeat(300)}  retry,\n  last,\n};\nretry();\n`;
    const within = (start: number, end: number) =>
      describeFile({ ...file, ranges: [[start, end]] }, list, 'retry')?.spans[0]?.title;
    assert.equal(within(300, 303), 'retry,');
    assert.equal(within(300, 305), 'retry();');
  });

  it('have at most 80 lines, joined or not, and none twice', () => {
    const rows = Array.from({ length: 400 }, (_, at) => `row(${at + 1});`);
    rows[249] = 'function needle() {';
    const code = rows.join('\n');
    const placed = (...ranges: [number, number][]) =>
      lines(describeFile({ ...file, ranges }, code, 'needle')?.spans ?? []);
    assert.deepEqual(placed([1, 60], [61, 120], [121, 140]), [
      [1, 60],
      [61, 140],
    ]);
    assert.deepEqual(placed([1, 70], [40, 110]), [
      [1, 70],
      [71, 110],
    ]);
    assert.deepEqual(placed([1, 30], [31, 80]), [[1, 80]]);
    // A longer range shows the part around the line that says most.
    assert.deepEqual(placed([1, 400]), [[245, 324]]);
    assert.deepEqual(placed([1, 255]), [[176, 255]]);
    assert.deepEqual(placed([250, 400]), [[250, 329]]);
    const whole = describeFile({ ...file, ranges: '*' }, code, 'needle');
    assert.deepEqual(lines(whole?.spans ?? []), [[245, 324]]);
    assert.equal(whole?.spans[0]?.symbol, 'needle');
  });

  it('are named after what their title is in, wherever they begin', () => {
    const code = 'class Queue {\n  open() {\n    x;\n  }\n  close() {\n    y;\n  }\n}\n';
    const found = describeFile({ ...file, ranges: [[3, 7]] }, code, 'where is it closed?');
    const [first] = found?.spans ?? [];
    assert.deepEqual([first?.title, first?.symbol], ['close() {', 'Queue.close']);
  });

  it('are not titled by a definition without a name', () => {
    for (const head of ['struct {', 'struct{', 'static struct {', 'enum {']) {
      const code = `${head}\n  int port;\n  int retries;\n} options;\n`;
      const found = describeFile({ ...file, ranges: [[1, 4]] }, code, 'how many retries?');
      assert.equal(found?.spans[0]?.title, 'int retries;', head);
    }
  });

  it('say which words they have, and keep the score of the file', () => {
    const found = describeFile(
      { ...file, ranges: [[4, 5]], score: 0.5 },
      text,
      'where are users greeted, and how?',
    );
    assert.deepEqual(found?.spans[0]?.words, ['greet', 'user']);
    assert.equal(found?.score, 0.5);
  });

  it('have the words of the query as the code writes them, and no part of one', () => {
    assert.deepEqual(wordsOf('colorOf(normalize);\n', 'normalised colours'), [
      'color',
      'normalize',
    ]);
    const query = 'where are preferences retried with exponential backoff, by the db';
    assert.deepEqual(wordsOf('mergePreferences(retryDelay)\n', query), ['preferences', 'retry']);
    assert.deepEqual(wordsOf('MAX_RETRIES = retriedPreference\n', query), [
      'retries',
      'preference',
    ]);
    assert.deepEqual(wordsOf('retrieve(retrier)\n', query), ['retrier']);
    assert.deepEqual(wordsOf('const feedback = openDb(db, entry);\n', 'entries of db'), [
      'db',
      'entry',
    ]);
    assert.deepEqual(wordsOf('the central feedback\n', 'entries of db'), []);
    const places = describeFile(
      {
        ...file,
        ranges: [
          [1, 1],
          [9, 9],
        ],
      },
      `expire(key)\n${'\n'.repeat(7)}isExpired(key)\n`,
      'expired',
    );
    assert.deepEqual(
      places?.spans.map(({ words }) => words),
      [['expire'], ['expire']],
    );
  });

  it('are likely up to eight files, and as far as their score goes', () => {
    assert.equal(countSure([]), 0);
    assert.equal(countSure(scored(1, 0.5, 0.02, 0.0199, 0.5)), 3);
    assert.equal(countSure(scored(...Array.from({ length: 12 }, () => 0.5))), 8);
    assert.equal(countSure(scored(undefined, undefined)), 2);
  });

  it('mark the words of a query, whatever their form, and no common ones', () => {
    const code = 'uploadFile(handle, parsing, body, the, handled, bus)\n';
    assert.deepEqual(wordsOf(code, 'where is the parseBody of the uploads handled?'), [
      'upload',
      'handle',
      'body',
    ]);
    assert.deepEqual(wordsOf(code, 'the and of it a x'), []);
    assert.deepEqual(wordsOf(code, 'Bus BUS bus'), ['bus']);
    const many = Array.from({ length: 60 }, (_, at) => `word${at}x`).join(' ');
    assert.equal(wordsOf(`${many}\n`, many)?.length, 40);
    const [found] = describeFile({ ...file, ranges: '*' }, 'let a = 1;\n', 'the of')?.spans ?? [];
    assert.deepEqual(found?.highlights, []);
  });

  it('stay where they are when an edit moves none of them', () => {
    const spans = [span(10, 12)];
    assert.equal(moveSpans(spans, { startLine: 0, endLine: 0, newLines: 1 }, 30), spans);
    // The text may have become shorter than the spans all the same.
    assert.deepEqual(lines(moveSpans(spans, { startLine: 0, endLine: 0, newLines: 1 }, 11)), [
      [10, 11],
    ]);
  });

  it('are counted over all files', () => {
    assert.equal(countPlaces([]), 0);
    assert.equal(
      countPlaces([
        { ...file, spans: [span(1, 2), span(5, 6)] },
        { ...file, spans: [span(1, 1)] },
      ]),
      3,
    );
  });

  it('filters by path and title', () => {
    const files = [
      {
        ...file,
        spans: [
          { ...span(1, 2), title: 'one' },
          { ...span(3, 4), title: 'two' },
        ],
      },
      { root: 0, path: 'docs/a.md', spans: [span(1, 1)] },
    ];
    assert.equal(filterFiles(files, '').length, 2);
    assert.deepEqual(
      filterFiles(files, 'GREET two').map(({ spans }) => lines(spans)),
      [[[3, 4]]],
    );
    assert.equal(asText(files.slice(0, 1)), 'src/greet.ts:1-2  one\nsrc/greet.ts:3-4  two');
  });

  it('are a text of the search editor', () => {
    const shown = asSearchEditor('green  grass', '3 places in 2 files', [
      { path: 'src/a.ts', span: span(9, 10), code: 'let x;\nlet green;' },
      { path: 'src/a.ts', span: span(40, 40), code: 'grass();' },
      { path: 'b.ts', span: span(1, 1), code: 'no' },
    ]);
    assert.equal(
      shown,
      [
        '# Query: green grass',
        '',
        '3 places in 2 files',
        '',
        'src/a.ts:',
        '    9  let x;',
        '   10: let green;',
        '',
        '   40: grass();',
        '',
        'b.ts:',
        '    1  no',
        '',
      ].join('\n'),
    );
  });

  it('puts code into fences that hold it', () => {
    const markdown = asMarkdown('q', [{ path: 'a.md', span: span(1, 3), code: '```js\nx\n```\n' }]);
    assert.equal(markdown, 'Code found for: q\n\n### a.md:1-3\n\n````md\n```js\nx\n```\n````\n');
  });
});
