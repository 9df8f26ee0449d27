import type * as vscode from 'vscode';
import { ContextKey } from './contextKey';

/**
 * A context key that a new window begins with as it was known last, because finding out takes I/O.
 * @param storageKey of the global state
 * @returns to be called whenever the value is known
 */
export function rememberedKey(
  { globalState }: Pick<vscode.ExtensionContext, 'globalState'>,
  name: string,
  storageKey: string,
): (value: boolean) => void {
  const key = new ContextKey<boolean>(name);
  if (globalState.get(storageKey) === true) key.set(true);
  return value => {
    key.set(value);
    if ((globalState.get(storageKey) === true) !== value)
      void globalState.update(storageKey, value);
  };
}
