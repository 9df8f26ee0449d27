import type { Page } from 'playwright-core';

export interface Contrasts {
  text: number;
  sign: number;
}
/** What cannot be read below the elements that match, one sentence each. */
export function unreadable(
  page: Page,
  /** Of the page as it is, a PNG. */
  picture: Buffer,
  selector: string,
  /** The contrasts that are enough; 4.5 and 3 where they are left out. */
  least?: Contrasts,
): Promise<string[]>;
