// A test of a window that fails is tried once more, in a fresh window: whether VS Code itself is done in time is not ours
// alone. What passed only then is named in the summary, for it is a fault of the test or of the extension.

/** With more files than this, something is broken, and not unsteady. */
const mostFiles = 3;

const passedIn = tests => tests.filter(({ state }) => state === 'passed').length;

/**
 * @param first the outcome of a stage.
 * @param again runs files of it, which it gets by name, or more of them, and resolves with the outcome.
 */
export async function withSecondTry(first, again) {
  const problems = [...first.failed, ...first.missing];
  const files = [...new Set(problems.map(({ file }) => file))];
  // A problem without a file would stay.
  if (files.length === 0 || files.length > mostFiles || files.includes(undefined)) return first;
  console.log(`\n== again, in a fresh window: ${files.join(', ')}`);
  for (const { file, title, error } of problems)
    console.log(`   ${file}: ${title}${error ? `: ${error}` : ''}`);
  return replaceFiles(first, await again(files));
}

/** The first outcome, with what the second one says of the files that it has. */
export function replaceFiles(first, second) {
  const isAgain = ({ file }) => second.tests.some(test => test.file === file);
  const rest = list => list.filter(each => !isAgain(each));
  const isBad = ({ file, title }) =>
    [...second.failed, ...second.missing].some(bad => bad.file === file && bad.title === title);
  const tests = [...rest(first.tests), ...second.tests];
  return {
    passed: passedIn(tests),
    failed: [...rest(first.failed), ...second.failed],
    missing: [...rest(first.missing), ...second.missing],
    tests,
    files: first.files,
    unsteady: [...first.failed, ...first.missing].filter(each => isAgain(each) && !isBad(each)),
  };
}
