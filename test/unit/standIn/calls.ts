import assert from 'node:assert/strict';
import type { StandIn } from '../../service/standIn';
import { apiKey } from '../service/helpers';

export type Json = Readonly<Record<string, unknown>>;

export interface Got {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: Json;
}

export interface Sent {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Instead of the right one; `null` for none. */
  readonly authorization?: string | null;
}

/** One real request to the stand-in; with its key when nothing else is said. */
export async function sendTo(service: StandIn, path: string, sent: Sent = {}): Promise<Got> {
  const { body, headers, authorization = `Bearer ${apiKey}` } = sent;
  const response = await fetch(`${service.url}${path}`, {
    method: sent.method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { ...headers, ...(authorization === null ? {} : { authorization }) },
    body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type') === 'application/json' && text !== '';
  const parsed: unknown = isJson ? JSON.parse(text) : {};
  return { status: response.status, headers: response.headers, text, json: record(parsed) };
}

export function assertEnvelope(json: Json, code: string, text = /./): void {
  const error = record(json['error']);
  assert.deepEqual(Object.keys(json), ['error']);
  assert.equal(error['code'], code);
  assert.match(String(error['message']), text);
}

export function record(value: unknown): Json {
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value))
    : {};
}

export function list(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(record) : [];
}

export const messageOf = (completion: Json): Json =>
  record(list(completion['choices'])[0]?.['message']);

export const deltaOf = (chunk: Json | undefined): Json =>
  record(list(chunk?.['choices'])[0]?.['delta']);

/** The field when it is a text, else nothing. */
export function textIn(value: Json, field: string): string {
  const text = value[field];
  return typeof text === 'string' ? text : '';
}

export function eventsOf(text: string): Json[] {
  return [...text.matchAll(/^data: (\{.*)$/gm)].map(match => record(JSON.parse(match[1] ?? '')));
}
