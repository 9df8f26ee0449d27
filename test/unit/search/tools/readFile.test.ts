import assert from 'node:assert/strict';
import path from 'node:path';
import { linesOfText, readLines, readWholeFile } from '../../../../src/search/tools/readFile';
import { TestWorkspace } from '../workspace';

/** More than one piece of a file that is read. */
const manyLines = Array.from(
  { length: 6000 },
  (_, n) => `line ${n + 1} of many ${'more '.repeat(40)}.`,
);

describe('the lines of a file', () => {
  let files: TestWorkspace;
  before(() => {
    files = new TestWorkspace({
      'a.ts': 'one\ntwo\nthree\n',
      'noEnd.ts': 'one\ntwo',
      'crlf.ts': 'one\r\ntwo\r\n',
      'empty.ts': '',
      'many.ts': manyLines.join('\n'),
      'manyCrlf.ts': manyLines.join('\r\n'),
      'short.ts': Array.from({ length: 3000 }, (_, n) => `line ${n + 1} of many`).join('\n'),
      'wide.ts': Array.from({ length: 200 }, (_, n) => `${n}`.padEnd(395, 'x')).join('\n'),
      'late.bin': Buffer.concat([Buffer.alloc(8000, 'a\n'), Buffer.of(0), Buffer.from('\nend')]),
      'early.bin': Buffer.concat([Buffer.alloc(7999, 'a\n'), Buffer.of(0), Buffer.from('\nend')]),
    });
  });
  after(() => files.remove());

  const read = async (name: string, ranges?: string, unsaved?: string) => {
    const texts = new Map(unsaved === undefined ? [] : [[path.join(files.root, name), unsaved]]);
    return readLines(await files.scope({ unsaved: texts }), name, ranges);
  };

  it('are numbered, and counted', async () => {
    assert.deepEqual(await read('a.ts'), {
      text: '1|one\n2|two\n3|three',
      isError: false,
      hits: 3,
    });
    assert.deepEqual(await read('a.ts', '2-3'), {
      text: '2|two\n3|three',
      isError: false,
      hits: 2,
    });
    assert.equal((await read('noEnd.ts', '2')).text, '2|two');
    assert.equal((await read('crlf.ts', '1-2')).text, '1|one\n2|two');
  });

  it('end with the file, also where more were asked for', async () => {
    assert.equal((await read('a.ts', '3-9')).text, '3|three');
    assert.deepEqual(await read('a.ts', '4-9,7'), {
      text: '(the file ends at line 3)',
      isError: false,
      hits: 0,
    });
    assert.equal((await read('a.ts', '1,9-12')).text, '1|one');
    for (const ranges of [undefined, '*', '1-5'])
      assert.deepEqual(await read('empty.ts', ranges), {
        text: '(empty file)',
        isError: false,
        hits: 0,
      });
  });

  it('are the same far down in a large file, with any line ends', async () => {
    for (const [name, line] of [
      ['many.ts', 6000],
      ['manyCrlf.ts', 5555],
    ] as const)
      assert.equal((await read(name, `${line}`)).text, `${line}|${manyLines[line - 1]}`, name);
    assert.equal((await read('many.ts', '6001')).text, '(the file ends at line 6000)');
  });

  it('are at most 800, with the number of all where that is known', async () => {
    const whole = await read('short.ts');
    assert.equal(whole.hits, 800);
    assert.match(
      whole.text,
      /\n800\|line 800 .*\n\.\.\. \(output truncated at 800 of 3000 lines\)$/,
    );
    const part = await read('short.ts', '11-900,2000');
    assert.equal(part.hits, 800);
    assert.match(
      part.text,
      /^11\|.*\n810\|line 810 .*\n\.\.\. \(output truncated at 800 lines\)$/s,
    );
    assert.doesNotMatch((await read('short.ts', '1-800')).text, /truncated/);
    const apart = await read('short.ts', '1-799,1001-1002,1101');
    assert.match(apart.text, /\n799\|.*\n\.\.\.\n1001\|line 1001 [^\n]*\n\.\.\. \(output/s);
  });

  it('are no more characters than one result may have', async () => {
    const { text, hits } = await read('wide.ts');
    assert.ok(text.length <= 48_000 + 100 && text.length > 47_000, `${text.length}`);
    assert.match(text, new RegExp(`\\n\\.\\.\\. \\(output truncated at ${hits} of 200 lines\\)$`));
    assert.equal(text.split('\n').length, hits + 1);
  });

  it('are those of the editor where it has changes', async () => {
    assert.equal((await read('a.ts', '2', 'x\ny\n')).text, '2|y');
    assert.equal((await read('a.ts', undefined, '')).text, '(empty file)');
  });

  it('are of a text, which has no NUL in its first 8,000 bytes', async () => {
    for (const ranges of [undefined, '1']) {
      assert.match((await read('late.bin', ranges)).text, /^1\|a/);
      await assert.rejects(read('early.bin', ranges), {
        message: '[UNREADABLE FILE] "early.bin" is no text.',
      });
    }
  });

  it('are not read after an abort', async () => {
    const scope = await files.scope({ signal: AbortSignal.abort() });
    await assert.rejects(readLines(scope, 'many.ts', '5'), { name: 'AbortError' });
  });

  it('have no empty one after the last line end', () => {
    assert.deepEqual(linesOfText('a\r\n\nb\n'), ['a', '', 'b']);
    assert.deepEqual(linesOfText('a\n\n'), ['a', '']);
    assert.deepEqual([linesOfText('a'), linesOfText('')], [['a'], []]);
  });

  it('are read whole up to a size', async () => {
    const { sandbox } = await files.scope();
    const place = await sandbox.resolve('a.ts');
    assert.equal(await readWholeFile(sandbox, place, 14), 'one\ntwo\nthree\n');
    await assert.rejects(readWholeFile(sandbox, place, 13), {
      name: 'ToolError',
      message: '[UNREADABLE FILE] "a.ts" has 14 bytes. Read a range of lines, or search in it.',
    });
  });
});
