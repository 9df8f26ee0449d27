import assert from 'node:assert/strict';
import { contextValue, itemHas } from '../../../../src/platform/commands/contextValue';
import {
  address,
  amount,
  amountsByName,
  choice,
  engine,
  inputs,
  inView,
  keys,
  listSetting,
  menu,
  section,
  textSetting,
  toggle,
  view,
  wholeNumber,
} from '../../../../src/platform/commands/contribute';

describe('the flags of an item of a view', () => {
  it('are matched by the clauses of menus, in their order', () => {
    const value = contextValue('job', 'batch', 'trained');
    assert.equal(value, ';job;batch;trained;');
    const matches = (clause: string): boolean => {
      const pattern = /^viewItem =~ \/(.*)\/$/.exec(clause)?.[1];
      assert.ok(pattern);
      return new RegExp(pattern).test(value);
    };
    assert.equal(itemHas('job', ['a', 'b']), 'viewItem =~ /;job;(a|b);/');
    assert.deepEqual(
      [
        itemHas('batch'),
        itemHas('job', ['tuning', 'batch']),
        itemHas('bat'),
        itemHas('trained', 'job'),
      ].map(matches),
      [true, true, false, false],
    );
  });
});

describe('what a feature contributes', () => {
  it('are settings with the defaults and the scope of their kind', () => {
    const options = { auto: 'a', local: 'b' };
    assert.deepEqual(choice('c', options), {
      type: 'string',
      default: 'auto',
      description: 'c',
      options,
    });
    assert.equal(choice('c', options, { default: 'local' }).default, 'local');
    const { scope, isRestricted } = engine('e', options);
    assert.deepEqual([scope, isRestricted], ['window', true]);
    assert.equal(address('a', { pattern: ['^x$', 'm'] }).ignoreSync, true);
    assert.deepEqual(textSetting('t'), { type: 'string', default: '', description: 't' });
    assert.deepEqual(amount('n', 5), { type: 'number', default: 5, minimum: 0, description: 'n' });
    assert.equal(wholeNumber('n', 5, { maximum: 9 }).type, 'integer');
    assert.deepEqual(listSetting('l', ['a']), {
      type: 'array',
      default: ['a'],
      description: 'l',
    });
    assert.deepEqual(amountsByName('b', { a: 'A' }), {
      type: 'object',
      default: {},
      description: 'b',
      amounts: { a: 'A' },
    });
    assert.deepEqual(toggle('t'), { type: 'boolean', default: false, description: 't' });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- any value is passed on
    const one = 1 as never;
    assert.deepEqual(section('S', { a: one }), { title: 'S', properties: { a: 1 } });
    assert.deepEqual(view('v', 'V', {}), [{ id: 'v', name: 'V', welcome: {} }]);
    assert.deepEqual(inputs([], { a: 1 }), { type: 'object', properties: { a: 1 } });
    assert.deepEqual(inputs(['a'], {}), { type: 'object', properties: {}, required: ['a'] });
  });

  it('are items of menus and keys, with the condition of all and their own', () => {
    assert.deepEqual(
      menu('view/title', inView('v'), [
        ['a', 'inline@1 1_open@2', 'x'],
        ['b', 'navigation'],
      ]).map(({ menu: name, command, group, when }) => [name, command, group, when]),
      [
        ['view/title', 'a', 'inline@1', 'view == v && x'],
        ['view/title', 'a', '1_open@2', 'view == v && x'],
        ['view/title', 'b', 'navigation', 'view == v'],
      ],
    );
    assert.deepEqual(
      keys('', [
        ['a', 'ctrl+a', 'cmd+a', 'x'],
        ['b', undefined, 'cmd+b'],
      ]),
      [
        { command: 'a', key: 'ctrl+a', mac: 'cmd+a', when: 'x' },
        { command: 'b', key: undefined, mac: 'cmd+b', when: '' },
      ],
    );
  });
});
