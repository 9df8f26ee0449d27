import { isRecord } from '../../base/typeGuards';

/** Not texts of the user: ids, names of models, and what must be sent back unchanged. */
const keptKeys = new Set([
  'model',
  'models',
  'id',
  'toolCallId',
  'toolUseId',
  'signature',
  'idempotencyKey',
  'endpoint',
  'serviceTier',
]);

/** Parts of a request whose form a tool defines, so that the names in them have no special meaning. */
const freeKeys = new Set(['arguments', 'parameters', 'input', 'schema']);

/**
 * Replaces each text of a request. JSON within a text, such as the arguments of a tool, is parsed: a key in
 * it may be escaped, so that no pattern would find it.
 */
export function mapTexts<T>(value: T, replace: (text: string) => string): T;
export function mapTexts(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === 'string') return replace(value);
  if (Array.isArray(value)) return value.map(item => mapTexts<unknown>(item, replace));
  if (!isPlain(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, own]) => [key, mapEntry(value, key, own, replace)]),
  );
}

function mapEntry(
  value: Record<string, unknown>,
  key: string,
  own: unknown,
  replace: (text: string) => string,
): unknown {
  if (keptKeys.has(key) || isImage(value, key)) return own;
  if (key === 'arguments' && typeof own === 'string') return mapJson(own, replace);
  return freeKeys.has(key) ? mapFree(own, replace) : mapTexts(own, replace);
}

/** Replaces all texts, including the names of properties. */
function mapFree(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === 'string') return replace(value);
  if (Array.isArray(value)) return value.map(item => mapFree(item, replace));
  if (!isPlain(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, own]) => [replace(key), mapFree(own, replace)]),
  );
}

function mapJson(text: string, replace: (text: string) => string): string {
  let isChanged = false;
  const noting = (part: string): string => {
    const replaced = replace(part);
    isChanged ||= replaced !== part;
    return replaced;
  };
  try {
    const mapped = mapFree(JSON.parse(text), noting);
    return isChanged ? JSON.stringify(mapped) : text;
  } catch {
    return replace(text);
  }
}

/** The bytes of an image are not text, and could match any pattern. */
function isImage(part: Record<string, unknown>, key: string): boolean {
  return part['type'] === 'image'
    ? key === 'url' || key === 'source'
    : key === 'url' && isDataUrl(part[key]);
}

const isDataUrl = (value: unknown): boolean =>
  typeof value === 'string' && value.startsWith('data:image/');

function isPlain(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && !(value instanceof URL) && !ArrayBuffer.isView(value);
}
