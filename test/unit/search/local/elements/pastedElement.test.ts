import assert from 'node:assert/strict';
import { elementIn } from '../../../../../src/search/local/elements/pastedElement';

const marksIn = (query: string): string[] =>
  (elementIn(query)?.marks ?? []).map(({ text, attribute }) =>
    attribute === undefined ? text : `${attribute}=${text}`,
  );

describe('an element in a query', () => {
  it('has the classes, identifiers and values of its tag, the classes together first', () => {
    assert.deepEqual(
      marksIn(
        '<button type="submit" class="btn  save-button" id="save" data-testid="s1">Save</button>',
      ),
      [
        '<button',
        'type=submit',
        'btn save-button',
        'btn',
        'save-button',
        'id=save',
        'data-testid=s1',
      ],
    );
  });

  it('has none of what a program computes', () => {
    assert.deepEqual(
      marksIn(
        '<div class="css-1x2y3z sc-bdVaJa svelte-1a2b3c card" style="top: 4px" id="radix-:r3:" data-v-7ba5bd90="" aria-controls="x" onclick="go()"></div>',
      ),
      ['<div', 'card'],
    );
  });

  it('has the class of a module of styles', () => {
    assert.ok(marksIn('<p class="Card_title__x3F9a"></p>').includes('title'));
    assert.ok(marksIn('<p class="_title_1a2b3_12"></p>').includes('title'));
    assert.ok(marksIn('<p class="card_title__badge"></p>').includes('card_title__badge'));
  });

  it('may have data in its attributes', () => {
    const query = '<main class="app-root" data-page="{&quot;user&quot;:1}"></main>';
    assert.ok(marksIn(query).includes('app-root'));
  });

  it('counts for more than the elements in it', () => {
    const { marks = [] } =
      elementIn('<ul class="user-list"><li class="user-entry">Ada</li></ul>') ?? {};
    const weightOf = (text: string) => marks.find(mark => mark.text === text)?.weight ?? 0;
    assert.ok(weightOf('user-list') > 2 * weightOf('user-entry'));
    assert.ok(weightOf('user-entry') > 0);
  });

  it('is searched for by its texts, too, and a long one by its names', () => {
    const short = '<a class="save-link">Save all changes</a>';
    assert.equal(elementIn(short)?.words, `Save all changes\n${short}`);
    const long = `<div class="save-bar"><svg><path class="stroke" d="${'M1 2 '.repeat(200)}"></path></svg><b>Save all</b></div>`;
    const words = elementIn(long)?.words ?? '';
    assert.ok(
      words.startsWith('Save all\n') && words.includes('save-bar') && !words.includes('M1'),
    );
    assert.ok(words.length < 300);
  });

  it('may be a selector or an XPath of the tools of a browser', () => {
    assert.deepEqual(
      marksIn('#settings > div.panel-body > ul > li:nth-child(3) > button.save-button.btn'),
      ['btn', 'save-button', 'panel-body', 'id=settings'],
    );
    assert.deepEqual(marksIn('document.querySelector("#save-form > input.wide-field")'), [
      'wide-field',
      'id=save-form',
    ]);
    assert.deepEqual(marksIn('//*[@id="save-form"]/div[2]/button'), ['id=save-form']);
  });

  it('is not code, and not a comparison, a type or a tag without anything of its own', () => {
    for (const query of [
      '<Button className={styles.wide} onClick={() => save()}>',
      '<div class="{{ name }}">',
      '<div class="<%= name %>">',
      'a < b && c > "d"',
      'Map<string, number>',
      '<div></div>',
      '<input type="text" value="3">',
      'a > b',
      'src/a.ts > handler',
      'why is the button > label wide?',
      `<p class="x">${'long '.repeat(5000)}</p>`,
      `The report has no host name. ${'It should. '.repeat(30)} <p class="host"></p>`,
      `<p class="host"></p> is wrong. ${'It should have a name. '.repeat(30)}`,
    ])
      assert.equal(elementIn(query), undefined, query.slice(0, 60));
  });
});
