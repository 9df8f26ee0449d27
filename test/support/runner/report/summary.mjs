// What is said at the end of a run of tests.

const listed = 50;
const slowest = 10;
const leastMs = 100; // of a test that is worth a word

function print(heading, lines) {
  if (lines.length === 0) return;
  console.log(`\n${heading}`);
  for (const line of lines.slice(0, listed)) console.log(`  ${line}`);
  if (lines.length > listed) console.log(`  ... and ${lines.length - listed} more`);
}

const named = ({ file, title }) => (file ? `${file}: ${title}` : title);
const inSeconds = ms => `${(ms / 1000).toFixed(1)} s`;

/** `stages` are outcomes with `name` and, where it is known, `seconds`. Returns whether all is well. */
export function printSummary(stages) {
  const all = key => stages.flatMap(stage => stage[key] ?? []);
  const failed = all('failed');
  const missing = all('missing');
  print(
    `The slowest ${slowest} tests`,
    all('tests')
      .filter(({ ms = 0 }) => ms >= leastMs)
      .toSorted((a, b) => b.ms - a.ms)
      .slice(0, slowest)
      .map(test => `${inSeconds(test.ms).padStart(7)}  ${named(test)}`),
  );
  const rows = stages.map(({ name, seconds, passed, ...stage }) => {
    const isWell = stage.failed.length === 0 && (stage.missing ?? []).length === 0;
    const time = seconds === undefined ? '' : ` ${seconds.toFixed(1).padStart(6)} s`;
    const range = stage.from === undefined ? '' : ` (from ${stage.from.toFixed(0)} s)`;
    return `${isWell ? 'ok    ' : 'FAILED'} ${name.padEnd(8)}${time}${passed ? ` ${passed} passed` : ''}${range}`;
  });
  console.log(`\n${rows.join('\n')}`);
  print(
    'Passed at the second try only: look into them',
    all('unsteady').map(test => `${named(test)}: ${test.error ?? 'did not run'}`),
  );
  print(
    'Failed',
    failed.map(test => `${named(test)}: ${test.error ?? ''}`),
  );
  print('Did not run', missing.map(named));
  const passed = stages.reduce((sum, stage) => sum + stage.passed, 0);
  const skipped = all('tests').filter(({ state }) => state === 'skipped').length;
  console.log(
    `\n${passed} passed, ${failed.length} failed, ${missing.length} did not run${skipped > 0 ? `, ${skipped} skipped` : ''}`,
  );
  const isEmpty = passed === 0 && all('tests').length > 0;
  return failed.length === 0 && missing.length === 0 && !isEmpty;
}
