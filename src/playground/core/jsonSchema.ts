import { type SchemaDraft, Validator } from '@cfworker/json-schema';
import { isRecord, parseJson, textOf } from '../../base/typeGuards';

/** A JSON schema that can be checked. */
export interface CheckableSchema {
  /** Why a text is not a JSON value that matches, in English; undefined if it is. */
  problemOf(text: string): string | undefined;
}

/** By `$schema`; 2020-12 without it, as in structured outputs elsewhere. */
const drafts: readonly (readonly [uri: RegExp, draft: SchemaDraft])[] = [
  [/draft-04/, '4'],
  [/draft-0[67]/, '7'],
  [/2019-09/, '2019-09'],
];

/**
 * Reads a JSON schema with `@cfworker/json-schema`, which knows the drafts 4 to 2020-12. (zod, which is part
 * of the extension anyway, accepts values that do not match: it ignores `required` without `properties`.)
 *
 * @throws {Error} for what cannot be checked, such as a reference to another file; its message names it.
 */
export function readSchema(schema: Readonly<Record<string, unknown>>): CheckableSchema {
  checkSchema(schema, schema);
  const uri = textOf(schema['$schema']) ?? '';
  const [, draft] = drafts.find(([pattern]) => pattern.test(uri)) ?? [
    undefined,
    '2020-12' as const,
  ];
  // A copy, because the library writes addresses into the schema.
  const validator = new Validator(structuredClone(schema), draft);
  return {
    problemOf(text) {
      const value = parseJson(text);
      if (value === undefined) return 'not JSON';
      const { valid, errors } = validator.validate(value);
      if (valid) return undefined;
      // The last one is the most specific.
      const { instanceLocation = '', error = '' } = errors.at(-1) ?? {};
      const where = instanceLocation.replace(/^#\/?/, '').replaceAll('/', '.');
      return where === '' ? error : `${where}: ${error}`;
    },
  };
}

/** The library looks references and patterns up only when a value needs them. */
function checkSchema(part: unknown, root: unknown): void {
  if (Array.isArray(part)) for (const item of part) checkSchema(item, root);
  if (!isRecord(part)) return;
  const { $ref, pattern } = part;
  if (typeof $ref === 'string' && !isKnown($ref, root)) throw new Error(`$ref ${$ref}`);
  if (typeof pattern === 'string') new Validator({ pattern }).validate('');
  for (const [name, inner] of Object.entries(part)) {
    // Values, not schemas.
    if (!['const', 'enum', 'default', 'examples'].includes(name)) checkSchema(inner, root);
  }
}

/** Whether a reference leads to a part of the same schema, by a JSON pointer (RFC 6901). */
function isKnown(reference: string, root: unknown): boolean {
  if (reference === '#') return true;
  if (!reference.startsWith('#/')) return false;
  let at = root;
  for (const name of decodeURIComponent(reference.slice(2)).split('/')) {
    const key = name.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(at)) at = at[Number(key)];
    else at = isRecord(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }
  return at !== undefined;
}
