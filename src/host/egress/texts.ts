import { isRecord } from '../../service/guards';

/** Not texts of the user: ids, names of models, and what must come back to the service as it was. */
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

/** Parts of a request in the form that a tool gives them: in there no name means what it means elsewhere. */
const freeKeys = new Set(['arguments', 'parameters', 'input', 'schema']);

/**
 * A request with each of its texts replaced. JSON that stands in a text, as the arguments of a tool do, is
 * read as JSON: a key in it is escaped, and would be seen by no pattern.
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

/** Each text in it, and the names of its parts as well. */
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

/** The bytes of a picture are no text, and may look like anything. */
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
