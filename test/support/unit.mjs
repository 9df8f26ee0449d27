// Builds and runs the tests that need no VS Code.
import { installDependencies } from './dependencies.mjs';
import { installHost } from './installHost.mjs';
import { runMocha } from './mocha.mjs';

/** undici 8 runs on Node 22.19 and newer; VS Code itself has 24. */
export async function nodeForUndici() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 19)
    ? process.execPath
    : (await installHost()).node;
}

export const runUnit = async () => runMocha('unit', { node: await nodeForUndici(), build: true });

if (process.argv[1] === import.meta.filename) {
  await installDependencies();
  const { passed, failed } = await runUnit();
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}
