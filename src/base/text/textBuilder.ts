/** Pieces that are collected before they are joined. */
const maxPieces = 1024;

/**
 * Builds a text from many small pieces with little more memory than the text itself: a string built with
 * `+=` keeps about 60 bytes for each piece until it is read.
 */
export class TextBuilder {
  #joined = '';
  #pieces: string[] = [];

  get text(): string {
    if (this.#pieces.length > 0) this.#join();
    return this.#joined;
  }

  add(piece: string): void {
    if (this.#pieces.push(piece) >= maxPieces) this.#join();
  }

  #join(): void {
    this.#joined += this.#pieces.join('');
    this.#pieces = [];
  }
}
