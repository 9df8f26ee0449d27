import { diffLines } from 'diff';
import { auditMerge, mergeEdit } from '../../src/merge/index';

const RUNS = 31;

/** Median milliseconds of a run, after a warm-up. */
function median(run: () => unknown): number {
  for (let at = 0; at < 5; at++) {
    run();
  }
  const times: number[] = [];
  for (let at = 0; at < RUNS; at++) {
    const start = performance.now();
    run();
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  return times[RUNS >> 1] ?? 0;
}

/** 10 lines per function: some stand once, some everywhere. */
function fileOf(functions: number): string {
  const parts: string[] = [];
  for (let at = 0; at < functions; at++) {
    parts.push(
      `export function handle${at}(request: Request, items: Item[]): Response {\n` +
        `  const limit = ${at} * scale;\n` +
        '  const found: Item[] = [];\n' +
        '  for (const item of items) {\n' +
        `    if (item.size > limit && item.kind === 'kind${at % 17}') {\n` +
        '      found.push(item);\n' +
        '    }\n' +
        '  }\n' +
        `  return respond(request, found, 'handle${at}');\n` +
        '}\n',
    );
  }
  return parts.join('');
}

const original = fileOf(500);
const gap = '// ... existing code ...\n';
const change = (at: number): string =>
  `  const limit = ${at} * scale;\n  const rest: Item[] = [];\n  const found: Item[] = [];\n`;
const updates: [string, string][] = [
  ['one change', gap + change(250) + gap],
  [
    'eight changes',
    gap + [10, 70, 130, 200, 270, 330, 400, 480].map(at => change(at) + gap).join(''),
  ],
  [
    'one new function of 200 lines',
    `${gap}${fileOf(251).split('\n').slice(-21, -11).join('\n')}\n${'  step();\n'.repeat(190)}${gap}`,
  ],
  ['whole file', original.replaceAll('rest', 'others').replaceAll('limit', 'most')],
];

console.log(`file: ${original.split('\n').length - 1} lines, ${original.length} characters`);
for (const [title, update] of updates) {
  const result = mergeEdit(original, update);
  const text = result.kind === 'merged' ? result.text : original;
  const merge = median(() => mergeEdit(original, update));
  const audit = median(() => auditMerge(original, update, text));
  const diff = median(() => diffLines(original, text));
  const json = median(() => JSON.stringify(text));
  const tokens = Math.round(text.length / 4 / (merge / 1000));
  console.log(
    `${title}: ${result.kind}, merge ${merge.toFixed(2)} ms = ${tokens} tokens/s; ` +
      `${(merge / diff).toFixed(2)} x diff.diffLines (${diff.toFixed(2)} ms), ` +
      `${(merge / json).toFixed(1)} x JSON.stringify (${json.toFixed(3)} ms); audit ${audit.toFixed(2)} ms`,
  );
}
