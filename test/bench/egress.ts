// What the gate costs for each turn of a conversation of 1 MB and 200 messages: egress.js
import { EgressGate } from '../../src/platform/egress/gate';
import { SentRecord } from '../../src/platform/egress/record';
import { seededRandom } from '../support/unit/virtualTime';
import { median } from './median';

const random = seededRandom(7);
const words =
  'const return await the token of a file function it is path value string error number list'.split(
    ' ',
  );

function message(chars: number): string {
  const parts: string[] = [];
  for (let length = 0; length < chars; ) {
    const word = words[Math.floor(random() * words.length)] ?? '';
    const end = random() < 0.1 ? ';\n' : ' ';
    parts.push(word, end);
    length += word.length + end.length;
  }
  return parts.join('');
}

const texts = Array.from({ length: 200 }, () => message(5000));
const turn = (count: number) => ({
  model: 'm',
  // New strings each time, as VS Code hands them over.
  messages: texts.slice(0, count).map(text => ({ role: 'user', content: `${text}.`.slice(0, -1) })),
});
const gate = new EgressGate({
  isTrusted: () => true,
  origin: () => '',
  record: new SentRecord(),
  now: () => 0,
  t: text => text,
});

async function cpuMs(count: number): Promise<number> {
  const request = turn(count);
  const before = process.cpuUsage();
  await gate.send('chat', request, { purpose: 'chat', secrets: 'withhold' }, async () => undefined);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const first = await cpuMs(200);
const all: number[] = [];
for (let n = 0; n < 50; n++) all.push(await cpuMs(200));
console.log(
  `1 MB, 200 messages: first ${first.toFixed(1)} ms, later ${median(all).toFixed(1)} ms CPU`,
);
const grown: number[] = [];
for (let count = 1; count <= 200; count++) {
  texts[count - 1] = message(5000);
  grown.push(await cpuMs(count));
}
console.log(
  `one new message per turn, 200 turns: median ${median(grown).toFixed(1)} ms, most ${Math.max(...grown).toFixed(1)} ms CPU`,
);
