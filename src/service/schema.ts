import * as z from 'zod';
import { isRecord } from '../base/typeGuards';
import { ServiceError } from './errors';
import { type ResponseContext, readJsonObject } from './http/responseContext';

/**
 * Reads a JSON answer by a schema that contains only what is used. Unknown fields are logged once, by
 * name, and never fail the call.
 *
 * @param what the name of the answer, for the log and the error: "reflex prediction"
 * @throws {ServiceError} `protocol` when a required field is missing or has another type.
 */
export async function readObject<S extends z.ZodObject>(
  context: ResponseContext,
  schema: S,
  what: string,
): Promise<z.infer<S>> {
  return parseObject(context, schema, what, await readJsonObject(context));
}

/** {@link readObject} for a part of an answer that has been read. */
export function parseObject<S extends z.ZodObject>(
  context: ResponseContext,
  schema: S,
  what: string,
  value: unknown,
): z.infer<S> {
  const parsed = schema.safeParse(value);
  // No cause: the issues of the schema may quote the answer.
  if (!parsed.success) throw unexpectedShape(what, context);
  if (isRecord(value)) {
    for (const name of Object.keys(value)) {
      if (!Object.hasOwn(schema.shape, name)) context.warn(`${what} has a new field "${name}"`);
    }
  }
  return parsed.data;
}

/** A list read item by item: an unreadable item does not affect the others. */
export interface ReadList<T> {
  readonly items: T[];
  /** How many items could not be read. */
  readonly unreadable: number;
}

export function readItems<S extends z.ZodObject>(
  context: ResponseContext,
  schema: S,
  what: string,
  values: readonly unknown[],
): ReadList<z.infer<S>> {
  const items: z.infer<S>[] = [];
  let unreadable = 0;
  for (const value of values) {
    try {
      items.push(parseObject(context, schema, what, value));
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      unreadable++;
      context.warn(`${what} in a list could not be read`);
    }
  }
  return { items, unreadable };
}

/** The error for an answer of another shape; names the expected shape, never the content. */
export function unexpectedShape(what: string, context: ResponseContext): ServiceError {
  return new ServiceError('protocol', `not a ${what}`, {
    status: context.response.status,
    requestId: context.requestId,
  });
}

/** Logs a value that the service document does not list; returns it unchanged. */
export function warnIfUnknown(
  context: ResponseContext,
  what: string,
  known: readonly string[],
  value: string,
): string {
  if (!known.includes(value)) context.warn(`${what} has a new value "${value}"`);
  return value;
}

/** Reads a missing value, null and a value of another type as `undefined`. */
export function lenient<S extends z.ZodType>(schema: S) {
  return schema
    .nullish()
    .catch(undefined)
    .transform(value => value ?? undefined);
}

/** An ISO 8601 date-time as ms since the epoch, {@link lenient}. */
export const isoDate = lenient(
  z
    .string()
    // Date.parse alone accepts "soon 1".
    .regex(/^\d{4}-\d\d-\d\d[T ]/)
    .transform(text => Date.parse(text))
    .pipe(z.number()),
);

/** Unix seconds as ms since the epoch, {@link lenient}. */
export const unixSeconds = lenient(
  z
    .number()
    .min(0)
    // The range of Date.
    .max(8.64e12)
    .transform(seconds => seconds * 1000),
);
