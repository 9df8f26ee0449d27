import * as z from 'zod';
import { ServiceError } from './errors';
import { isRecord } from './guards';
import { type Reply, readJson } from './reply';

/**
 * Reads a JSON answer by a schema that holds only what is used. Fields that the schema does not know
 * are noted in the log once, by name, and never fail the call.
 *
 * @param what the name of the answer, for the log and the error: "reflex prediction"
 * @throws {ServiceError} `protocol` when a field that must be there is missing or of another type.
 */
export async function readObject<S extends z.ZodObject>(
  reply: Reply,
  schema: S,
  what: string,
): Promise<z.infer<S>> {
  return parseObject(reply, schema, what, await readJson(reply));
}

/** {@link readObject} for a part of an answer that is there already. */
export function parseObject<S extends z.ZodObject>(
  reply: Reply,
  schema: S,
  what: string,
  value: unknown,
): z.infer<S> {
  const parsed = schema.safeParse(value);
  // No cause: the issues of the schema may quote the answer.
  if (!parsed.success) throw notThe(what, reply);
  if (isRecord(value))
    for (const name of Object.keys(value))
      if (!Object.hasOwn(schema.shape, name)) reply.note(`${what} has a new field "${name}"`);
  return parsed.data;
}

/** A list, item by item: one that cannot be read leaves the others as they are. */
export interface ReadList<T> {
  readonly items: T[];
  /** How many items could not be read. */
  readonly unreadable: number;
}

export function readItems<S extends z.ZodObject>(
  reply: Reply,
  schema: S,
  what: string,
  values: readonly unknown[],
): ReadList<z.infer<S>> {
  const items: z.infer<S>[] = [];
  let unreadable = 0;
  for (const value of values) {
    try {
      items.push(parseObject(reply, schema, what, value));
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      unreadable++;
      reply.note(`${what} in a list could not be read`);
    }
  }
  return { items, unreadable };
}

/** For an answer of another shape; says which shape was expected, never what came. */
export function notThe(what: string, reply: Reply): ServiceError {
  return new ServiceError('protocol', `not a ${what}`, {
    status: reply.response.status,
    requestId: reply.requestId,
  });
}

/** Notes a value that is not among those of the document, and hands it on as it is. */
export function openEnum(
  reply: Reply,
  what: string,
  known: readonly string[],
  value: string,
): string {
  if (!known.includes(value)) reply.note(`${what} has a new value "${value}"`);
  return value;
}

/** May be missing, null or of another type: all of them read as `undefined`. */
export function lenient<S extends z.ZodType>(schema: S) {
  return schema
    .nullish()
    .catch(undefined)
    .transform(value => value ?? undefined);
}

/** A date-time of ISO 8601 as ms since the epoch, as lenient as {@link lenient}. */
export const isoDate = lenient(
  z
    .string()
    // Date.parse alone accepts "soon 1".
    .regex(/^\d{4}-\d\d-\d\d[T ]/)
    .transform(text => Date.parse(text))
    .pipe(z.number()),
);

/** Unix seconds as ms since the epoch, as lenient as {@link lenient}. */
export const unixSeconds = lenient(
  z
    .number()
    .min(0)
    // What a Date can hold.
    .max(8.64e12)
    .transform(seconds => seconds * 1000),
);
