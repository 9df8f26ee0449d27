import { isRecord } from '../../base/typeGuards';
import type { Tool } from '../../service';
import type { OfferedTool } from './conversation';
import { JsonCopy, wellFormed } from './json';

/** Maximum number of values in a schema; a larger one would fill the prompt. */
const maxSchemaValues = 4000;
const maxSchemaDepth = 40;
/** Maximum length of a schema's JSON. */
const maxSchemaChars = 100_000;

/** Limit of services with these wire formats, per request. */
export const maxTools = 128;

type Schema = Record<string, unknown>;

/** Keywords whose value is a schema, a list of schemas, or a map of schemas. */
const single = new Set([
  'items',
  'additionalProperties',
  'contains',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
  'additionalItems',
  'unevaluatedItems',
  'unevaluatedProperties',
]);
const lists = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const named = new Set(['properties', 'patternProperties', 'dependentSchemas']);
/** Keywords without meaning once the references are resolved. */
const dropped = new Set(['$defs', 'definitions', '$schema', '$id', '$anchor', '$comment']);

/**
 * The tool with a schema that every service accepts: plain JSON of bounded size, an object at the top,
 * without references. The simplified schema accepts at least what the original accepts, and shares no
 * objects with it.
 *
 * @returns `undefined` if no object can match the schema, or if the schema cannot be read or is too large.
 */
export function toolFor({ name, description, schema }: OfferedTool): Tool | undefined {
  const parameters = parametersOf(schema);
  if (!parameters) return undefined;
  const words = typeof description === 'string' ? wellFormed(description) : '';
  return { name, ...(words === '' ? {} : { description: words }), parameters };
}

/**
 * The tools that can be sent, with VS Code's names: without duplicates and unusable ones, at most
 * {@link maxTools}.
 */
export function usableTools(offered: readonly OfferedTool[], notes: ConversionNotes): Tool[] {
  const tools = new Map<string, Tool>();
  for (const one of offered) {
    if (tools.has(one.name)) {
      notes.add('a tool left out: another one has the same name');
      continue;
    }
    const tool = toolFor(one);
    if (!tool) notes.add('a tool left out: its schema cannot be used');
    else if (tools.size >= maxTools) {
      notes.add(`a tool left out: more than ${maxTools} are offered`);
    } else {
      tools.set(one.name, tool);
    }
  }
  return [...tools.values()];
}

/** Lines for the log; repeated lines are counted. */
export class ConversionNotes {
  readonly #counts = new Map<string, number>();

  add(line: string): void {
    this.#counts.set(line, (this.#counts.get(line) ?? 0) + 1);
  }

  get lines(): string[] {
    return [...this.#counts].map(([line, count]) =>
      count === 1 ? line : `${line} (${count} times)`,
    );
  }
}

function parametersOf(schema: unknown): Schema | undefined {
  if (schema === undefined || schema === null || schema === true) return emptyObject();
  if (!isRecord(schema)) return undefined;
  try {
    const copy = new JsonCopy({ values: maxSchemaValues, depth: maxSchemaDepth }).of(schema);
    if (!isRecord(copy)) return undefined;
    const top = new Flattening(copy).top();
    return top && JSON.stringify(top).length <= maxSchemaChars ? top : undefined;
  } catch {
    // A getter of the schema throws, or it has too many values.
    return undefined;
  }
}

const emptyObject = (): Schema => ({ type: 'object', properties: {} });

class Flattening {
  readonly #root: Schema;
  /** Inlining copies a definition per use, so a small schema can become large. */
  #left = maxSchemaValues;

  constructor(root: Schema) {
    this.#root = root;
  }

  /** `undefined` if the schema does not describe an object. */
  top(): Schema | undefined {
    const merged = asObject(this.#schema(this.#root, [], 0));
    if (!merged) return undefined;
    const { required, ...others } = merged;
    const known = isRecord(merged['properties']) ? merged['properties'] : {};
    const names = texts(required).filter(name => Object.hasOwn(known, name));
    return { ...others, ...(names.length > 0 ? { required: names } : {}) };
  }

  /** @param open the references that led here, to detect cycles. */
  #schema(schema: unknown, open: readonly string[], depth: number): Schema {
    if (!isRecord(schema) || depth > maxSchemaDepth) return {};
    if (--this.#left < 0) throw new RangeError('schema too large');
    const reference = schema['$ref'];
    const result: Schema = {};
    if (typeof reference === 'string' && !open.includes(reference)) {
      const target = this.#resolve(reference);
      Object.assign(result, this.#schema(target, [...open, reference], depth + 1));
    }
    for (const [key, value] of Object.entries(schema)) {
      if (key === '$ref' || key === '$dynamicRef' || dropped.has(key)) continue;
      const inner = this.#keyword(key, value, open, depth + 1);
      if (inner !== undefined) result[key] = inner;
    }
    return result;
  }

  #keyword(key: string, value: unknown, open: readonly string[], depth: number): unknown {
    const next = (item: unknown): unknown =>
      typeof item === 'boolean' ? item : this.#schema(item, open, depth);
    if (lists.has(key) || (key === 'items' && Array.isArray(value))) {
      return Array.isArray(value) && value.length > 0 ? value.map(next) : undefined;
    }
    if (single.has(key)) {
      return isRecord(value) || typeof value === 'boolean' ? next(value) : undefined;
    }
    if (named.has(key)) {
      if (!isRecord(value)) return undefined;
      // A property with the schema `false` must be absent, so it is dropped.
      const entries = Object.entries(value).filter(([, item]) => item !== false);
      return Object.fromEntries(entries.map(([name, item]) => [name, this.#named(item, next)]));
    }
    if (key === 'required') return texts(value);
    return value;
  }

  #named(item: unknown, next: (item: unknown) => unknown): unknown {
    return isRecord(item) ? next(item) : {};
  }

  /** Resolves a JSON pointer within the schema; other references are ignored. */
  #resolve(reference: string): unknown {
    if (!reference.startsWith('#/')) return undefined;
    let value: unknown = this.#root;
    for (const part of reference.slice(2).split('/')) {
      const key = decodedPointer(part).replaceAll('~1', '/').replaceAll('~0', '~');
      if (Array.isArray(value)) value = value[Number(key)];
      else value = isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
    }
    return value;
  }
}

/** Merges the alternatives at the top into one object schema that accepts whatever any of them accepts. */
function asObject(schema: Schema): Schema | undefined {
  const { anyOf, oneOf, allOf, type, properties, required, ...others } = schema;
  const types: unknown[] = [type ?? 'object'].flat();
  if (!types.includes('object')) return undefined;
  for (const key of ['not', 'if', 'then', 'else', 'enum', 'const']) delete others[key];
  const known: Schema = isRecord(properties) ? { ...properties } : {};
  const needed = new Set(texts(required));
  for (const part of recordsOf(allOf)) {
    const merged = asObject(part);
    if (!merged) return undefined;
    addProperties(known, merged);
    for (const name of texts(merged['required'])) needed.add(name);
  }
  for (const choice of [recordsOf(anyOf), recordsOf(oneOf)]) {
    const objects = choice.map(asObject).filter(object => object !== undefined);
    if (choice.length > 0 && objects.length === 0) return undefined;
    for (const object of objects) addProperties(known, object);
    const [first, ...rest] = objects.map(object => new Set(texts(object['required'])));
    for (const name of first ?? []) if (rest.every(names => names.has(name))) needed.add(name);
  }
  return { type: 'object', ...others, properties: known, required: [...needed] };
}

function addProperties(known: Schema, { properties }: Schema): void {
  if (!isRecord(properties)) return;
  for (const [name, schema] of Object.entries(properties)) {
    const before = known[name];
    if (!Object.hasOwn(known, name)) known[name] = schema;
    else if (JSON.stringify(before) !== JSON.stringify(schema)) {
      const isChoice = isRecord(before) && Object.keys(before).join() === 'anyOf';
      const choices = isChoice ? recordsOf(before['anyOf']) : [];
      known[name] = { anyOf: [...(isChoice ? choices : [before]), schema] };
    }
  }
}

function recordsOf(value: unknown): Schema[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter(item => typeof item === 'string') : [];
}

function decodedPointer(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
