import assert from 'node:assert/strict';
import type { Content } from '../../../../../../src/apply/external/core/content';
import { PutAside } from '../../../../../../src/apply/external/disk/git/putAside';

const file = (id: string): Content => ({ kind: 'file', id, size: 1 });
const absent: Content = { kind: 'absent' };

describe('what git took away', () => {
  it('is known again by path and bytes, also after a restart', () => {
    const aside = new PutAside();
    const state = { baseline: absent, now: file('1') };
    aside.remember('a', state);
    aside.rememberMade('b', file('2'));
    for (const one of [aside, PutAside.from(JSON.parse(JSON.stringify(aside)))]) {
      assert.deepEqual(one.find('a', file('1')), state);
      assert.equal(one.find('b', file('1')), undefined);
      assert.equal(one.find('a', file('2')), undefined);
      assert.ok(one.wasMade('b', file('2')));
      assert.ok(!one.wasMade('a', file('2')) && !one.wasMade('b', file('1')));
    }
  });

  it('is what was last known, and nothing when it was forgotten', () => {
    const aside = new PutAside();
    aside.remember('a', { baseline: file('0'), now: file('1') });
    aside.remember('a', { baseline: file('1'), now: file('1') });
    assert.deepEqual(aside.find('a', file('1'))?.baseline, file('1'));
    aside.forget('a', file('1'));
    assert.equal(aside.find('a', file('1')), undefined);
    aside.remember('a', { baseline: file('0'), now: absent });
    assert.equal(aside.find('a', absent), undefined);
  });

  it('is limited: the oldest is dropped', () => {
    const aside = new PutAside();
    for (let at = 0; at <= 5000; at++) {
      aside.remember('a', { baseline: absent, now: file(`${at}`) });
      aside.rememberMade('a', file(`${at}`));
    }
    assert.equal(aside.find('a', file('0')), undefined);
    assert.ok(aside.find('a', file('1')) && aside.find('a', file('5000')));
    assert.ok(!aside.wasMade('a', file('0')) && aside.wasMade('a', file('1')));
  });
});
