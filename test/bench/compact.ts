// How fast a chat history is compacted and what memory that takes, beside splitting and joining it.
import { compactText } from '../../src/compact/core/compactor';

const runs = 7;
const MB = 1e6;

/** A generator of its own: every run of the benchmark reads the same texts. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const verbs = 'read check rename move test fix parse open close send keep drop merge split'.split(
  ' ',
);
const nouns =
  'header token cache route worker queue socket field index cursor buffer message'.split(' ');

const times = (count: number, text: () => string): string =>
  Array.from({ length: count }, text).join('');

/** A conversation about code: questions, plans, files that are read again, edits, and logs. */
function chatOf(characters: number): string {
  const random = randomNumbers(7);
  const one = (list: readonly string[]): string => list[random(list.length)] ?? '';
  const name = (): string => `${one(verbs)}_${one(nouns)}${random(400)}`;
  const path = (): string => `src/${one(nouns)}/${one(verbs)}/${one(nouns)}${random(90)}.ts`;
  const plain = (): string =>
    `We should ${one(verbs)} the ${one(nouns)} before we ${one(verbs)} it, as said, and then look again.\n`;
  const sentence = (): string =>
    random(3) > 0
      ? plain()
      : `Then ${one(verbs)} \`${name()}\` in ${path()}, with its ${one(nouns)}.\n`;
  const code = (): string =>
    `export function ${name()}(${one(nouns)}: string, limit = ${random(5000)}): number {\n` +
    `  const ${one(nouns)} = ${name()}(${one(nouns)});\n  if (!${one(nouns)}) {\n    return -1;\n  }\n` +
    `  return ${one(nouns)}.length + limit;\n}\n\n`;
  const log = (): string =>
    `2026-03-${10 + random(19)}T10:${10 + random(49)}:07Z INFO ${one(nouns)} ${one(verbs)} took ${random(900)} ms\n`;
  const parts: string[] = [];
  for (let length = 0; length < characters; ) {
    const turn =
      `## User\n${times(1 + random(3), sentence)}\n## Assistant\n${times(3 + random(5), sentence)}\n` +
      `\`\`\`ts\n${times(2 + random(6), code)}\`\`\`\n\n## Tool result\n${times(random(20), log)}\n`;
    parts.push(turn);
    length += turn.length;
  }
  return parts.join('').slice(0, characters);
}

function hexOf(characters: number): string {
  const random = randomNumbers(11);
  const lines: string[] = [];
  for (let length = 0; length < characters; length += lines.at(-1)?.length ?? 0)
    lines.push(
      `${random(2 ** 32).toString(16)}-${lines.length.toString(36)} /tmp/dir${random(999)}/f${lines.length}.ts\n`,
    );
  return lines.join('').slice(0, characters);
}

interface Measured {
  /** Milliseconds of CPU, all threads, of the fastest run. */
  cpuMs: number;
  /** The most memory beyond the text itself, in bytes. */
  memory: number;
}

function measure(run: () => unknown): Measured {
  const cpu: number[] = [];
  for (let at = 0; at < runs; at++) {
    const started = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(started);
    cpu.push((user + system) / 1000);
  }
  globalThis.gc?.();
  const before = process.memoryUsage();
  run();
  const after = process.memoryUsage();
  const memory = after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers;
  return { cpuMs: Math.min(...cpu), memory };
}

function row(name: string, input: string): string {
  const compacted = measure(() =>
    compactText(input, { ratio: 0.3, query: 'Why is read_header slow?' }),
  );
  const split = measure(() => input.split('\n').join('\n').length);
  return [
    name.padEnd(28),
    (input.length / MB / (compacted.cpuMs / 1000)).toFixed(1).padStart(12),
    compacted.cpuMs.toFixed(0).padStart(10),
    (compacted.cpuMs / split.cpuMs).toFixed(1).padStart(15),
    (compacted.memory / input.length).toFixed(1).padStart(15),
  ].join('');
}

console.log('                              MB per CPU s    CPU ms  x split + join  memory x input');
// Text that was read from a file is one piece; a slice of another text is slower to read.
const flat = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');
const chat = chatOf(50 * MB);
for (const size of [0.1, 1, 10, 50])
  console.log(row(`chat, ${size} MB`, flat(chat.slice(0, size * MB))));
console.log(row('different tokens, 20 MB', flat(hexOf(20 * MB))));
console.log(
  row(
    'a line again, 20 MB',
    'npm warn deprecated left-pad@1.3.0: no longer kept\n'.repeat(400_000),
  ),
);
console.log(row('short lines, 5 MB', 'ok\n\n}\n'.repeat(800_000)));
console.log(row('one line, 50 MB', 'abc def_ghi '.repeat((50 * MB) / 12)));
