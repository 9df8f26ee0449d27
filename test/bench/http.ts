// 1,000 predictions at once over TLS 1.3, from cold: http.js [rounds]
// Alternating rounds, each in a fresh process. Fails unless our way takes at most half as long as the
// host's fetch without a limit and never blocks the event loop for long.
import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';

export interface Measured {
  wallMs: number;
  cpuMs: number;
  /** Longest time in which the event loop did nothing else. */
  blockedMs: number;
  rssMb: number;
  sockets: number;
  /** Calls that brought no prediction. */
  failed: number;
}

const rounds = Number(process.argv[2] ?? 5);
const mostBlockedMs = 150;
const ways = {
  undici: 'Splice, HTTP/2',
  fetch: "Splice, the host's fetch",
  bare: 'fetch, no limit',
} as const;
type Way = keyof typeof ways;

const script = (name: string): string => path.join(import.meta.dirname, name);
const server = spawn(process.execPath, [script('httpServer.js')], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const port = await new Promise<string>(resolve =>
  server.stdout.once('data', (data: Buffer) => resolve(data.toString().trim())),
);

function measure(way: Way): Measured {
  const { stdout, stderr } = spawnSync(process.execPath, [script('httpClient.js'), way, port], {
    encoding: 'utf8',
    timeout: 60_000,
    env: { ...process.env, NODE_EXTRA_CA_CERTS: path.resolve('test/fixtures/tls/ca.pem') },
  });
  if (!stdout) throw new Error(stderr);
  const measured: Measured = JSON.parse(stdout);
  return measured;
}

const runs: Record<Way, Measured[]> = { undici: [], fetch: [], bare: [] };
const names: Way[] = ['undici', 'fetch', 'bare'];
for (let round = 0; round < rounds; round++)
  for (const way of round % 2 === 0 ? names : names.toReversed()) runs[way].push(measure(way));
server.kill();

const sorted = (way: Way, what: keyof Measured): number[] =>
  runs[way].map(run => run[what]).sort((a, b) => a - b);
const best = (way: Way, what: keyof Measured): number => sorted(way, what)[0] ?? Number.NaN;
const median = (way: Way, what: keyof Measured): number =>
  sorted(way, what)[Math.floor(rounds / 2)] ?? Number.NaN;
const worst = (way: Way, what: keyof Measured): number => sorted(way, what).at(-1) ?? Number.NaN;

console.log(`1,000 predictions at once, 90 ms each, ${rounds} rounds: median (best)\n`);
console.log('| | wall ms | CPU ms | blocked ms, median (worst) | sockets | RSS MB | failed |');
console.log('|---|---|---|---|---|---|---|');
for (const way of names) {
  const both = (what: keyof Measured): string =>
    `${median(way, what).toFixed(0)} (${best(way, what).toFixed(0)})`;
  const blocked = `${median(way, 'blockedMs').toFixed(0)} (${worst(way, 'blockedMs').toFixed(0)})`;
  console.log(
    `| ${ways[way]} | ${both('wallMs')} | ${both('cpuMs')} | ${blocked} | ` +
      `${median(way, 'sockets')} | ${median(way, 'rssMb').toFixed(0)} | ${worst(way, 'failed')} |`,
  );
}

const ratio = median('undici', 'wallMs') / median('bare', 'wallMs');
const targets: [string, boolean][] = [
  [`wall ${ratio.toFixed(2)} of fetch without a limit, at most 0.50`, ratio <= 0.5],
  [
    `best wall ${(best('undici', 'wallMs') / best('bare', 'wallMs')).toFixed(2)}, at most 0.50`,
    best('undici', 'wallMs') <= 0.5 * best('bare', 'wallMs'),
  ],
  [
    // The median, because on a busy computer other processes' turns count as well.
    `event loop blocked for ${median('undici', 'blockedMs').toFixed(0)} ms, at most ${mostBlockedMs}`,
    median('undici', 'blockedMs') <= mostBlockedMs,
  ],
  ['no call lost', worst('undici', 'failed') + worst('fetch', 'failed') === 0],
];
console.log();
for (const [what, isMet] of targets) console.log(`${isMet ? 'met   ' : 'MISSED'} ${what}`);
process.exitCode = targets.every(([, isMet]) => isMet) ? 0 : 1;
