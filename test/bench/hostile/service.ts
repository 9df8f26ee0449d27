import { parseLedger } from '../../../src/service/billing/ledger';
import { retryAfterMs } from '../../../src/service/http/retry';
import { JsonItems } from '../../../src/service/stream/jsonItems';
import { applyMessage, stripFence } from '../../../src/service/wire/apply';
import { clientOf } from './client';
import { attempt, type Parser, refusal } from './parser';
import { code, filled, markdownText } from './texts';
import { jsonTokens, markdownTokens } from './tokens';

const { signal: never } = new AbortController();
const ask = { model: 'svc-glm52-744b', messages: [{ role: 'user', content: 'go' }] } as const;
const delta = `data: ${JSON.stringify({ id: 'a', choices: [{ index: 0, delta: { content: 'a word or two ' } }] })}\n\n`;

export const serviceParsers: readonly Parser[] = [
  {
    name: 'merged files',
    tokens: [...markdownTokens, '</code>', '<code>', '</code', '_s0', '_s1', '~~~~'],
    run: text => {
      const { restore } = applyMessage({ original: text, update: text });
      stripFence(restore(text), { original: code, update: code });
    },
    ordinary: markdownText,
    byHand: {
      'every suffix': length =>
        `</code>${Array.from({ length: length / 8 }, (_, at) => `_s${at}`).join('')}`,
      'a long fence': length => `${'`'.repeat(length / 2)}\na\n${'`'.repeat(length / 2)}`,
    },
  },
  {
    name: 'JSON items',
    tokens: jsonTokens,
    run: text =>
      attempt(() => {
        const items = new JsonItems({ listNames: ['data'], isItem: () => true, maxChars: 4 << 20 });
        for (let at = 0; at < text.length; at += 1 << 16)
          items.feed(text.slice(at, at + (1 << 16)));
      }),
    ordinary: `{"data":[${'{"id":"a","label":"b"},'.repeat(2000)}{"id":"a"}]}\n`,
  },
  {
    name: 'retry hints',
    tokens: ['1', ',', ' ', '.', 'mon', 'Mon, ', 'try again in ', 's', 'ms', 'in ', 'retry'],
    run: text =>
      retryAfterMs(new Headers(), text, 0) ?? retryAfterMs({ get: () => text }, undefined, 0),
    ordinary: 'Rate limit reached; please try again in 3 seconds. ',
  },
  {
    name: 'ledgers',
    tokens: jsonTokens,
    run: text => parseLedger(text),
    ordinary: '{"at":1,"operation":"chat","usd":0.1}\n',
  },
  {
    name: 'JSON answers',
    tokens: jsonTokens,
    run: text => clientOf('application/json', text).chat(ask, { signal: never }).catch(refusal),
    ordinary: '{"id":"a","object":"chat.completion","choices":[]}          ',
    byHand: {
      'lists in lists': length => '['.repeat(length / 2) + ']'.repeat(length / 2),
      'lists in a field': length => `{"a":${'['.repeat(length / 2)}${']'.repeat(length / 2)}}`,
      'many lists': length => `{"a":[${'[],'.repeat(length / 3)}[]]}`,
      'objects in objects': length => `${'{"a":'.repeat(length / 6)}1${'}'.repeat(length / 6)}`,
    },
  },
  {
    name: 'server-sent events',
    mostRecipes: 300,
    tokens: [
      'data: ',
      'data:',
      '\n',
      '\n\n',
      'event: a\n',
      'id: 1\n',
      'retry: 1\n',
      ': comment\n',
      'x: y\n',
      'x\n',
      ':\n',
      '\r',
      '\r\n',
      'data: {}\n\n',
      'data: [DONE]\n\n',
      delta,
      'a: b\r\n',
      'data: [[\n\n',
    ],
    run: text =>
      clientOf('text/event-stream', text).chat(ask, { signal: never, stream: true }).catch(refusal),
    ordinary: delta,
    byHand: {
      'lines of unknown fields': filled('x: y\n'),
      'lines without a field': filled('x\n'),
      comments: filled(':\n'),
    },
  },
];
