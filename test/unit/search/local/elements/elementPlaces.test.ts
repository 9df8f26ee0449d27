import assert from 'node:assert/strict';
import { ElementFinder } from '../../../../../src/search/local/elements/elementPlaces';
import { elementIn } from '../../../../../src/search/local/elements/pastedElement';

function placeIn(query: string, text: string, file = 'a.html') {
  const element = elementIn(query);
  assert.ok(element, query);
  return new ElementFinder(element).placeIn(text, file);
}

const pasted = '<label class="wide field-label" for="email">E-mail</label>';

describe('the markup of an element', () => {
  for (const [file, markup] of [
    ['a.html', '<label for="email" class="wide field-label">'],
    ['a.tsx', "<label\n  className='wide field-label'\n  htmlFor={'email'}\n>"],
    ['a.vue', '<label :for="`email`" :class="[\'wide\', \'field-label\']">'],
    ['a.haml', '%label.wide.field-label{ for: "email" }'],
    ['a.erb', '<%= label_tag "x", for: "email", class: "wide field-label" %>'],
  ] as const) {
    it(`is found in ${file}`, () => {
      const place = placeIn(pasted, `${'\n'.repeat(30)}${markup}\n`, file);
      assert.equal(place?.line, 31);
      assert.ok((place?.worth ?? 0) > 3, String(place?.worth));
    });
  }

  it('is where most of it stands together', () => {
    const apart = `<i class="wide">${'\n'.repeat(900)}<i for="email">${'\n'.repeat(900)}`;
    const text = `${apart}<label class="wide field-label" for="email">`;
    assert.equal(placeIn(pasted, text)?.line, 1801);
  });

  it('is worth less where a part of it is missing, and nothing where most is', () => {
    const whole = placeIn(pasted, '<label class="wide field-label" for="email">')?.worth ?? 0;
    const part = placeIn(pasted, '<label class="wide field-label" for="name">')?.worth ?? 0;
    assert.ok(whole > part && part > 0);
    assert.equal(placeIn(pasted, '<label class="wide" for="name">'), undefined);
  });

  it('is neither a rule of a style sheet, nor a longer name, nor the value of another attribute', () => {
    const element = '<div class="field-label"></div>';
    assert.equal(placeIn(element, '.field-label { top: 0 }', 'a.css'), undefined);
    assert.equal(placeIn(element, "$('.field-label').hide()", 'a.js'), undefined);
    assert.equal(placeIn(element, '<div class="field-label-wide my-field-label">'), undefined);
    assert.equal(placeIn('<label for="email"></label>', '<input name="email">'), undefined);
  });

  it('takes time that does not grow with the number of its marks in a text', () => {
    const text = '<label class="wide field-label" for="email">'.repeat(20_000);
    const startedAt = performance.now();
    assert.ok(placeIn(pasted, text));
    assert.ok(performance.now() - startedAt < 2000);
  });
});
