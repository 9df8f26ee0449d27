import type * as vscode from 'vscode';
import { ContextKey } from './commands/contextKey';
import { hasApiKey } from './ids';
import { hasApiKeyKey } from './storageKeys';

/**
 * Keeps the context key that hides commands of the palette which need an API key. Reading the key may wait
 * for the keyring of the system, so a window starts with what was known last.
 * @returns to be called whenever it is known whether a key is stored
 */
export function trackApiKey({
  globalState,
}: Pick<vscode.ExtensionContext, 'globalState'>): (isStored: boolean) => void {
  const key = new ContextKey<boolean>(hasApiKey);
  const known = globalState.get(hasApiKeyKey) === true;
  if (known) key.set(true);
  return isStored => {
    key.set(isStored);
    if ((globalState.get(hasApiKeyKey) === true) !== isStored)
      void globalState.update(hasApiKeyKey, isStored);
  };
}
