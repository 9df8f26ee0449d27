import assert from 'node:assert/strict';
import path from 'node:path';
import { findProgram, type ProgramRequest, startProgram } from '../../../src/base/process';

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
