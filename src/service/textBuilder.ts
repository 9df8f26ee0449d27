/** Pieces that are held apart before they are joined. */
const mostPieces = 1024;

/**
 * Text from many small pieces, in little more memory than the text itself: a string made with `+=`
 * keeps some 60 bytes for each piece until someone reads it.
 */
export class TextBuilder {
  #joined = '';
  #pieces: string[] = [];

  get text(): string {
    if (this.#pieces.length > 0) this.#join();
    return this.#joined;
  }

  add(piece: string): void {
    if (this.#pieces.push(piece) >= mostPieces) this.#join();
  }

  #join(): void {
    this.#joined += this.#pieces.join('');
    this.#pieces = [];
  }
}
