// How often snippets are merged right, and how long it takes.

import { diffLines } from 'diff';
import { written } from '../../src/base/sentence';
import { auditMerge, mergeEdit } from '../../src/merge/index';
import { type Attempt, attemptAll, attemptRandom, isCertainlyWrong } from './accuracy';
import { type LargeEdit, largeEdit, largeRewrite } from './largeFile';
import { median } from './median';
import { printSpeedRatios } from './mergeSpeed';

const runs = 31;
const longestMs = 2000;
const charactersPerToken = 4;

/** Median milliseconds of a run, after a warm-up. */
function medianMs(run: () => unknown): number {
  const started = performance.now();
  for (let at = 0; at < 5; at++) {
    run();
  }
  const times: number[] = [];
  while (times.length < runs && (times.length < 5 || performance.now() - started < longestMs)) {
    const start = performance.now();
    run();
    times.push(performance.now() - start);
  }
  return median(times);
}

function printAccuracy(): void {
  const attempts = attemptAll();
  console.log('                            right   wrong refused   certain: right   wrong');
  for (const style of new Set(attempts.map(attempt => attempt.style))) {
    const ofStyle = attempts.filter(attempt => attempt.style === style);
    console.log(accuracyRow(style, ofStyle));
  }
  console.log(accuracyRow('all', attempts));
  for (const context of [3, 2, 1]) {
    console.log(accuracyRow(`random, context ${context}`, attemptRandom(context, 1000)));
  }
  for (const { title, style } of attempts.filter(isCertainlyWrong)) {
    console.log(`certain and wrong: ${title} (${style})`);
  }
}

const isRefused = ({ result }: Attempt): boolean => result.kind === 'refused';

function accuracyRow(name: string, attempts: Attempt[]): string {
  const count = (test: (attempt: Attempt) => boolean): string => `${attempts.filter(test).length}`;
  return [
    name.padEnd(24),
    count(({ isRight }) => isRight).padStart(8),
    count(attempt => !attempt.isRight && !isRefused(attempt)).padStart(8),
    count(isRefused).padStart(8),
    count(({ isRight, isCertain }) => isRight && isCertain).padStart(17),
    count(isCertainlyWrong).padStart(8),
  ].join('');
}

function speedRow(name: string, { original, update }: LargeEdit): string {
  const result = mergeEdit(original, update);
  if (result.kind === 'refused') {
    return `${name.padEnd(24)} refused: ${written(result.reason)}`;
  }
  const { text } = result;
  const merge = medianMs(() => mergeEdit(original, update));
  const audit = medianMs(() => auditMerge(original, update, text));
  const diff = medianMs(() => diffLines(original, text));
  const tokensPerSecond = text.length / charactersPerToken / (merge / 1000);
  return [
    name.padEnd(24),
    merge.toFixed(2).padStart(8),
    `${(tokensPerSecond / 1e6).toFixed(1)} M`.padStart(10),
    (merge / diff).toFixed(2).padStart(12),
    audit.toFixed(2).padStart(10),
    (audit / diff).toFixed(2).padStart(12),
    diff.toFixed(2).padStart(12),
  ].join('');
}

printAccuracy();
console.log();
console.log(
  '                        merge ms  tokens/s x diffLines  audit ms x diffLines diffLines ms',
);
for (const lines of [150, 1250, 2500, 5000, 10_000, 20_000]) {
  console.log(speedRow(`${lines} lines, 3 changes`, largeEdit(lines)));
}
console.log(speedRow('5000 lines, 24 changes', largeEdit(5000, 24)));
console.log(speedRow('5000 lines, all of them', largeRewrite(5000)));
console.log();
printSpeedRatios();
