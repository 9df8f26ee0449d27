import assert from 'node:assert/strict';
import { runSearchTool, type ToolCallResult, toolName } from '../../../../src/search/tools';
import { finishForm } from '../../../../src/search/tools/finish';
import {
  parseRanges,
  toolLimits,
  truncateLine,
  truncateResult,
} from '../../../../src/search/tools/toolText';
import { ripgrepPath } from '../../../support/unit/ripgrepPath';
import { TestWorkspace } from '../workspace';

const secretFiles = toolLimits.filesWithSecrets + 2;
/** A made-up key, so that the file is searched again without it. */
const secret = 'api_key = "x7fQ2mZ9wL4tR8aa"';

describe('the forms in which the search model calls', () => {
  let files: TestWorkspace;
  before(() => {
    files = new TestWorkspace({
      'src/a.ts': 'one\nTwo\nthree\nfour\nfive\n',
      'src/b.md': 'Two in a text\n',
      'lib/c.ts': 'two\n',
      'src/big.txt': Buffer.from('\ufeffwide\nlines\n', 'utf16le').swap16(),
      'src/little.txt': Buffer.from('\ufeffsmall\nlines\n', 'utf16le'),
      'src/bom.txt': '\ufeffmarked\n',
      'src/noEnd.txt': 'a\nb',
      'src/bytes.bin': Buffer.of(1, 0, 2),
      'huge.txt': 'x'.repeat(toolLimits.wholeFileBytes + 1),
      ...Object.fromEntries(
        Array.from({ length: secretFiles }, (_, at) => [
          `keys/f${at}.ts`,
          `${secret}\nconst needle = 1;\n`,
        ]),
      ),
    });
  });
  after(() => files.remove());

  const call = async (
    name: string,
    args: unknown,
    rgPath: string | undefined = ripgrepPath(),
  ): Promise<ToolCallResult> => runSearchTool(await files.scope({ rgPath }), name, args);
  const textOf = async (name: string, args: unknown): Promise<string> =>
    (await call(name, args)).text.replaceAll(files.root, '');

  it('are other names of the tools', () => {
    for (const [name, tool] of [
      ['grep', 'grep_search'],
      ['ripgrep', 'grep_search'],
      ['search', 'grep_search'],
      ['read_file', 'read'],
      ['view', 'read'],
      ['list', 'list_directory'],
      ['ls', 'list_directory'],
      ['list_dir', 'list_directory'],
      ['find_files', 'glob'],
      ['submit', 'finish'],
      ['read', 'read'],
      ['toString', 'toString'],
    ] as const)
      assert.equal(toolName(name), tool);
  });

  it('are other names of the arguments of a search', async () => {
    const inLib = 'lib/c.ts:1:two';
    for (const args of [
      { pattern: 'two', path: 'lib' },
      { query: 'two', file: 'lib/c.ts' },
      { regex: 'two', directory: 'lib' },
      { pattern: 'two', sub_dir: 'lib' },
      { pattern: 'TWO', path: 'lib', case_sensitive: 'true' },
      { pattern: 'two', glob: 'lib/*.ts' },
      { pattern: 'two', include: 'c.ts' },
    ])
      assert.equal(await textOf('grep', args), inLib, JSON.stringify(args));
    assert.equal(await textOf('grep', { pattern: 'TWO', case_sensitive: true }), 'no matches');
    for (const limit of [1, '1'])
      assert.match(
        await textOf('grep', { pattern: 'two', path: 'src/a.ts', limit }),
        /^src\/a\.ts:2:Two\n\.\.\. \(output truncated at 1 lines; narrow the path/,
      );
    for (const limit of [0, -1, 1.5, 'x', null])
      assert.doesNotMatch(await textOf('grep', { pattern: 'two', limit }), /truncated/);
  });

  it('may be empty where they may be left out', async () => {
    for (const rgPath of [ripgrepPath(), undefined])
      for (const glob of ['', ' ']) {
        const scope = await files.scope({ rgPath });
        const found = await runSearchTool(scope, 'grep', { pattern: 'two', path: 'lib', glob });
        assert.equal(found.text, 'lib/c.ts:1:two');
      }
    for (const args of [{ command: '' }, { pattern: '' }])
      assert.equal(await textOf('list', { path: 'lib', ...args }), '/lib/c.ts');
  });

  it('are lines as text, numbers or lists', async () => {
    const path = 'src/a.ts';
    for (const [args, text] of [
      [{ lines: '2' }, '2|Two'],
      [{ lines: 2 }, '2|Two'],
      [{ ranges: [2, '4-5'] }, '2|Two\n...\n4|four\n5|five'],
      [
        {
          line_range: [
            [1, 2],
            [5, 5],
          ],
        },
        '1|one\n2|Two\n...\n5|five',
      ],
      [{ start: 2, end: 3 }, '2|Two\n3|three'],
      [{ start_line: 2 }, '2|Two'],
      [{ start_line: '2', end_line: ' 3 ' }, '2|Two\n3|three'],
      [{ startLine: 2, endLine: 3 }, '2|Two\n3|three'],
      [{ lines: '', start: 2 }, '2|Two'],
      [{ end_line: 2 }, '1|one\n2|Two'],
      [{ lines: { start: 2, end: 3 } }, '2|Two\n3|three'],
      [{ lines: { start_line: '2' } }, '2|Two'],
      [{ lines: { from: 2, to: 3 } }, '2|Two\n3|three'],
      [{ range: [{ first: 1, last: 2 }, 5] }, '1|one\n2|Two\n...\n5|five'],
      [{ start: 'x' }, '1|one\n2|Two\n3|three\n4|four\n5|five'],
      [{ lines: '7-9' }, '(the file ends at line 5)'],
      [{ lines: '5-9' }, '5|five'],
    ] as const)
      assert.equal(await textOf('read', { path, ...args }), text, JSON.stringify(args));
  });

  it('are files as text, a list, or objects', async () => {
    const aAndC = [
      { path: 'src/a.ts', ranges: [[1, 2]] },
      { path: 'lib/c.ts', ranges: '*' },
    ];
    for (const [given, wanted] of [
      ['src/a.ts:1-2', [{ path: 'src/a.ts', ranges: [[1, 2]] }]],
      [
        ['src/a.ts:1-2', 'lib/c.ts'],
        [
          { path: 'src/a.ts', ranges: [[1, 2]] },
          { path: 'lib/c.ts', ranges: '*' },
        ],
      ],
      [[{ path: 'src/a.ts', start: 3, end: 4 }], [{ path: 'src/a.ts', ranges: [[3, 4]] }]],
      [[{ path: 'lib/c.ts' }], [{ path: 'lib/c.ts', ranges: '*' }]],
      [{ 'src/a.ts': '1-2', 'lib/c.ts': null }, aAndC],
      [{ 'src/a.ts': [[1, 2]], 'lib/c.ts': '*' }, aAndC],
      [[{ 'src/a.ts': { start: 1, end: 2 } }, { file: 'lib/c.ts' }], aAndC],
      [[{ file: 'src/a.ts', range: '1-2' }, { filename: 'lib/c.ts' }], aAndC],
      [{ file_path: 'src/a.ts', start_line: 1, end_line: '2' }, aAndC.slice(0, 1)],
      [JSON.stringify([{ path: 'src/a.ts', lines: '1-2' }, 'lib/c.ts']), aAndC],
      [JSON.stringify({ 'src/a.ts': '1-2', 'lib/c.ts': '' }), aAndC],
      [undefined, []],
      [null, []],
      [[], []],
      ['', []],
      ['[]', []],
    ] as const) {
      const { finished, hits } = await call('finish', { files: given });
      assert.deepEqual(finished, wanted);
      assert.equal(hits, wanted.length);
    }
    const { finished: named } = await call('finish', { file: 'src/a.ts', lines: '1-2' });
    assert.deepEqual(named, aAndC.slice(0, 1));
    const backwards = await call('finish', { files: [{ path: 'src/a.ts', lines: '5-2' }] });
    assert.deepEqual(
      [backwards.isError, backwards.finished],
      [true, [{ path: 'src/a.ts', ranges: '*' }]],
    );
    assert.match(backwards.text, /^\[ARGUMENT ERROR\] "5-2" is no range of lines/);
    const many = Array.from({ length: 5000 }, () => ({ path: 'src/a.ts' }));
    assert.match((await call('finish', { files: many })).text, /more than 50 files/);
  });

  it('are no files where they are neither text nor object, which is said', async () => {
    for (const [given, what] of [
      [true, 'true'],
      [false, 'false'],
      [5, '5'],
      [{}, '{}'],
      ['{}', '{}'],
      [[null], 'null'],
      [[['src/a.ts', '1-2']], '["src/a.ts","1-2"]'],
    ] as const)
      assert.deepEqual(await call('finish', { files: given }), {
        text: `[ARGUMENT ERROR] ${what} names no file. ${finishForm}`,
        isError: true,
        hits: 0,
      });
    const partly = await call('finish', { files: ['src/a.ts', 7] });
    assert.ok(partly.isError);
    assert.match(partly.text, /^\[ARGUMENT ERROR\] 7 names no file\. Call finish again/);
    assert.deepEqual(partly.finished, [{ path: 'src/a.ts', ranges: '*' }]);
  });

  it('are refused where they are longer than any that has a meaning', async () => {
    const long = 'x'.repeat(2001);
    for (const [tool, args, what] of [
      ['grep_search', { pattern: long }, 'pattern'],
      ['grep_search', { pattern: 'x', glob: long }, 'glob'],
      ['list_directory', { command: long }, 'command'],
      ['glob', { pattern: long }, 'pattern'],
    ] as const)
      assert.match(
        await textOf(tool, args),
        new RegExp(`^\\[ARGUMENT ERROR\\] "${what}" is longer than 2000 characters\\.`),
      );
    const longest = { pattern: 'q'.repeat(2000) };
    assert.equal(await textOf('grep_search', longest), 'no matches');
    for (const [tool, args] of [
      ['grep_search', {}],
      ['grep_search', { pattern: '' }],
      ['glob', { pattern: 5 }],
    ] as const)
      assert.equal(await textOf(tool, args), `[ARGUMENT ERROR] ${tool} needs "pattern" as text.`);
    const path = 'a/'.repeat(50_000);
    assert.equal(
      await textOf('read', { path }),
      '[PATH ERROR] The path is longer than 4096 characters.',
    );
    for (const lines of ['5-2', '1.5-3'])
      assert.match(
        await textOf('read', { path: 'src/a.ts', lines }),
        /^\[ARGUMENT ERROR\] "[\d.-]+" is no range of lines: .* such as 2-5/,
      );
  });

  it('are refused where they hold what no text holds', async () => {
    for (const rgPath of [ripgrepPath(), undefined]) {
      const scope = await files.scope({ rgPath });
      for (const [tool, args, what] of [
        ['grep_search', { pattern: 'one\0' }, 'pattern'],
        ['grep_search', { pattern: 'one', glob: '*\0' }, 'glob'],
        ['glob', { pattern: '\0' }, 'pattern'],
        ['list_directory', { command: 'ls \0' }, 'command'],
      ] as const)
        assert.deepEqual(await runSearchTool(scope, tool, args), {
          text: `[ARGUMENT ERROR] "${what}" has a NUL character, which no text file and no path holds. Send it without.`,
          isError: true,
          hits: 0,
        });
    }
    assert.match(
      await textOf('read', { path: 'src/a.ts', lines: { begin: 3 } }),
      /^\[ARGUMENT ERROR\] "\{"begin":3\}" is no range of lines/,
    );
  });

  it('may be no object at all', async () => {
    const { text, isError } = await call('read', 'src/a.ts');
    assert.equal(isError, true);
    assert.match(text, /^\[/);
    assert.equal(await textOf('glob', null), '[ARGUMENT ERROR] glob needs "pattern" as text.');
  });

  it('read every encoding of text that has a mark, and no other', async () => {
    for (const [path, text] of [
      ['src/big.txt', '1|wide\n2|lines'],
      ['src/little.txt', '1|small\n2|lines'],
      ['src/bom.txt', '1|marked'],
      ['src/noEnd.txt', '1|a\n2|b'],
    ] as const) {
      assert.equal(await textOf('read', { path }), text);
      assert.equal(await textOf('read', { path, lines: '1-9' }), text);
    }
    for (const lines of [undefined, '1-2'])
      assert.match(
        await textOf('read', { path: 'src/bytes.bin', lines }),
        /"src\/bytes\.bin" is no text/,
      );
    assert.match(await textOf('read', { path: 'src' }), /"src" is a folder\. Use list_directory/);
    assert.match(
      await textOf('read', { path: 'huge.txt' }),
      /2000001 bytes\. Read a range of lines/,
    );
    assert.match(await textOf('read', { path: 'huge.txt', lines: '1' }), /^1\|x{400} …$/);
  });

  it('say how many files with keys were not searched again', async () => {
    const { text, hits } = await call('grep', { pattern: 'needle', path: 'keys' });
    assert.equal(hits, toolLimits.filesWithSecrets);
    assert.match(
      text,
      /\n\.\.\. \(2 more files seem to hold keys or passwords; narrow the path to/,
    );
    assert.doesNotMatch(text, /x7fQ2mZ9/);
    const key = await textOf('grep', { pattern: 'x7fQ2mZ9' });
    assert.match(key, /^\.\.\. \(2 more files seem to hold keys/);
  });

  it('show each line once with its context, also without ripgrep', async () => {
    const wanted = 'src/a.ts-1-one\nsrc/a.ts:2:Two\nsrc/a.ts:3:three\nsrc/a.ts-4-four';
    for (const rgPath of [ripgrepPath(), undefined]) {
      const scope = await files.scope({ rgPath });
      const { text, hits } = await runSearchTool(scope, 'grep', {
        pattern: 'two|three',
        glob: 'a.ts',
      });
      assert.deepEqual([text, hits], [wanted, 2]);
      const far = await runSearchTool(scope, 'grep', { pattern: '^(one|five)$', path: 'src/a.ts' });
      assert.equal(
        far.text,
        'src/a.ts:1:one\nsrc/a.ts-2-Two\n--\nsrc/a.ts-4-four\nsrc/a.ts:5:five',
      );
      const exact = { pattern: 'two', path: 'src/a.ts', case_sensitive: true };
      assert.equal((await runSearchTool(scope, 'grep', exact)).text, 'no matches');
    }
  });
});

describe('the text of a result', () => {
  it('has lines of at most 400 characters', () => {
    assert.equal(truncateLine('x'.repeat(400)), 'x'.repeat(400));
    assert.equal(truncateLine('x'.repeat(401)), `${'x'.repeat(400)} …`);
  });

  it('ends at a line where it is too long', () => {
    const fits = 'x'.repeat(48_000);
    assert.equal(truncateResult(fits), fits);
    const note = '\n... (output truncated at 48000 characters)';
    assert.equal(truncateResult(`${fits}x`), fits + note);
    const line = `${'y'.repeat(999)}\n`;
    assert.equal(truncateResult(line.repeat(49)), line.repeat(48).slice(0, -1) + note);
  });

  it('has ranges of lines in the usual forms', () => {
    assert.deepEqual(parseRanges('1-20, 45-80;3 L5-L6 7..8 9:10 11–12 0-4 *').ranges, [
      [1, 20],
      [45, 80],
      [3, 3],
      [5, 6],
      [7, 8],
      [9, 10],
      [11, 12],
      [1, 4],
    ]);
    assert.equal(parseRanges('1-20,3').problem, undefined);
    assert.deepEqual(parseRanges(''), { ranges: [], problem: undefined });
    const { ranges, problem } = parseRanges('0, 5-4, x, -3, 1-, 1-2-3');
    assert.deepEqual(ranges, []);
    assert.match(problem ?? '', /^"0, 5-4, x, -3, 1-" is no range of lines/);
    assert.equal(parseRanges('1,'.repeat(101)).ranges.length, 100);
    assert.match(parseRanges('1,'.repeat(101)).problem ?? '', /^More than 100 ranges/);
    assert.match(parseRanges('x'.repeat(100_000)).problem ?? '', /^More than 100 ranges/);
  });
});
