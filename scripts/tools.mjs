// The tools that look at the sources: node scripts/tools.mjs check | lint | format | build
import path from 'node:path';
import { installDependencies } from '../test/support/runner/dependencies.mjs';
import { root } from '../test/support/runner/layout.mjs';
import { run } from '../test/support/runner/run.mjs';

const bin = (name, file) => path.join(root, 'node_modules', name, file);
const biome = bin('@biomejs/biome', 'bin/biome');

/** Each is a list of commands, which all run. */
const tools = {
  check: [[bin('typescript', 'bin/tsc'), '--noEmit']],
  lint: [
    [bin('oxlint', 'bin/oxlint'), '--type-aware', '--deny-warnings'],
    [biome, 'check', '.'],
  ],
  format: [[biome, 'check', '--write', '.']],
  build: [[path.join(root, 'esbuild.mjs')]],
};

/** The outcome of a stage of the tests that has none of its own but a tool which may fail. */
export async function runTool(name, args = []) {
  const failed = [];
  for (const command of tools[name]) {
    const code = await run(process.execPath, [...command, ...args], { cwd: root });
    if (code !== 0) failed.push({ title: path.basename(command[0]), error: `exited ${code}` });
  }
  return { passed: 0, failed, missing: [], tests: [], files: [] };
}

if (process.argv[1] === import.meta.filename) {
  const [name, ...args] = process.argv.slice(2);
  await installDependencies();
  const { failed } = await runTool(name, args);
  process.exitCode = failed.length > 0 ? 1 : 0;
}
