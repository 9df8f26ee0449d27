import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { isAbort } from '../../../../src/base/async/abort';
import { AbortError, Deadline, isAbortError, systemClock } from '../../../../src/base/async/clock';
import { VirtualTime } from '../../../support/unit/virtualTime';

const never = new AbortController().signal;
const timers = (): number =>
  process.getActiveResourcesInfo().filter(name => name === 'Timeout').length;

describe('the clock of the system', () => {
  it('tells the date, and a time that does not go back', async () => {
    const before = Date.now();
    const at = systemClock.now();
    assert.ok(before <= at && at <= Date.now());
    const start = systemClock.monotonic();
    await systemClock.sleep(1, never);
    assert.ok(systemClock.monotonic() >= start);
  });

  it('runs what is due, in order, and not what was canceled', async () => {
    const ran: string[] = [];
    systemClock.after(-5, () => ran.push('overdue'));
    const cancel = systemClock.after(1, () => ran.push('canceled'));
    cancel();
    await new Promise<void>(resolve => systemClock.after(5, resolve));
    assert.deepEqual(ran, ['overdue']);
  });

  it('does not run at once what is due in years', async () => {
    let ran = false;
    const cancel = systemClock.after(2 ** 40, () => {
      ran = true;
    });
    await systemClock.sleep(5, never);
    cancel();
    assert.equal(ran, false);
  });

  it('leaves nothing behind at the signal after a sleep', async () => {
    const { signal } = new AbortController();
    const sleeping = systemClock.sleep(1, signal);
    assert.equal(getEventListeners(signal, 'abort').length, 1);
    await sleeping;
    assert.equal(getEventListeners(signal, 'abort').length, 0);
  });

  it('ends a sleep as soon as it is canceled, and its timer', async () => {
    const controller = new AbortController();
    await systemClock.sleep(0, never); // so that the test's own timer has started
    const before = timers();
    const sleeping = systemClock.sleep(3_600_000, controller.signal);
    assert.equal(timers(), before + 1);
    controller.abort();
    await assert.rejects(sleeping, isAbortError);
    assert.equal(timers(), before);
    await assert.rejects(systemClock.sleep(3_600_000, controller.signal), isAbortError);
    assert.equal(timers(), before);
  });
});

const named = (name: string): Error => Object.assign(new Error('x'), { name });

describe('a canceled call', () => {
  it('is told from a failure by its name', () => {
    const errors = [new AbortError(), named('AbortError'), named('Canceled'), named('Error')];
    assert.deepEqual(errors.map(isAbortError), [true, true, false, false]);
    assert.deepEqual(errors.map(isAbort), [true, true, true, false]);
    const others = [{ name: 'AbortError' }, undefined, 'AbortError', null];
    assert.ok(!others.some(isAbortError));
    assert.ok(!others.some(isAbort));
    assert.equal(new AbortError().message, 'Canceled');
  });
});

describe('Deadline', () => {
  it('is reached when its time has passed', async () => {
    const time = new VirtualTime();
    const deadline = new Deadline(time, 1000);
    assert.equal(deadline.remainingMs(), 1000);
    await time.advance(400);
    assert.equal(deadline.remainingMs(), 600);
    deadline.extend(50);
    assert.equal(deadline.remainingMs(), 650);
  });

  it('moves by the time in which the computer slept, and not by a small delay', () => {
    const deadline = new Deadline(new VirtualTime(), 1000);
    deadline.forgive(5000);
    assert.equal(deadline.remainingMs(), 1000);
    deadline.forgive(5001);
    assert.equal(deadline.remainingMs(), 6001);
  });
});
