import assert from 'node:assert/strict';
import { Sequencer, SequencerByKey } from '../../../../src/base/async/sequencer';

/** Tasks that end when they are told to, and a record of what began and ended. */
function tasks() {
  const events: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    events,
    end: (name: string) => ends.get(name)?.(),
    task: (name: string) => () =>
      new Promise<string>(resolve => {
        events.push(`${name} begins`);
        ends.set(name, () => {
          events.push(`${name} ends`);
          resolve(name);
        });
      }),
  };
}

const settle = () => new Promise(resolve => setImmediate(resolve));

describe('Sequencer', () => {
  it('begins a task when the one before it has ended', async () => {
    const { events, end, task } = tasks();
    const sequencer = new Sequencer();
    const first = sequencer.run(task('a'));
    const second = sequencer.run(task('b'));
    await settle();
    assert.deepEqual(events, ['a begins']);
    end('a');
    assert.equal(await first, 'a');
    await settle();
    end('b');
    assert.equal(await second, 'b');
    assert.deepEqual(events, ['a begins', 'a ends', 'b begins', 'b ends']);
  });

  it('goes on after a task that failed, and fails only its caller', async () => {
    const sequencer = new Sequencer();
    const failing = sequencer.run(async () => {
      throw new Error('no');
    });
    const next = sequencer.run(async () => 'yes');
    await assert.rejects(failing, /no/);
    assert.equal(await next, 'yes');
  });
});

describe('SequencerByKey', () => {
  it('lets tasks of other keys run beside, and forgets a key that is idle', async () => {
    const { events, end, task } = tasks();
    const sequencer = new SequencerByKey<string>();
    const runs = [
      sequencer.run('x', task('x1')),
      sequencer.run('x', task('x2')),
      sequencer.run('y', task('y1')),
    ];
    await settle();
    assert.deepEqual(events, ['x1 begins', 'y1 begins']);
    assert.equal(sequencer.size, 2);
    end('y1');
    end('x1');
    await settle();
    assert.equal(sequencer.size, 1);
    end('x2');
    assert.deepEqual(await Promise.all(runs), ['x1', 'x2', 'y1']);
    assert.equal(sequencer.size, 0);
  });

  it('goes on after a task that failed', async () => {
    const sequencer = new SequencerByKey<string>();
    const failing = sequencer.run('x', async () => {
      throw new Error('no');
    });
    const next = sequencer.run('x', async () => 'yes');
    await assert.rejects(failing, /no/);
    assert.equal(await next, 'yes');
    assert.equal(sequencer.size, 0);
  });
});
