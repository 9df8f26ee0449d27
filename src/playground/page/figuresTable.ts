import { type Html, html } from '../../platform/webview/html';

/** A table of figures, with a column of names in front. It scrolls by itself where the page is narrow. */
export function figuresTable(
  caption: string,
  [first = '', ...titles]: readonly string[],
  rows: readonly Html[],
): Html {
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0">
    <table class="cards">
      <caption>${caption}</caption>
      <thead>
        <tr>
          <th scope="col">${first}</th>
          ${titles.map(title => html`<th scope="col" class="number">${title}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}
