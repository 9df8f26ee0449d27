import type * as vscode from 'vscode';
import { rememberedKey } from './commands/rememberedKey';
import { hasApiKey } from './ids';
import { hasApiKeyKey } from './storageKeys';

/**
 * Keeps the context key that hides what needs an API key for the service address. Reading the key may wait
 * for the keyring of the system, so a window starts with what was known last.
 * @returns to be called whenever it is known whether a key is stored for that address
 */
export const trackApiKey = (
  context: Pick<vscode.ExtensionContext, 'globalState'>,
): ((isStored: boolean) => void) => rememberedKey(context, hasApiKey, hasApiKeyKey);
