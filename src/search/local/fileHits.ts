import type { CountedFiles } from './candidates';
import { FileTable } from './fileTable';

/** The files of a folder and their hits per term, which become known one by one and in any order. */
export class FileHits implements CountedFiles {
  readonly files = new FileTable();
  readonly #terms: number;
  readonly #numbers = new Map<string, number>();
  /** By file: whether it is searched. */
  readonly #isSearched: boolean[] = [];
  #counts: Float32Array;
  #length = 0;

  constructor(terms: number) {
    this.#terms = terms;
    this.#counts = new Float32Array(terms);
  }

  /** Number of files that are searched. */
  get length(): number {
    return this.#length;
  }

  get counts(): Float32Array {
    return this.#counts;
  }

  readonly isLeftOut = (file: number): boolean => this.#isSearched[file] !== true;

  /** Adds a file that is searched. */
  add(path: string): void {
    const file = this.numberOf(path);
    if (this.#isSearched[file] === true) return;
    this.#isSearched[file] = true;
    this.#length++;
  }

  /** The number of a file, which need not be known to be searched. */
  numberOf(path: string): number {
    let file = this.#numbers.get(path);
    if (file === undefined) {
      file = this.files.add(path);
      this.#numbers.set(path, file);
      this.#isSearched.push(false);
    }
    return file;
  }

  has(path: string): boolean {
    const file = this.#numbers.get(path);
    return file !== undefined && this.#isSearched[file] === true;
  }

  /** Adds hits of a file. */
  count(file: number, term: number, hits: number): void {
    this.#reserve(file);
    this.#counts[file * this.#terms + term]! += hits;
  }

  /** @param counts per term; undefined for a file without hits */
  set(file: number, counts: Float32Array | undefined): void {
    const from = file * this.#terms;
    this.#reserve(file);
    this.#counts.fill(0, from, from + this.#terms).set(counts ?? [], from);
  }

  #reserve(file: number): void {
    if ((file + 1) * this.#terms <= this.#counts.length) return;
    const counts = new Float32Array(2 * (file + 1) * this.#terms);
    counts.set(this.#counts);
    this.#counts = counts;
  }
}
