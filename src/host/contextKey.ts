import * as vscode from 'vscode';

/** One context key with one owner; sends only changes. */
export class ContextKey<T extends boolean | number | string> {
  readonly #name: string;
  #value: T | undefined;

  constructor(name: string) {
    this.#name = name;
  }

  set(value: T): void {
    if (value === this.#value) return;
    this.#value = value;
    void vscode.commands.executeCommand('setContext', this.#name, value);
  }
}
