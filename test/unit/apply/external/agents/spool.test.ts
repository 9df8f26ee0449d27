import assert from 'node:assert/strict';
import {
  appendFileSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import { SpoolReader } from '../../../../../src/apply/external/agents/spool';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'splice-spool-'));
  file = path.join(folder, 'agents', 'events.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function prepared(): Promise<SpoolReader> {
  const reader = new SpoolReader(file);
  await reader.prepare();
  return reader;
}

describe('the reader of the spool file', () => {
  it('makes a file that only its owner can read, and leaves what is in it', async () => {
    await prepared();
    assert.equal(process.platform === 'win32' ? 0 : statSync(file).mode & 0o077, 0);
    appendFileSync(file, 'a\n');
    assert.deepEqual(await (await prepared()).read(), ['a']);
  });

  it('reads each line once', async () => {
    const reader = await prepared();
    assert.deepEqual(await reader.read(), []);
    appendFileSync(file, 'a\nb\n');
    assert.deepEqual(await reader.read(), ['a', 'b']);
    assert.deepEqual(await reader.read(), []);
    appendFileSync(file, 'c\n');
    assert.deepEqual(await reader.read(), ['c']);
  });

  it('waits for the end of a line', async () => {
    const reader = await prepared();
    appendFileSync(file, 'a\nhalf \u00fc'.slice(0, -1));
    assert.deepEqual(await reader.read(), ['a']);
    appendFileSync(file, '\u00fc line\n');
    assert.deepEqual(await reader.read(), ['half \u00fc line']);
  });

  it('goes on where an earlier reader was', async () => {
    const reader = await prepared();
    appendFileSync(file, 'a\n');
    await reader.read();
    appendFileSync(file, 'b\n');
    assert.deepEqual(await new SpoolReader(file, reader.position).read(), ['b']);
    assert.deepEqual(await new SpoolReader(file).read(), ['a', 'b']);
  });

  it('reads the rest of a file that was renamed, and then the new one', async () => {
    const reader = await prepared();
    appendFileSync(file, 'a\n');
    await reader.read();
    appendFileSync(file, 'b\n');
    renameSync(file, `${file}.1`);
    appendFileSync(file, 'c\n');
    assert.deepEqual(await reader.read(), ['b', 'c']);
    assert.deepEqual(await reader.read(), []);
  });

  it('reads a renamed file whose successor is not there yet', async () => {
    const reader = await prepared();
    await reader.read();
    appendFileSync(file, 'a\n');
    renameSync(file, `${file}.1`);
    assert.deepEqual(await reader.read(), ['a']);
    appendFileSync(file, 'b\n');
    assert.deepEqual(await reader.read(), ['b']);
  });

  it('reads a file anew that was cut off or replaced', async () => {
    const reader = await prepared();
    appendFileSync(file, 'a\nb\nc\n');
    await reader.read();
    truncateSync(file, 0);
    appendFileSync(file, 'd\n');
    assert.deepEqual(await reader.read(), ['d']);
    writeFileSync(`${file}.new`, 'e\n');
    renameSync(`${file}.new`, file);
    assert.deepEqual(await reader.read(), ['e']);
  });

  it('has nothing where there is no file', async () => {
    assert.deepEqual(await new SpoolReader(file).read(), []);
  });

  it('fails when the file cannot be read, and can be asked again', async () => {
    const reader = new SpoolReader(path.join(folder, 'x'.repeat(300)));
    await assert.rejects(reader.read());
    await assert.rejects(reader.read());
  });

  it('does not wait forever for the end of a line that is none of ours', async () => {
    const reader = await prepared();
    appendFileSync(file, 'x'.repeat(100_000));
    assert.deepEqual(await reader.read(), []);
    appendFileSync(file, '\na\n');
    assert.deepEqual(await reader.read(), ['', 'a']);
  });

  it('reads only the end of a file that is far too large', async () => {
    const reader = await prepared();
    appendFileSync(file, `${'x'.repeat(1023)}\n`.repeat(17 * 1024));
    appendFileSync(file, 'last\n');
    const lines = await reader.read();
    assert.equal(lines.at(-1), 'last');
    assert.ok(lines.length < 17 * 1024);
  });

  it('gives all lines in order, however they are written and read', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.constant('read'), fc.constant('rotate'), fc.string({ minLength: 1 }))),
        async steps => {
          rmSync(path.dirname(file), { recursive: true, force: true });
          const reader = await prepared();
          await reader.read();
          const written: string[] = [];
          const read: string[] = [];
          for (const step of steps) {
            if (step === 'rotate') {
              // Before each renaming: of two in a row, the first would be lost.
              read.push(...(await reader.read()));
              renameSync(file, `${file}.1`);
              appendFileSync(file, '');
            } else if (step === 'read') read.push(...(await reader.read()));
            else {
              const line = step.replaceAll('\n', ' ');
              written.push(line);
              appendFileSync(file, `${line}\n`);
            }
          }
          read.push(...(await reader.read()));
          assert.deepEqual(read, written);
        },
      ),
      { numRuns: 50 },
    );
  });
});
