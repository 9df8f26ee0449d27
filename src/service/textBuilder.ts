/** Text from many small pieces, in little more memory than the text itself. */
export class TextBuilder {
  #flat = '';
  /** A chain of pieces, of some 60 bytes each besides their characters. */
  #chain = '';
  #pieces = 0;

  get length(): number {
    return this.#flat.length + this.#chain.length;
  }

  get text(): string {
    return this.#flat + this.#chain;
  }

  add(piece: string): void {
    this.#chain += piece;
    if (++this.#pieces < 2048) return;
    // V8 lays a chain out as one string when a character of it is asked for.
    this.#chain.charCodeAt(0);
    this.#flat += this.#chain;
    this.#chain = '';
    this.#pieces = 0;
  }
}
