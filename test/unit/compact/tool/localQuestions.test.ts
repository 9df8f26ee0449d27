import assert from 'node:assert/strict';
import { LocalQuestions } from '../../../../src/compact/tool/localQuestions';

describe('LocalQuestions', () => {
  it('answers each question once, by what the tool was given', () => {
    const asked = new LocalQuestions();
    assert.ok(!asked.take({ path: 'a' }));
    asked.add({ path: 'a' });
    asked.add({ path: 'a' });
    asked.add({ path: 'b' });
    assert.deepEqual(
      ['a', 'a', 'a', 'b', 'b'].map(path => asked.take({ path })),
      [true, true, false, true, false],
    );
  });

  it('tells of a question that was not answered, which a run may be about', () => {
    const asked = new LocalQuestions();
    asked.add({ path: 'a' });
    assert.deepEqual(
      ['a', 'b'].map(path => asked.isOpen({ path })),
      [true, false],
    );
    asked.take({ path: 'a' });
    assert.ok(!asked.isOpen({ path: 'a' }));
  });

  it('forgets the oldest of hundreds that were never answered', () => {
    const asked = new LocalQuestions();
    for (let at = 0; at < 201; at++) asked.add({ path: at });
    assert.ok(!asked.take({ path: 0 }));
    assert.ok(asked.take({ path: 1 }));
    assert.ok(asked.take({ path: 200 }));
  });
});
