import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { english } from '../../../src/base/sentence';
import { adviceFor } from '../../../src/service/advice';
import { fetchTransport, type Transport } from '../../../src/service/transport/transport';
import { createDispatcher, undiciTransport } from '../../../src/service/transport/undiciTransport';
import { startFaultServer } from '../../service/faultServer';
import { answer, type Fault, faults } from '../../service/faults';
import { hastyClient, never } from './helpers';

/** Of no form that could be recognised: the key is opaque (service document, Authentication). */
const apiKey = 'Opaque+4711/canary';
const prompt = 'cänary prompt "4711" & more';

/** What must be nowhere, in every form in which it could hide. */
const canaries = [apiKey, prompt].flatMap(text => [
  text,
  JSON.stringify(text).slice(1, -1),
  encodeURIComponent(text),
  Buffer.from(text).toString('base64').replace(/=+$/, ''),
  Buffer.from(text).toString('base64url'),
  Buffer.from(text).toString('hex'),
]);

/** Services that send back what they were sent, in places that nobody expects. */
const echoes: Record<string, Fault> = {
  'in broken chunks': (_, request) =>
    void request.socket.write(
      `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${prompt} ${apiKey}\r\n`,
    ),
  'instead of HTTP': (_, request) => void request.socket.write(`${prompt} ${apiKey}\r\n\r\n`),
  'as damaged JSON': answer(200, `{"a":"${prompt} ${apiKey}`),
  'as another shape': answer(200, { [prompt]: apiKey, classes: prompt, choices: [prompt] }),
  'in a damaged event': response =>
    void response
      .writeHead(200, { 'content-type': 'text/event-stream' })
      .end(`data: {"a":"${prompt} ${apiKey}\n\n`),
  'in an address': answer(307, '', {
    location: `https://elsewhere.example/${encodeURIComponent(prompt)}?key=${apiKey}`,
  }),
  'as the key that is wrong': answer(
    401,
    { error: { code: apiKey, message: `Incorrect API key provided: ${apiKey}.` } },
    { 'x-request-id': apiKey },
  ),
};

const dispatcher = createDispatcher({});
const ways: Record<string, Transport> = {
  "the host's fetch": fetchTransport((input, init) => globalThis.fetch(input, init)),
  undici: undiciTransport(async () => dispatcher),
};
const atOnce = 12;

describe('the key and the content of a call', () => {
  after(() => dispatcher.destroy());

  for (const [way, transport] of Object.entries(ways))
    it(`are in no error, log line, explanation or ledger, whatever happens (${way})`, async () => {
      const queue: [string, Fault][] = [
        ...Object.entries<Fault>(faults),
        ...Object.entries(echoes),
      ];
      let failures = 0;
      await Promise.all(
        Array.from({ length: atOnce }, async () => {
          for (let next = queue.shift(); next; next = queue.shift()) {
            const failed = await scan(...next, transport);
            failures += failed;
          }
        }),
      );
      assert.ok(failures > 150, `only ${failures} calls failed`);
    });
});

/** Every kind of call against one fault; the number of those that failed. */
async function scan(name: string, fault: Fault, transport: Transport): Promise<number> {
  const server = await startFaultServer();
  server.script(fault);
  const said: string[] = [];
  const { client, lines } = hastyClient(server.url, {
    transport: async () => transport,
    apiKey: async () => apiKey,
    billing: {
      admit: async () => undefined,
      record: async call => {
        said.push(inspect(call, { depth: 9 }));
        return undefined;
      },
    },
  });
  const options = { signal: AbortSignal.any([never(), AbortSignal.timeout(3000)]) };
  const edit = { original: prompt, update: prompt, instruction: prompt };
  const calls = [
    client.predict({ model: 'jailbreak', text: prompt }, options),
    client.apply(edit, options),
    client.apply(edit, { ...options, stream: true }),
  ];
  let failures = 0;
  for (const result of await Promise.allSettled(calls)) {
    if (result.status === 'fulfilled') continue;
    failures++;
    const { reason } = result;
    said.push(adviceFor(reason, english).message, whole(reason));
  }
  await server.close();
  const text = [...said, ...lines].join('\n');
  for (const canary of canaries) {
    const at = text.indexOf(canary);
    const around = text.slice(Math.max(0, at - 80), at + 80);
    assert.equal(at, -1, `${name}: "${canary}" in …${around}…`);
  }
  return failures;
}

/** All of an error, the hidden parts too; but for `partial`, which is the answer itself. */
function whole(error: unknown): string {
  assert.ok(error instanceof Error);
  const parts = Object.getOwnPropertyDescriptors(error);
  const shown = Object.entries(parts).filter(([name]) => name !== 'partial');
  return `${error.stack} ${inspect(shown, { depth: 20, showHidden: true, maxStringLength: null })}`;
}
