import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import {
  findProgram,
  isProcessAlive,
  type LinesRequest,
  type ProgramRequest,
  runLines,
  startProgram,
} from '../../../src/base/process';

/** Runs a script in Node. */
function request(script: string, more: Partial<ProgramRequest> = {}): ProgramRequest {
  return {
    program: process.execPath,
    args: ['-e', script],
    cwd: '.',
    deadlineMs: 60_000,
    onBytes: () => undefined,
    ...more,
  };
}

describe('a program that runs', () => {
  it('answers what it is given, byte by byte', async () => {
    const bytes: Buffer[] = [];
    const running = startProgram(
      request('process.stdin.pipe(process.stdout)', { onBytes: part => void bytes.push(part) }),
    );
    running.write(new Uint8Array([0, 255, 10]));
    running.write('ü');
    running.endInput();
    assert.deepEqual(await running.end, { reason: 'done', exitCode: 0, errorText: '' });
    assert.equal(Buffer.concat(bytes).toString('hex'), '00ff0ac3bc');
  });

  it('gets no input when it is to have none', async () => {
    const script = 'process.stdin.on("end", () => process.exit(3)).resume()';
    const running = startProgram(request(script), false);
    running.write('x');
    running.endInput();
    assert.equal((await running.end).exitCode, 3);
  });

  it('says how it ended', async () => {
    const failed = startProgram(request('console.error("no"); process.exitCode = 4'));
    assert.deepEqual(await failed.end, { reason: 'done', exitCode: 4, errorText: 'no\n' });
    const missing = startProgram(request('', { program: path.resolve('no-such-program') }));
    assert.equal((await missing.end).reason, 'failed');
    const args = ['-e', `// ${'x'.repeat(4_000_000)}`];
    const tooLong = startProgram(request('', { args }));
    tooLong.write('x');
    tooLong.endInput();
    tooLong.stop();
    assert.equal((await tooLong.end).reason, 'failed');
  });

  it('is killed when its output is not wanted, when it is stopped, late or canceled', async () => {
    const endless = 'setInterval(() => console.log("x"), 1)';
    const unwanted = startProgram(request(endless, { onBytes: () => false }));
    assert.equal((await unwanted.end).reason, 'stopped');
    const stopped = startProgram(request(endless));
    stopped.stop();
    assert.equal((await stopped.end).reason, 'stopped');
    const late = startProgram(request(endless, { deadlineMs: 1 }));
    assert.equal((await late.end).reason, 'deadline');
    const canceled = new AbortController();
    const running = startProgram(request(endless, { signal: canceled.signal }));
    canceled.abort();
    await assert.rejects(running.end, { name: 'AbortError' });
    const never = startProgram(request(endless, { signal: canceled.signal }));
    never.write('x');
    never.endInput();
    never.stop();
    await assert.rejects(never.end, { name: 'AbortError' });
  });

  it('may end before it has read its input', async () => {
    const running = startProgram(request('process.exit(0)'));
    running.write(new Uint8Array(1 << 20));
    assert.equal((await running.end).reason, 'done');
  });

  it('is found by its path or on PATH, and only where it can be run', async () => {
    assert.equal(await findProgram(process.execPath), process.execPath);
    assert.equal(await findProgram(path.resolve('package.json')), undefined);
    assert.equal(await findProgram('no-such-program'), undefined);
    assert.ok(path.isAbsolute((await findProgram('git')) ?? ''));
  });
});

/** Runs a script; the lines that came are handed out. */
function runningLines(script: string, options: Partial<LinesRequest> = {}) {
  return runLines({
    program: process.execPath,
    args: ['-e', script],
    cwd: os.tmpdir(),
    deadlineMs: 10_000,
    onLine: () => true,
    ...options,
  });
}

const endless = "for (;;) process.stdout.write('line\\n'.repeat(1000));";

describe('runLines', () => {
  it('cuts output into lines, whatever the pieces', async () => {
    const lines: string[] = [];
    const script =
      "const b = Buffer.from('ä\\nöü\\r\\n\\nend'); let i = 0; const t = setInterval(() => { if (i < b.length) process.stdout.write(b.subarray(i, ++i)); else clearInterval(t); }, 2);";
    await runningLines(script, { onLine: line => void lines.push(line) });
    assert.deepEqual(lines, ['ä', 'öü', '', 'end']);
  });

  it('hands over what it is given and what went wrong', async () => {
    const lines: string[] = [];
    const script = 'process.stdin.pipe(process.stdout); process.exitCode = 2; console.error("no");';
    const onLine = (line: string) => void lines.push(line);
    const end = await runningLines(script, { stdin: 'one\ntwo', onLine });
    assert.deepEqual(lines, ['one', 'two']);
    assert.deepEqual(end, { reason: 'done', exitCode: 2, errorText: 'no\n' });
  });

  it('stops a program that nobody listens to, or that takes too long', async () => {
    let count = 0;
    const stopped = await runningLines(endless, { onLine: () => ++count < 50 });
    assert.deepEqual([stopped.reason, count], ['stopped', 50]);
    const slow = await runningLines('setTimeout(() => {}, 60000)', { deadlineMs: 100 });
    assert.equal(slow.reason, 'deadline');
  });

  it('is quiet at once when canceled', async () => {
    const abort = new AbortController();
    let heard = 0;
    const pending = runningLines(endless, {
      signal: abort.signal,
      onLine: () => {
        heard++;
        abort.abort();
      },
    });
    await assert.rejects(pending, { name: 'AbortError' });
    assert.equal(heard, 1);
    await new Promise(resolve => setTimeout(resolve, 50));
    assert.equal(heard, 1);
  });

  it('says when the program is not there', async () => {
    const end = await runningLines('', { program: path.join(os.tmpdir(), 'no-such-program') });
    assert.equal(end.reason, 'failed');
    assert.equal(await findProgram('no-such-program'), undefined);
  });

  it('cuts a line that is endless, and says when the last one was not wanted', async () => {
    const lines: string[] = [];
    const { reason } = await runningLines('process.stdout.write("x".repeat(300000) + "\\nend")', {
      onLine: line => lines.push(line) < 2,
    });
    assert.deepEqual([lines.length, lines[1], reason], [2, 'end', 'stopped']);
    assert.ok((lines[0]?.length ?? 0) < 300_000, `${lines[0]?.length}`);
  });
});

describe('whether a process runs', () => {
  it('is known by its id', async () => {
    assert.equal(isProcessAlive(process.pid), true);
    let id = '';
    await startProgram(
      request('console.log(process.pid)', { onBytes: part => void (id += part.toString()) }),
    ).end;
    assert.ok(Number(id) > 0);
    assert.equal(isProcessAlive(Number(id)), false);
  });
});
