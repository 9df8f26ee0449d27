import assert from 'node:assert/strict';
import { isRecord } from '../../../src/base/typeGuards';

/**
 * The rules of both wire formats, checked on the JSON that goes out. Written from the formats and on
 * nothing of the conversion.
 */
const name = /^[A-Za-z0-9_-]{1,64}$/;

type Json = Record<string, unknown>;

function record(value: unknown, where: string): Json {
  assert.ok(isRecord(value), `${where} is an object`);
  return value;
}

function list(value: unknown, where: string): unknown[] {
  assert.ok(Array.isArray(value) && value.length > 0, `${where} is a list that is not empty`);
  return value;
}

function filled(value: unknown, where: string): string {
  assert.ok(
    typeof value === 'string' && value.trim() !== '',
    `${where} is a text that is not blank`,
  );
  assert.doesNotMatch(value, /\p{Surrogate}/u, `${where} has whole characters`);
  return value;
}

function wireName(value: unknown, where: string): string {
  assert.ok(typeof value === 'string' && name.test(value), `${where} is a wire name`);
  return value;
}

function schema(value: unknown, where: string): void {
  const top = record(value, where);
  assert.equal(top['type'], 'object', `${where}.type`);
  for (const key of ['anyOf', 'oneOf', 'allOf', 'not', 'enum', '$ref', '$defs', 'definitions'])
    assert.ok(!Object.hasOwn(top, key), `${where} has no ${key}`);
  record(top['properties'], `${where}.properties`);
}

function unique(names: readonly string[], where: string): void {
  assert.equal(new Set(names).size, names.length, `${where}: each name once`);
}

function chatTools(value: unknown, where: string): void {
  const names = list(value, where).map((item, at) => {
    const tool = record(item, `${where}[${at}]`);
    assert.equal(tool['type'], 'function');
    const called = record(tool['function'], `${where}[${at}].function`);
    schema(called['parameters'], `${where}[${at}].parameters`);
    return wireName(called['name'], `${where}[${at}].name`);
  });
  unique(names, where);
  assert.ok(names.length <= 128, `${where}: at most 128`);
}

function chatContent(content: unknown, where: string): void {
  if (typeof content === 'string') return void filled(content, where);
  for (const item of list(content, where)) {
    const part = record(item, where);
    if (part['type'] === 'text') filled(part['text'], where);
    else {
      assert.equal(part['type'], 'image_url', where);
      const { url } = record(part['image_url'], where) as { url?: unknown };
      assert.match(String(url), /^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+=*$/, where);
    }
  }
}

/** Body of a chat completion request. */
export function checkChatBody(text: string): void {
  const body = record(JSON.parse(text), 'body');
  if ('tools' in body) chatTools(body['tools'], 'tools');
  if (body['tool_choice'] !== undefined) assert.ok(JSON.stringify(body).includes('"tools":['));
  const messages = list(body['messages'], 'messages').map((item, at) => record(item, `[${at}]`));
  assert.ok(
    messages.some(({ role }) => role !== 'system'),
    'somebody speaks',
  );
  const ids: string[] = [];
  let waiting: string[] = [];
  messages.forEach((message, at) => {
    const where = `messages[${at}]`;
    const { role, content } = message;
    if (role === 'tool') {
      filled(content, where);
      assert.equal(message['tool_call_id'], waiting.shift(), `${where} answers the next call`);
      return;
    }
    assert.deepEqual(waiting, [], `${where} comes after all results`);
    if (role === 'system' && 'tools' in message) {
      assert.deepEqual(Object.keys(message), ['role', 'tools']);
      chatTools(message['tools'], where);
    } else if (role === 'system') {
      assert.equal(at, 0, 'system text comes first');
      filled(content, where);
    } else if (role === 'user') chatContent(content, where);
    else {
      assert.equal(role, 'assistant', where);
      if ('reasoning_content' in message) filled(message['reasoning_content'], where);
      if (content !== undefined || !('tool_calls' in message)) filled(content, where);
      if (!('tool_calls' in message)) return;
      waiting = list(message['tool_calls'], where).map(item => {
        const call = record(item, where);
        const called = record(call['function'], where);
        wireName(called['name'], where);
        record(JSON.parse(String(called['arguments'])), `${where}.arguments`);
        return wireName(call['id'], where);
      });
      ids.push(...waiting);
    }
  });
  assert.deepEqual(waiting, [], 'the last calls have their results');
  unique(ids, 'call ids');
}

/** Body of a request in the messages format. */
export function checkMessagesBody(text: string): void {
  const body = record(JSON.parse(text), 'body');
  const marks = text.split('"cache_control":').length - 1;
  assert.ok(Number.isInteger(body['max_tokens']) && Number(body['max_tokens']) > 0, 'max_tokens');
  if (body['thinking'] !== undefined) {
    const { budget_tokens: budget } = record(body['thinking'], 'thinking');
    assert.ok(Number(budget) < Number(body['max_tokens']), 'the budget is part of max_tokens');
    assert.ok(!('tool_choice' in body), 'no forced tool with thinking');
  }
  if ('system' in body)
    for (const block of list(body['system'], 'system'))
      filled(record(block, 'system')['text'], 'system');
  if ('tools' in body) {
    const names = list(body['tools'], 'tools').map(item => {
      const tool = record(item, 'tool');
      schema(tool['input_schema'], 'input_schema');
      return wireName(tool['name'], 'tool');
    });
    unique(names, 'tools');
    assert.ok(names.length <= 128);
  }
  const ids: string[] = [];
  let waiting: string[] = [];
  list(body['messages'], 'messages').forEach((item, at) => {
    const where = `messages[${at}]`;
    const { role, content } = record(item, where);
    assert.equal(role, at % 2 === 0 ? 'user' : 'assistant', `${where}.role`);
    let mayAnswer = true;
    for (const inner of list(content, where)) {
      const block = record(inner, where);
      const { type } = block;
      if (type === 'tool_result') {
        assert.ok(mayAnswer, `${where}: results come first`);
        assert.equal(block['tool_use_id'], waiting.shift(), `${where} answers the next call`);
        filled(block['content'], where);
        continue;
      }
      mayAnswer = false;
      if (role === 'user') assert.deepEqual(waiting, [], `${where} comes after all results`);
      if (type === 'text') filled(block['text'], where);
      else if (type === 'image') {
        assert.equal(role, 'user');
        const { media_type: mediaType, data } = record(block['source'], where);
        assert.match(String(mediaType), /^image\/(png|jpeg|gif|webp)$/);
        assert.match(String(data), /^[A-Za-z0-9+/]+=*$/);
      } else {
        assert.equal(role, 'assistant', `${where}: ${String(type)}`);
        if (type === 'tool_use') {
          wireName(block['name'], where);
          record(block['input'], where);
          waiting.push(wireName(block['id'], where));
          ids.push(String(block['id']));
        } else {
          assert.equal(type, 'thinking');
          assert.equal(typeof block['thinking'], 'string');
          assert.deepEqual(waiting, [], 'reasoning comes before the calls');
        }
      }
    }
    if (role === 'user') assert.deepEqual(waiting, [], 'all calls have results');
  });
  assert.deepEqual(waiting, [], 'the last calls have their results');
  unique(ids, 'call ids');
  // Text of a conversation can hold the word too, with escaped quotes.
  assert.ok(marks <= 4, 'at most 4 marks');
}
