import { createHash } from 'node:crypto';

/** Shorter texts are checked as fast as a digest is computed. */
const minDigestedLength = 500;
/** Maximum of remembered texts; the least recently used are dropped. */
const maxDigests = 5000;

/**
 * Remembers texts without secrets. A conversation is sent again with each turn, so that only its new parts
 * need to be checked. Stores digests, no content.
 */
export class CleanTexts {
  readonly #digests = new Set<string>();

  /** @param hasSecret checks the text */
  isClean(text: string, hasSecret: (text: string) => boolean): boolean {
    if (text.length < minDigestedLength) return !hasSecret(text);
    const digest = createHash('sha256').update(text, 'utf16le').digest('base64');
    const isKnown = this.#digests.delete(digest);
    if (!isKnown && hasSecret(text)) return false;
    this.#digests.add(digest);
    for (const oldest of this.#digests) {
      if (this.#digests.size <= maxDigests) break;
      this.#digests.delete(oldest);
    }
    return true;
  }
}
