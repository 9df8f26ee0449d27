import { isRecord } from '../service/guards';
import type { Tool } from '../service/wire/answer';
import type { OfferedTool } from './conversation';
import { JsonCopy, wellFormed } from './json';

/** Values in one schema; a larger one would fill the prompt by itself. */
const mostValues = 4000;
const mostDepth = 40;
/** Characters of a schema's JSON. */
const mostLetters = 100_000;

/** Services with these wire formats take no more in one request. */
export const mostTools = 128;

type Schema = Record<string, unknown>;

/** Keywords whose value is one schema, a list of schemas, or names with a schema each. */
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
/** Say nothing once the references are resolved. */
const dropped = new Set(['$defs', 'definitions', '$schema', '$id', '$anchor', '$comment']);

/**
 * The tool with a schema that every service takes: plain JSON of a bounded size, an object at the top,
 * without references. What a schema loses by this makes it wider, never narrower. Nothing is shared
 * with the schema that came.
 *
 * @returns `undefined` where no arguments that fit the schema could be an object, or the schema cannot be
 *   read or is too large.
 */
export function toolFor({ name, description, schema }: OfferedTool): Tool | undefined {
  const parameters = parametersOf(schema);
  if (!parameters) return undefined;
  const words = typeof description === 'string' ? wellFormed(description) : '';
  return { name, ...(words === '' ? {} : { description: words }), parameters };
}

/**
 * The tools that can be sent, with their own names: each name once, bad ones left out, at most
 * {@link mostTools} of those that remain.
 */
export function usableTools(offered: readonly OfferedTool[], notes: Notes): Tool[] {
  const tools = new Map<string, Tool>();
  for (const one of offered) {
    if (tools.has(one.name)) {
      notes.add('a tool left out: another one has the same name');
      continue;
    }
    const tool = toolFor(one);
    if (!tool) notes.add('a tool left out: its schema cannot be used');
    else if (tools.size >= mostTools)
      notes.add(`a tool left out: more than ${mostTools} are offered`);
    else tools.set(one.name, tool);
  }
  return [...tools.values()];
}

/** Lines for the log; one of a kind with its number, however often it is needed. */
export class Notes {
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
    const copy = new JsonCopy({ values: mostValues, depth: mostDepth }).of(schema);
    if (!isRecord(copy)) return undefined;
    const top = new Flattening(copy).top();
    return top && JSON.stringify(top).length <= mostLetters ? top : undefined;
  } catch {
    // A getter of the schema that throws, or more values than a schema may have.
    return undefined;
  }
}

const emptyObject = (): Schema => ({ type: 'object', properties: {} });

class Flattening {
  readonly #root: Schema;
  /** Inlining makes a copy per use, so a small schema can become a large one. */
  #left = mostValues;

  constructor(root: Schema) {
    this.#root = root;
  }

  /** `undefined` for a schema that is no object's. */
  top(): Schema | undefined {
    const merged = asObject(this.#schema(this.#root, [], 0));
    if (!merged) return undefined;
    const { required, ...others } = merged;
    const known = isRecord(merged['properties']) ? merged['properties'] : {};
    const names = texts(required).filter(name => Object.hasOwn(known, name));
    return { ...others, ...(names.length > 0 ? { required: names } : {}) };
  }

  /** @param open the references that led here; one of them again is a circle. */
  #schema(schema: unknown, open: readonly string[], depth: number): Schema {
    if (!isRecord(schema) || depth > mostDepth) return {};
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
    if (lists.has(key) || (key === 'items' && Array.isArray(value)))
      return Array.isArray(value) && value.length > 0 ? value.map(next) : undefined;
    if (single.has(key))
      return isRecord(value) || typeof value === 'boolean' ? next(value) : undefined;
    if (named.has(key)) {
      if (!isRecord(value)) return undefined;
      // A property that may not be there at all needs no mention.
      const entries = Object.entries(value).filter(([, item]) => item !== false);
      return Object.fromEntries(entries.map(([name, item]) => [name, this.#named(item, next)]));
    }
    if (key === 'required') return texts(value);
    return value;
  }

  #named(item: unknown, next: (item: unknown) => unknown): unknown {
    return isRecord(item) ? next(item) : {};
  }

  /** A JSON pointer within the schema; others lead outside of it. */
  #resolve(reference: string): unknown {
    if (!reference.startsWith('#/')) return undefined;
    let value: unknown = this.#root;
    for (const part of reference.slice(2).split('/')) {
      const key = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
      if (Array.isArray(value)) value = value[Number(key)];
      else value = isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
    }
    return value;
  }
}

/** The alternatives and parts at the top become one object that takes what any of them would take. */
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

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
