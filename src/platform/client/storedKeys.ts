import { isRecord } from '../../base/typeGuards';
import type { StoredKey } from './apiKeys';

/** @param text a list, or the only key, as earlier versions stored it. */
export function keysIn(text: string): StoredKey[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Not written by this extension: treated as no key.
  }
  return [value].flat().flatMap(item => {
    if (!isRecord(item)) return [];
    const { origin, key, url = origin } = item;
    return typeof origin === 'string' && typeof key === 'string' && typeof url === 'string'
      ? [{ origin, key, url }]
      : [];
  });
}
