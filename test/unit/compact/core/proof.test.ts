import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { written } from '../../../../src/base/sentence';
import { compactText } from '../../../../src/compact/core/compactor';
import {
  type Claim,
  type OutputRules,
  proveClaim,
  proveKeptSpans,
  proveOutput,
  rebuildOutput,
} from '../../../../src/compact/core/proof';
import {
  complementOf,
  type LineRange,
  lineStartsOf,
  rangesOf,
} from '../../../../src/compact/core/ranges';
import { anyText } from '../chats';

const input = 'a\nb\n\nc\na\r\nd\n\n\ne';
//             1  2  3 4  5    6  7 8 9

describe('proveOutput', () => {
  const lenient: OutputRules = { allowsFillers: true, allowsLostLineEnd: true };
  const proved: [name: string, output: string, ranges: LineRange[], rules?: OutputRules][] = [
    ['all of it', input, [[1, 9]]],
    ['nothing', '', []],
    [
      'some lines',
      'b\nd\n',
      [
        [2, 2],
        [6, 6],
      ],
    ],
    [
      'the last line without an end',
      'c\ne',
      [
        [4, 4],
        [9, 9],
      ],
    ],
    [
      'one of two equal lines',
      '\n\n',
      [
        [3, 3],
        [7, 7],
      ],
    ],
    [
      'a line end that is lost',
      'b\nc',
      [
        [2, 2],
        [4, 4],
      ],
      lenient,
    ],
    ['a carriage return that is lost with it', 'c\na', [[4, 5]], lenient],
    [
      'a marker',
      'a\n(filtered 4 lines)\nd\n',
      [
        [1, 1],
        [6, 6],
      ],
      lenient,
    ],
    [
      'a marker for one line',
      'b\n(filtered 1 line)\nc\n',
      [
        [2, 2],
        [4, 4],
      ],
      lenient,
    ],
    ['a marker at the end', 'a\nb\n(filtered 7 lines)\n', [[1, 2]], lenient],
    ['a marker at the start', '(filtered 5 lines)\nd\n', [[6, 6]], lenient],
    [
      'an empty line for a gap',
      'a\n\nc\n',
      [
        [1, 1],
        [4, 4],
      ],
      lenient,
    ],
    ['an empty line that is one', 'b\n\nc\n', [[2, 4]], lenient],
    ['an empty line at the end', 'd\n\n', [[6, 7]], lenient],
  ];
  for (const [name, output, keptRanges, rules] of proved)
    it(`proves ${name}`, () => {
      assert.deepEqual(proveOutput(input, output, rules), { kind: 'proved', keptRanges });
    });

  it('takes the number of a marker at its word', () => {
    const repeated = 'x\ny\nx\ny\nx\ny\n';
    assert.deepEqual(proveOutput(repeated, 'x\n(filtered 3 lines)\nx\n', lenient), {
      kind: 'proved',
      keptRanges: [
        [1, 1],
        [5, 5],
      ],
    });
  });

  it('takes a marker that the input has for a line', () => {
    const quoted = 'a\n(filtered 2 lines)\nb\n';
    assert.deepEqual(proveOutput(quoted, quoted, lenient), {
      kind: 'proved',
      keptRanges: [[1, 3]],
    });
  });

  const denied: [
    name: string,
    output: string,
    line: number,
    reason: RegExp,
    rules?: OutputRules,
  ][] = [
    ['an edited line', 'a\nB\n', 2, /^is no line of the input$/],
    ['an added line', 'a\nb\nnew\nc\n', 3, /^is no line of the input$/],
    ['a line in another place', 'c\nb\n', 2, /^is line 2 of the input, which stands before/],
    ['a line twice', 'b\nb\n', 2, /^repeats line 2 of the input/],
    ['the first line twice', 'a\na\n', 2, /^repeats line 1 of the input/],
    ['white space added', 'b \n', 1, /^is line 2 of the input but for white space/],
    ['another line end', 'b\r\n', 1, /^is line 2 of the input but for white space/],
    ['a line end added', 'e\n', 1, /^is line 9 of the input but for white space/],
    ['a line end lost', 'b\nc', 2, /^is line 4 of the input but for white space/],
    ['a line end lost within', 'bc\n', 1, /^is no line of the input$/, lenient],
    ['two lines as one', 'b\nc d\n', 2, /^is no line of the input$/],
    ['a marker', 'a\n(filtered 4 lines)\nd\n', 2, /^is no line of the input$/],
    [
      'a marker for too many lines',
      'a\n(filtered 9 lines)\n',
      2,
      /more lines than are left/,
      lenient,
    ],
    [
      'a marker that is too large',
      'a\n(filtered 6 lines)\nd\n',
      3,
      /^is line 6 of the input/,
      lenient,
    ],
    ['an empty line where nothing is left out', 'a\n\nb\n', 3, /^is line 2 of the input/, lenient],
  ];
  for (const [name, output, line, reason, rules] of denied)
    it(`denies ${name}`, () => {
      const proof = proveOutput(input, output, rules);
      assert.ok(proof.kind === 'denied', JSON.stringify(proof));
      assert.equal(proof.line, line);
      assert.match(written(proof.reason), reason);
    });

  it('denies any change to a compacted text', () => {
    const change = fc.constantFrom('edit', 'drop', 'add', 'cut');
    fc.assert(
      fc.property(anyText, change, fc.nat(), (text, how, at) => {
        const { output } = compactText(text, { ratio: 0.5 });
        fc.pre(output.length > 0);
        const place = at % output.length;
        // A character that no line of the text has.
        const strange = '\u{E000}';
        const changed = {
          edit: output.slice(0, place) + strange + output.slice(place + 1),
          drop: `${output.slice(0, place)}${strange}${output.slice(place)}`,
          add: `${strange}\n${output}`,
          cut: output + strange,
        }[how];
        assert.equal(proveOutput(text, changed).kind, 'denied');
      }),
      { numRuns: 300 },
    );
  });

  it('finds the lines again from markers or empty lines in the gaps', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 30 }), fc.boolean(), (kept, hasMarkers) => {
        const lines = kept.map((_, at) => `line ${at}\n`);
        const output: string[] = [];
        for (let at = 0; at < lines.length; at++) {
          const start = at;
          while (at < lines.length && !kept[at]) at++;
          if (at > start) output.push(hasMarkers ? `(filtered ${at - start} lines)\n` : '\n');
          output.push(lines[at] ?? '');
        }
        assert.deepEqual(proveOutput(lines.join(''), output.join(''), lenient), {
          kind: 'proved',
          keptRanges: rangesOf(Uint8Array.from(kept, Number)),
        });
      }),
    );
  });
});

describe('proveClaim', () => {
  const denied: [name: string, claim: Claim, line: number, reason: RegExp][] = [
    [
      'a kept line that is not in the output',
      { output: 'b\n', keptRanges: [[2, 3]] },
      2,
      /not the line/,
    ],
    ['another line than was kept', { output: 'b\n', keptRanges: [[1, 1]] }, 1, /not the line/],
    [
      'a line that is in no range',
      { output: 'b\nX\n', keptRanges: [[2, 2]] },
      2,
      /no line of the input/,
    ],
    [
      'ranges that overlap',
      {
        output: '',
        keptRanges: [
          [1, 3],
          [3, 4],
        ],
      },
      3,
      /^kept range 3-4 starts before/,
    ],
    [
      'ranges out of order',
      {
        output: '',
        removedRanges: [
          [4, 5],
          [1, 2],
        ],
      },
      1,
      /^removed range 1-2 starts/,
    ],
    ['a range of no lines', { output: '', keptRanges: [[3, 2]] }, 3, /ends before it starts/],
    ['line 0', { output: '', keptRanges: [[0, 2]] }, 0, /not within lines 1-9/],
    ['a line after the end', { output: '', keptRanges: [[9, 10]] }, 9, /not within lines 1-9/],
    ['half a line', { output: '', keptRanges: [[1.5, 2]] }, 1.5, /whole numbers/],
    [
      'a line that is kept and removed',
      { output: 'a\nb\n', keptRanges: [[1, 2]], removedRanges: [[2, 9]] },
      2,
      /neither kept nor removed, or both/,
    ],
    [
      'a line that is neither',
      { output: 'a\nb\n', keptRanges: [[1, 2]], removedRanges: [[4, 9]] },
      3,
      /neither kept nor removed, or both/,
    ],
  ];
  for (const [name, claim, line, reason] of denied)
    it(`denies ${name}`, () => {
      const proof = proveClaim(input, claim);
      assert.ok(proof.kind === 'denied', JSON.stringify(proof));
      assert.equal(proof.line, line);
      assert.match(written(proof.reason), reason);
    });

  it('proves from what was removed alone, and rebuilds the output', () => {
    const removedRanges: LineRange[] = [
      [1, 1],
      [3, 8],
    ];
    const rebuilt = rebuildOutput(input, removedRanges);
    assert.deepEqual(rebuilt, {
      kind: 'rebuilt',
      output: 'b\ne',
      keptRanges: [
        [2, 2],
        [9, 9],
      ],
    });
    assert.equal(proveClaim(input, { output: 'b\ne', removedRanges }).kind, 'proved');
    assert.equal(rebuildOutput(input, [[9, 12]]).kind, 'denied');
  });
});

describe('proveKeptSpans', () => {
  const spans = 'x\n<keepContext>\na\nb\n</keepContext>\ny\n<keepContext>c\nd\n';
  const cases: [ranges: LineRange[], missing: number | undefined][] = [
    [
      [
        [2, 5],
        [7, 8],
      ],
      undefined,
    ],
    [
      [
        [3, 4],
        [7, 8],
      ],
      undefined,
    ],
    [[[1, 8]], undefined],
    [
      [
        [2, 3],
        [5, 8],
      ],
      4,
    ],
    [
      [
        [2, 5],
        [8, 8],
      ],
      7,
    ],
    [[], 3],
  ];
  for (const [ranges, missing] of cases)
    it(`${missing === undefined ? 'proves' : `misses line ${missing} of`} ${JSON.stringify(ranges)}`, () => {
      const proof = proveKeptSpans(spans, ranges);
      assert.equal(proof.kind === 'denied' ? proof.line : undefined, missing);
    });
});

describe('ranges', () => {
  it('split a text where its lines end', () => {
    fc.assert(
      fc.property(anyText, text => {
        const starts = lineStartsOf(text);
        const lines = text === '' ? [] : text.split(/(?<=\n)/);
        assert.deepEqual(
          lines,
          Array.from(lines, (_, at) => text.slice(starts[at], starts[at + 1])),
        );
        assert.equal(starts.length, lines.length + 1);
      }),
    );
  });

  it('complement each other', () => {
    fc.assert(
      fc.property(fc.uint8Array({ max: 1, maxLength: 40 }), lines => {
        const others = lines.map(line => 1 - line);
        assert.deepEqual(complementOf(rangesOf(lines), lines.length), rangesOf(others));
      }),
    );
  });
});
