// One cold run of 1,000 predictions at once in a process of its own: httpClient.js <way> <port>
import dns from 'node:dns';
import { connect } from 'node:http2';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { ServiceClient } from '../../src/service/client';
import { fetchTransport } from '../../src/service/transport/transport';
import { createDispatcher, undiciTransport } from '../../src/service/transport/undiciTransport';
import { ca } from '../service/tls';
import type { Measured } from './http';

const calls = 1000;
const [way = '', port = ''] = process.argv.slice(2);
const url = `https://service.test:${port}`;
const text = 'please classify this sentence '.repeat(8);

const lookup = dns.lookup;
// The certificate is for a name that exists nowhere.
Object.assign(dns, {
  lookup: (_name: string, ...rest: unknown[]) => Reflect.apply(lookup, dns, ['127.0.0.1', ...rest]),
});

const signal = new AbortController().signal;
const dispatcher = createDispatcher({ ca: [ca()] });

function ours(transport: ReturnType<typeof fetchTransport>): () => Promise<unknown> {
  const client = new ServiceClient({
    baseUrl: () => url,
    apiKey: async () => 'sk-bench',
    transport: async () => transport,
  });
  return () => client.predict({ model: 'jailbreak', text }, { signal });
}

const ways: Record<string, () => Promise<unknown>> = {
  undici: ours(undiciTransport(async () => dispatcher)),
  fetch: ours(fetchTransport((input, init) => globalThis.fetch(input, init))),
  bare: async () => {
    const response = await fetch(`${url}/v1/reflex/predict`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-bench', 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'jailbreak', text }),
    });
    return response.json();
  },
};
const call = ways[way];
if (!call) throw new Error(`no way "${way}"`);

// Loads the code behind the first call; nothing listens there, so no connection is warm.
await new ServiceClient({
  baseUrl: () => 'http://127.0.0.1:9',
  apiKey: async () => 'sk-bench',
  transport: async () => fetchTransport(() => Promise.reject(new Error('off'))),
  timeouts: { deadlineMs: 1 },
})
  .predict({ model: 'jailbreak', text }, { signal })
  .catch(() => undefined);
await fetch('http://127.0.0.1:9').catch(() => undefined);

const latencies: number[] = [];
let failed = 0;
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
const cpuBefore = process.cpuUsage();
const startedAt = performance.now();
await Promise.all(
  Array.from({ length: calls }, () =>
    call().then(
      () => latencies.push(performance.now() - startedAt),
      () => failed++,
    ),
  ),
);
const wallMs = performance.now() - startedAt;
// A block at the very end is seen only by the next tick of the monitor.
await new Promise(resolve => setTimeout(resolve, 20));
delay.disable();
const cpu = process.cpuUsage(cpuBefore);

const session = connect(url, { ca: ca() });
const request = session.request({ ':path': '/connections' });
let sockets = '';
for await (const piece of request) sockets += String(piece);
const measured: Measured = {
  wallMs,
  cpuMs: (cpu.user + cpu.system) / 1000,
  blockedMs: delay.max / 1e6,
  rssMb: process.resourceUsage().maxRSS / 1024,
  sockets: Number(sockets),
  failed,
};
console.log(JSON.stringify(measured));
process.exit(0);
