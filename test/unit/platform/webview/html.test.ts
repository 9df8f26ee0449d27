import assert from 'node:assert/strict';
import { html } from '../../../../src/platform/webview/html';

describe('HTML made of values', () => {
  it('holds its parts and values in order', () => {
    assert.equal(html`<p>${'a'} and ${2}</p>`.text, '<p>a and 2</p>');
    assert.equal(html`<br>`.text, '<br>');
    assert.equal(html`${0}`.text, '0');
  });

  it('holds no tag, attribute or entity of a value', () => {
    const given = `<img src="x" onerror='a()'>&amp;`;
    assert.equal(
      html`<td title="${given}">${given}</td>`.text,
      '<td title="&#60;img src=&#34;x&#34; onerror=&#39;a()&#39;&#62;&#38;amp;">&#60;img src=&#34;x&#34; onerror=&#39;a()&#39;&#62;&#38;amp;</td>',
    );
  });

  it('takes HTML as it is, one or several', () => {
    const rows = ['a', '<b>'].map(name => html`<li>${name}</li>`);
    assert.equal(html`<ul>${rows}</ul>`.text, '<ul><li>a</li><li>&#60;b&#62;</li></ul>');
    assert.equal(html`<div>${html`<b>${'&'}</b>`}</div>`.text, '<div><b>&#38;</b></div>');
    assert.equal(html`<ul>${[]}</ul>`.text, '<ul></ul>');
  });
});
