import assert from 'node:assert/strict';
import { TermFinder } from '../../../../../src/search/local/query/termFinder';
import { termsOf } from '../../../../../src/search/local/query/terms';
import { TextReader } from '../../../../../src/search/local/text/fileText';
import { type ResultSpan, spansOf } from '../../../../../src/search/local/text/spans';

const terms = termsOf('retry budget');
const reader = new TextReader(terms, new TermFinder(terms));

/** The spans of a text for "retry budget", as the lines that they have. */
function shown(rows: readonly string[], lines = 240): string[] {
  const text = rows.join('\n');
  const spans = spansOf(
    text,
    reader.read(text).hits,
    terms.map(() => 1),
    lines,
  );
  return spans.map(({ startLine, endLine }) => rows.slice(startLine - 1, endLine).join('\n'));
}

const rows = (count: number, text = '  step();'): string[] =>
  Array.from({ length: count }, (_, at) => `${text} // ${at}`);
/** Far enough from what comes before to be a span of its own. */
const gap = rows(100, 'plain');

describe('spansOf', () => {
  it('shows a definition from its head to its closing bracket', () => {
    for (const [head, ...rest] of [
      ['function spend(a) {', '  retry(a);', ...rows(30), '}'],
      ['const options = {', '  retry: 1,', ...rows(30), '};'],
      ['const call = wrap(() => {', '  retry();', ...rows(30), '});'],
      ['def spend(a)', '  retry(a)', ...rows(30), 'end'],
    ]) {
      const definition = [head ?? '', ...rest];
      const [span = ''] = shown([...gap, ...definition, ...gap]);
      assert.equal(span.split('\n')[0], head);
      assert.ok(span.includes(definition.join('\n')), span);
      assert.ok(!span.includes('// 99\n// 0') && span.split('\n').length <= 80);
    }
  });

  it('ends a block without brackets before the next line that is no deeper', () => {
    const definition = ['def spend(a):', '    retry(a)', ...rows(30, '    step()')];
    const [span] = shown([...gap, ...definition, 'def other():', '    pass', ...gap]);
    assert.equal(span, definition.join('\n'));
  });

  it('prefers the place that declares a name to one that uses it', () => {
    const use = ['run();', '  retry();'];
    const definition = ['function retry() {', '  run();', '}'];
    const places = shown([...use, ...gap, ...definition, ...gap]);
    assert.equal(places.length, 2);
    assert.match(places[0] ?? '', /^function retry/m);
  });

  it('prefers the name that is all in the query to one that has more words', () => {
    const others = ['function retryUploadLater(budget) {', '  run(retry, budget);', '}'];
    const meant = ['function retryBudget() {', '  run();', '}'];
    const places = shown([...others, ...gap, ...meant, ...gap]);
    assert.equal(places.length, 2);
    assert.match(places[0] ?? '', /^function retryBudget/m);
  });

  it('shows a definition that the end of the file ends', () => {
    const definition = ['def spend(a):', '    retry(a)', ...rows(40, '    step()')];
    assert.deepEqual(shown([...gap, ...definition]), [definition.join('\n')]);
  });

  it('goes on behind lines that open the body of a definition, and behind empty ones', () => {
    const body = ['  retry(a);', ...rows(20), '', ...rows(20)];
    for (const definition of [
      ['function spend(', '  a,', ') {', ...body, '}'],
      ['int spend(int a)', '{', ...body, '}'],
      ['const spend = [', '  0,', '].map(() => {', ...body, '});'],
    ])
      assert.deepEqual(shown([...gap, ...definition, ...gap]), [definition.join('\n')]);
  });

  it('goes on behind labels, directives and bounds of types at the margin', () => {
    for (const definition of [
      [
        'class Retry {',
        'public:',
        '  void retry();',
        ...rows(15),
        'private slots:',
        ...rows(15),
        '};',
      ],
      ['int spend(int a)', '{', '  retry(a);', ...rows(30), 'out_unlock:', ...rows(5), '}'],
      ['int spend(int a) {', '  retry(a);', ...rows(30), '#ifdef WIN32', '  x();', '#endif', '}'],
      [
        'pub fn spend<B>(a: B) -> u8',
        'where',
        '    B: Copy,',
        '{',
        '  retry(a);',
        ...rows(30),
        '}',
      ],
      ['export function spend<', '  B,', '>(a: B) {', '  retry(a);', ...rows(30), '}'],
    ]) {
      assert.deepEqual(shown([...gap, ...definition, ...gap]), [definition.join('\n')]);
      const windows = definition.map(line => `${line}\r`);
      assert.deepEqual(shown([...gap, ...windows, ...gap]), [windows.join('\n')], 'with CRLF');
    }
  });

  it('ends at the next branch or comment at the margin where there are no braces', () => {
    for (const next of ['else:', 'finally:', '# if it fails', 'next_key:']) {
      const definition = ['def spend(a):', '    retry(a)', ...rows(30)];
      const all = [...gap, ...definition, next, ...rows(15), ...gap];
      assert.deepEqual(shown(all), [definition.join('\n')], next);
    }
  });

  it('ends a block with its brackets, however many, or with the word end', () => {
    for (const last of ['}', '};', '})', '});', '}));', '])', ']);', '},', 'end', 'end)'])
      assert.deepEqual(
        shown([...gap, 'const options = spend({', '  retry: 1,', ...rows(30), last, ...gap]),
        [['const options = spend({', '  retry: 1,', ...rows(30), last].join('\n')],
        last,
      );
  });

  it('ends a block before a line that only looks like its end', () => {
    const block = ['const options = spend({', '  retry: 1,', ...rows(30)];
    for (const next of ['ending();', '<Endless />', 'default: 1,', 'try:', 'class Other:'])
      assert.deepEqual(shown([...gap, ...block, next, ...gap]), [block.join('\n')], next);
  });

  it('takes the innermost definition', () => {
    const inner = ['  spend() {', '    retry();', ...rows(25, '    step();'), '  }'];
    const [span] = shown(['class A {', ...rows(30, '  field;'), ...inner, '}', ...gap]);
    assert.equal(span, inner.join('\n'));
  });

  it('begins at the head of a definition whose brace has a line of its own', () => {
    const method = [
      '    public void Spend(',
      '        int a)',
      '    {',
      ...rows(20, '        Step();'),
    ];
    const definition = [...method, '        Retry(budget);', '    }'];
    const [span = ''] = shown([
      'class A',
      '{',
      ...rows(90, '    int b;'),
      ...definition,
      '}',
      ...gap,
    ]);
    assert.ok(span.startsWith(definition.join('\n')), span);
  });

  it('goes on from a variable whose brace has a line of its own to its function', () => {
    const call = [
      '        var all = Map(one =>',
      '        {',
      '            Retry(budget);',
      '        });',
    ];
    const method = [
      '    public void Spend()',
      '    {',
      ...rows(9, '        Step();'),
      ...call,
      '    }',
    ];
    const [span = ''] = shown(['class A', '{', ...rows(90, '    int b;'), ...method, '}', ...gap]);
    assert.ok(span.startsWith(method.join('\n')), span);
  });

  it('shows some lines around a hit that is in no definition', () => {
    const [span = ''] = shown([...rows(50, 'text'), 'retry', ...rows(50, 'text')]);
    const lines = span.split('\n');
    assert.equal(lines.indexOf('retry'), 5);
    assert.equal(lines.length, 5 + 1 + 20);
  });

  it('begins at the first line at the earliest and ends with the last', () => {
    assert.deepEqual(shown(['a', 'retry', 'b']), ['a\nretry\nb']);
    assert.deepEqual(shown(['retry', '']), ['retry']);
  });

  it('joins places that are close and keeps places apart that are not', () => {
    const near = shown(['retry', ...rows(30, 'x'), 'budget']);
    assert.equal(near.length, 1);
    const far = shown(['retry budget', ...gap, 'retry', ...gap, 'budget', ...gap, 'retry']);
    assert.equal(far.length, 3, 'no more than three');
    assert.ok(far[0]?.startsWith('retry budget'), 'the best first');
  });

  it('shows no line twice and no more lines than it may', () => {
    const text = [
      'class Retry {',
      ...rows(70, '  retry(budget);'),
      '}',
      ...rows(20, 'x'),
      ...rows(70, 'budget'),
      ...gap,
      ...rows(90, 'retry'),
    ];
    for (const most of [8, 20, 60, 100, 240]) {
      const joined = text.join('\n');
      const spans = spansOf(
        joined,
        reader.read(joined).hits,
        terms.map(() => 1),
        most,
      );
      const seen = new Set<number>();
      for (const { startLine, endLine } of spans)
        for (let line = startLine; line <= endLine; line++) {
          assert.ok(!seen.has(line), `line ${line} twice`);
          seen.add(line);
        }
      assert.ok(seen.size <= most && seen.size > 0, `${seen.size} of ${most}`);
      assert.ok(
        spans.every(
          ({ startLine, endLine }: ResultSpan) => startLine >= 1 && endLine <= text.length,
        ),
      );
    }
  });

  it('cuts the worse of two places that overlap, above and below the better one', () => {
    const long = ['function retryBudget() {', ...rows(90, '  retry(budget);'), '}'];
    const [best = '', ...above] = shown([...rows(50, 'text'), 'retry', ...rows(9, 'x'), ...long]);
    assert.equal(best, long.slice(0, 80).join('\n'));
    assert.deepEqual(
      above.at(-1),
      [...rows(50, 'text').slice(45), 'retry', ...rows(9, 'x')].join('\n'),
    );
  });

  it('leaves out what is left of a place without a hit', () => {
    const inner = ['  retryLast() {', '    retry(budget);', ...rows(24, '    x'), '  }'];
    const outer = ['class RetryBudget {', '  retry(budget, retry, budget);', ...rows(66, '  y')];
    const definition = [...outer, ...inner, '}'];
    // The inner one begins among the lines that are shown of the outer one, and has its hits there.
    assert.deepEqual(shown([...definition, ...gap]), [definition.slice(0, 80).join('\n')]);
  });

  it('leaves out places that have much less of the query', () => {
    const much = ['function retryBudget(budget) {', '  retry(budget); retryBudget(budget);', '}'];
    const [best, ...rest] = shown([...much, ...gap, 'unretryable']);
    assert.ok(best?.includes(much.join('\n')));
    assert.deepEqual(rest, []);
  });

  it('shows the head of a file without hits', () => {
    assert.deepEqual(shown(rows(50, 'x')), [rows(50, 'x').slice(0, 20).join('\n')]);
  });
});
