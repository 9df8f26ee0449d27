import * as vscode from 'vscode';

/** A context key; sets it only when the value changes. */
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
