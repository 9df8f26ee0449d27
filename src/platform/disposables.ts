import type { Disposable } from 'vscode';

/** Owns disposables; what is added after disposal is disposed at once. */
export class DisposableStore implements Disposable {
  readonly #items = new Set<Disposable>();
  #disposed = false;

  add<T extends Disposable>(item: T): T {
    if (this.#disposed) item.dispose();
    else this.#items.add(item);
    return item;
  }

  dispose(): void {
    this.#disposed = true;
    for (const item of this.#items) item.dispose();
    this.#items.clear();
  }
}
