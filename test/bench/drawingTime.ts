import type { Page } from 'playwright-core';

/** In the page. */
declare const document: {
  querySelector(selector: string): unknown;
  querySelectorAll(selector: string): ArrayLike<unknown>;
  addEventListener(type: string, listener: () => void, options: object): void;
};
declare function requestAnimationFrame(callback: (time: number) => void): void;

/** Milliseconds from the key to the frame after which the page shows the text, and the text with its colours. */
export interface Drawing {
  readonly text: number;
  readonly all: number;
}

/** What the page has once the colours of a review are drawn. */
export const reviewColors = '.editor-group-container.active .view-overlays .cdr[class*="ced-"]';

/** Then something is wrong. */
const maxDrawingMs = 60_000;

/**
 * Presses a key, or the keys of a chord, and waits for the editor that this opens.
 *
 * @param drawn what the page has once text and colours are there.
 */
export async function timeOfDrawing(page: Page, keys: string, drawn: string): Promise<Drawing> {
  // It listens before the key is pressed.
  const measuring = await page.evaluateHandle(selector => {
    const done = new Promise<Drawing>(resolve => {
      const begin = () => {
        const start = performance.now();
        let text: number | undefined;
        const look = () => {
          const hasText =
            document.querySelectorAll('.editor-group-container.active .view-line').length > 10;
          if (hasText) text ??= performance.now() - start;
          const isDrawn = hasText && document.querySelector(selector) !== null;
          requestAnimationFrame(
            isDrawn ? end => resolve({ text: text ?? 0, all: end - start }) : look,
          );
        };
        look();
      };
      document.addEventListener('keydown', begin, { capture: true, once: true });
    });
    return { done };
  }, drawn);
  for (const key of keys.split(' ')) await page.keyboard.press(key);
  const late = page.waitForTimeout(maxDrawingMs).then(() => undefined);
  const drawing = await Promise.race([measuring.evaluate(async ({ done }) => done), late]);
  if (drawing === undefined) throw new Error(`${keys} draws nothing`);
  return drawing;
}
