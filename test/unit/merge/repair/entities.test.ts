import assert from 'node:assert/strict';
import { hasEntity, withoutEntities } from '../../../../src/merge/repair/entities';

describe('the entities of a page', () => {
  it('become the characters of code', () => {
    const characters: Record<string, string> = {
      '<': '&lt; &LT; &#60; &#x3c; &#x3C;',
      '>': '&gt; &#62; &#x3e;',
      '&': '&amp; &#38; &#x26;',
      '"': '&quot; &#34; &#x22;',
      "'": '&apos; &#39; &#x27;',
      '/': '&#47; &#x2f;',
      '`': '&#96; &#x60;',
      '=': '&#61; &#x3d;',
      '{': '&#123;',
      '}': '&#125;',
    };
    for (const [character, entities] of Object.entries(characters)) {
      for (const entity of entities.split(' ')) {
        assert.equal(withoutEntities(`a ${entity}b`), `a ${character}b`, entity);
        assert.equal(hasEntity(`a ${entity}b`), true, entity);
      }
    }
    assert.equal(withoutEntities('a&nbsp;b&#160;c'), 'a b c');
  });

  it('are undone once', () => {
    assert.equal(withoutEntities('&amp;lt;'), '&lt;');
  });

  it('are not made of other text', () => {
    for (const text of ['a && b;', '&copy;', '&lt', '&#1;', '&#999;', 'a&b;', '']) {
      assert.equal(withoutEntities(text), text);
    }
    assert.equal(hasEntity('a && b; &copy;'), false);
  });
});
