import assert from 'node:assert/strict';
import { declaredNames, isNamedAfter } from '../../../../src/apply/target/namedAfter';

describe('the names that an edit declares', () => {
  it('are those of functions, types, modules and groups of tests', () => {
    const lines = [
      "pub struct SummarySink<'p, M> {",
      '  export class Cart {',
      'package com.example.render;',
      'namespace Shop\\CartItems;',
      'TEST(color_test, red) {',
      'TEST_F(PathTest, Joins) {',
      'call(value);',
    ];
    assert.deepEqual(
      [...declaredNames(lines)],
      ['summarysink', 'cart', 'render', 'cartitems', 'colortest', 'pathtest'],
    );
  });
});

const isFor = (path: string, ...names: string[]) => isNamedAfter({ path }, new Set(names));

describe('a file is called after a name', () => {
  it('that begins like the file, or the file like the name', () => {
    assert.ok(isFor('src/summary.rs', 'summarysink'));
    assert.ok(isFor('src/summary_sink.rs', 'summarysink'));
    assert.ok(isFor('test/color-test.cc', 'colortest'));
    assert.ok(isFor('src/CartItems.spec.ts', 'cartitems'));
    assert.ok(isFor('src/router.ts', 'route'));
    assert.ok(isFor('src/cart.ts', 'cartitems'));
    assert.ok(!isFor('src/rows.ts', 'summarysink'));
    assert.ok(!isFor('src/sink.ts', 'summarysink'));
  });

  it('but none is, where the name is short or says nothing', () => {
    assert.ok(!isFor('src/row.ts', 'rowview'));
    assert.ok(!isFor('src/index.ts', 'indexof'));
    assert.ok(!isFor('src/main.go', 'mainloop'));
    assert.ok(!isFor('src/cartview.ts', 'cart'));
    assert.ok(!isFor('src/cart.ts'));
  });
});
