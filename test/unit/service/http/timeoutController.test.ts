import assert from 'node:assert/strict';
import { type Clock, Deadline } from '../../../../src/base/async/clock';
import { ServiceError } from '../../../../src/service/errors';
import { TimeoutController } from '../../../../src/service/http/timeoutController';
import { never } from '../helpers';

/** Timers fire when told to; wall and monotonic time are set by hand. */
class HandClock implements Clock {
  wallMs = 0;
  steadyMs = 0;
  fire: (() => void) | undefined;

  now(): number {
    return this.wallMs;
  }

  monotonic(): number {
    return this.steadyMs;
  }

  /** For each timer, how long it was to run. */
  readonly asked: number[] = [];

  after(ms: number, run: () => void): () => void {
    this.asked.push(ms);
    this.fire = run;
    return () => (this.fire = undefined);
  }

  async sleep(): Promise<void> {
    // No test waits.
  }
}

describe('Guard', () => {
  it('takes a jump of the wall clock for a sleeping computer, and starts the timeout again', async () => {
    const clock = new HandClock();
    const deadline = new Deadline(clock, 60_000);
    const guard = new TimeoutController(never(), clock, deadline);
    guard.arm(10_000, 'headers');

    // The lid was closed for an hour.
    clock.wallMs += 3600_000;
    clock.steadyMs += 10_000;
    clock.fire?.();
    assert.equal(guard.signal.aborted, false);
    assert.equal(deadline.remainingMs(), 50_000);

    clock.wallMs += 10_000;
    clock.steadyMs += 10_000;
    clock.fire?.();
    assert.ok(guard.failure instanceof ServiceError);
    assert.equal(guard.failure.kind, 'timeout');
    assert.ok(guard.signal.aborted);
  });

  it('rejects what is pending, and what is asked for later', async () => {
    const clock = new HandClock();
    const guard = new TimeoutController(never(), clock, new Deadline(clock, 1000));
    guard.arm(100, 'body');
    const pending = guard.wait(new Promise(() => undefined));
    clock.steadyMs += 100;
    clock.wallMs += 100;
    clock.fire?.();
    await assert.rejects(pending, /timeout \(body\)/);
    await assert.rejects(guard.wait(Promise.resolve(1)), /timeout \(body\)/);
  });

  it('leaves no timer behind when the attempt has ended', () => {
    const clock = new HandClock();
    const guard = new TimeoutController(never(), clock, new Deadline(clock, 1000));
    guard.arm(100, 'body');
    assert.ok(clock.fire);
    guard.close();
    assert.equal(clock.fire, undefined);
    assert.ok(guard.signal.aborted);
  });

  it('names the deadline when it comes before the timeout', () => {
    const clock = new HandClock();
    const guard = new TimeoutController(never(), clock, new Deadline(clock, 50));
    guard.arm(100, 'body');
    clock.steadyMs += 50;
    clock.wallMs += 50;
    clock.fire?.();
    assert.match(guard.failure?.message ?? '', /deadline/);
  });

  it('lets one timer run over many timeouts, and looks again when it fires', () => {
    const clock = new HandClock();
    const guard = new TimeoutController(never(), clock, new Deadline(clock, 60_000));
    const failure = (): string | undefined => guard.failure?.message;
    const pass = (ms: number): void => {
      clock.steadyMs += ms;
      clock.wallMs += ms;
    };
    for (let at = 0; at < 9; at++) {
      guard.arm(100, 'stream');
      pass(10);
    }
    assert.deepEqual(clock.asked, [100]);
    pass(10);
    clock.fire?.();
    // The last timeout began at 80.
    assert.deepEqual(clock.asked, [100, 80]);
    assert.equal(failure(), undefined);

    guard.arm(20, 'stream');
    assert.deepEqual(clock.asked, [100, 80, 20]);
    guard.disarm();
    pass(30);
    clock.fire?.();
    assert.equal(failure(), undefined);

    guard.arm(40, 'body');
    assert.deepEqual(clock.asked, [100, 80, 20, 40]);
    pass(40);
    clock.fire?.();
    assert.equal(failure(), 'timeout (body)');
  });

  it('sees a sleep that began in an earlier timeout than it ended', () => {
    const clock = new HandClock();
    const deadline = new Deadline(clock, 60_000);
    const guard = new TimeoutController(never(), clock, deadline);
    guard.arm(10_000, 'stream');
    clock.steadyMs += 3600_000;
    clock.wallMs += 3600_000;
    // A read comes before the timer, which is due since long ago.
    guard.arm(10_000, 'stream');
    clock.fire?.();
    assert.equal(guard.failure, undefined);
    assert.equal(deadline.remainingMs(), 50_000);
  });
});
