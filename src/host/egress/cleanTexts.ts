import { createHash } from 'node:crypto';

/** Shorter ones are looked through as fast as they are found again. */
const shortest = 500;
/** Texts that are remembered; the ones that were met longest ago go first. */
const most = 5000;

/**
 * Texts that were looked through and hold no key. A conversation is sent anew with each turn, as new
 * strings of the same characters; only what is new in it is looked through. Digests are kept, no content.
 */
export class CleanTexts {
  readonly #digests = new Set<string>();

  /** @param hasSecret looks through the text */
  isClean(text: string, hasSecret: (text: string) => boolean): boolean {
    if (text.length < shortest) return !hasSecret(text);
    const digest = createHash('sha256').update(text, 'utf16le').digest('base64');
    const isKnown = this.#digests.delete(digest);
    if (!isKnown && hasSecret(text)) return false;
    this.#digests.add(digest);
    for (const oldest of this.#digests) {
      if (this.#digests.size <= most) break;
      this.#digests.delete(oldest);
    }
    return true;
  }
}
