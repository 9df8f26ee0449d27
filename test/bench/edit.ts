// What an instructed edit takes besides the model's writing: prompt, stream, reading, merge, audit.
// The same answers, by the same server, are read with a bare fetch next to it.

import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { buildPrompt, type EditTask } from '../../src/apply/instruct/prompt';
import { defaultEditModel, runEdit } from '../../src/apply/instruct/runEdit';
import { english } from '../../src/base/sentence';
import { ServiceClient } from '../../src/service/client';
import { estimateTokens } from '../../src/service/tokens';
import { createDispatcher, undiciTransport } from '../../src/service/transport/undiciTransport';
import { snippetOf } from '../support/unit/snippetOf';
import { largeEdit } from './largeFile';
import { median } from './median';
import { mergeCases } from './mergeCases/index';

const rounds = Number(process.argv[2] ?? 9);
/** Of one event of the stream, as a model writes them. */
const deltaChars = 16;

interface Case {
  readonly task: EditTask;
  readonly answer: string;
}

const caseOf = (path: string, text: string, update: string): Case => ({
  task: { path, languageId: path.split('.').at(-1) ?? '', text, instruction: 'Do it.' },
  answer: `Here it is:\n\n\`\`\`\n${update}\n\`\`\``,
});

const small = mergeCases.flatMap(({ path, text, edits }) =>
  Object.values(edits).map(edit =>
    caseOf(path, text, snippetOf(text, edit(text), path, { context: 2 })),
  ),
);
const largeOf = (lines: number): Case[] => {
  const { original, update } = largeEdit(lines);
  return [caseOf('large.ts', original, update)];
};
const groups: readonly (readonly [name: string, cases: readonly Case[]])[] = [
  [`${small.length} edits of small files`, small],
  ['1,000 lines', largeOf(1000)],
  ['5,000 lines', largeOf(5000)],
];

const event = (delta: object, more: object = {}): string =>
  `data: ${JSON.stringify({ id: 'c', model: defaultEditModel, choices: [{ index: 0, delta, ...more }] })}\n\n`;

let answer = '';
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (let at = 0; at < answer.length; at += deltaChars)
      response.write(event({ content: answer.slice(at, at + deltaChars) }));
    response.end(`${event({}, { finish_reason: 'stop' })}data: [DONE]\n\n`);
  });
});
await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
const address = server.address();
const url = `http://127.0.0.1:${isAddress(address) ? address.port : 0}`;

function isAddress(value: AddressInfo | string | null): value is AddressInfo {
  return typeof value === 'object' && value !== null;
}

const dispatcher = createDispatcher({});
const transport = undiciTransport(async () => dispatcher);
const client = new ServiceClient({
  baseUrl: () => url,
  apiKey: async () => 'sk-bench-4711',
  transport: async () => transport,
});

async function ours({ task }: Case): Promise<void> {
  const outcome = await runEdit(task, client, {
    signal: new AbortController().signal,
    now: () => performance.now(),
    model: defaultEditModel,
    engine: 'local',
    mergeModel: 'auto',
    t: english,
  });
  if (outcome.kind !== 'merged') throw new Error(`${task.path}: ${outcome.kind}`);
}

/** The least that any client does: sends the prompt, reads all events. */
async function bare({ task }: Case): Promise<void> {
  const body = JSON.stringify({ model: defaultEditModel, messages: buildPrompt(task) });
  const response = await fetch(`${url}/v1/chat/completions`, { method: 'POST', body });
  let text = '';
  for (const line of (await response.text()).split('\n'))
    if (line.startsWith('data: {'))
      text += JSON.parse(line.slice(6)).choices[0].delta.content ?? '';
  if (text !== answer) throw new Error('another answer');
}

async function medianMs(cases: readonly Case[], run: (one: Case) => Promise<void>) {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++)
    for (const one of cases) {
      ({ answer } = one);
      const from = performance.now();
      await run(one);
      if (round > 0) times.push(performance.now() - from);
    }
  return median(times);
}

console.log(
  'median of an edit         bare fetch      ours   ratio   tokens written, of the whole file',
);
for (const [name, cases] of groups) {
  const reference = await medianMs(cases, bare);
  const measured = await medianMs(cases, ours);
  const written = cases.reduce((sum, one) => sum + estimateTokens(one.answer), 0);
  const whole = cases.reduce((sum, { task }) => sum + estimateTokens(task.text), 0);
  console.log(
    [
      name.padEnd(24),
      `${reference.toFixed(2)} ms`.padStart(12),
      `${measured.toFixed(2)} ms`.padStart(10),
      (measured / reference).toFixed(2).padStart(8),
      (written / whole).toFixed(2).padStart(12),
    ].join(''),
  );
}
server.close();
server.closeAllConnections();
