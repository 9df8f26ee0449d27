// Whether what a window shows can be read, measured from a picture of it.
import { contrastIn, decodePng } from './picture.mjs';

/** Of WCAG 2.2, 1.4.3 and 1.4.11. */
const wanted = { text: 4.5, sign: 3 };

/** In the page: the texts and signs in sight below the elements, and texts that are cut off. */
function lookAt(selector) {
  const pieces = [];
  const clipped = [];
  const add = (kind, text, element, { x, y, width, height }) => {
    if (width < 2 || height < 2) return;
    // Scrolled out of what it is in, in part or whole.
    for (let outer = element; outer; outer = outer.parentElement) {
      if (getComputedStyle(outer).overflow === 'visible') continue;
      const edge = outer.getBoundingClientRect();
      if (x < edge.left - 1 || x + width > edge.right + 1) return;
      if (y < edge.top - 1 || y + height > edge.bottom + 1) return;
    }
    // Something above it may hide a part, such as a header that stays in sight.
    const isInSight = [1, height / 2, height - 1].every(down => {
      const top = document.elementFromPoint(x + width / 2, y + down);
      return top !== null && (element.contains(top) || top.contains(element));
    });
    if (isInSight) pieces.push({ kind, text, box: { x, y, width, height } });
  };
  for (const root of document.querySelectorAll(selector)) {
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const text = node.data.trim();
      const range = document.createRange();
      range.selectNodeContents(node);
      if (text)
        for (const box of range.getClientRects()) add('text', text, node.parentElement, box);
    }
    for (const sign of root.querySelectorAll('.codicon'))
      if (getComputedStyle(sign, '::before').content !== 'none')
        add('sign', [...sign.classList].join('.'), sign, sign.getBoundingClientRect());
    const { overflowX } = getComputedStyle(root);
    if (overflowX !== 'visible' && root.scrollWidth > root.clientWidth + 1)
      clipped.push(root.innerText);
  }
  return { pieces, clipped };
}

/**
 * What cannot be read below the elements that match, one sentence each. `picture` is one of the page as it
 * is, `least` the contrasts that are enough.
 */
export async function unreadable(page, picture, selector, least = wanted) {
  const { pieces, clipped } = await page.evaluate(lookAt, selector);
  const faults = clipped.map(text => `"${text}" is cut off`);
  if (pieces.length === 0) faults.push(`nothing of ${selector} is in sight`);
  const decoded = decodePng(picture);
  for (const { kind, text, box } of pieces) {
    const ratio = contrastIn(decoded, box);
    if (ratio < least[kind])
      faults.push(`the ${kind} "${text}" has a contrast of ${ratio.toFixed(2)}:1`);
  }
  return faults;
}
