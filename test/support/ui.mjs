// Runs the tests that use a whole VS Code window with the packaged extension installed.
import { makeVsix } from './vsix.mjs';
import { runMocha } from './mocha.mjs';
import { patience } from './window.mjs';

export async function runUi() {
  await makeVsix();
  return runMocha('ui', { timeout: 5 * patience });
}

if (process.argv[1] === import.meta.filename) {
  const { passed, failed } = await runUi();
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}
