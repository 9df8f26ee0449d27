export const maxResultSets = 10;

/** Result sets that stay in the view beside the present search, newest first. */
export class ResultSets<Result> {
  #all: readonly Result[] = [];

  get all(): readonly Result[] {
    return this.#all;
  }

  get isFull(): boolean {
    return this.#all.length >= maxResultSets;
  }

  /**
   * Adds a set, or moves it to the top.
   * @returns false when there are as many as there may be.
   */
  add(set: Result): boolean {
    const others = this.#all.filter(other => other !== set);
    if (others.length >= maxResultSets) return false;
    this.#all = [set, ...others];
    return true;
  }

  remove(set: Result): void {
    this.#all = this.#all.filter(other => other !== set);
  }
}
