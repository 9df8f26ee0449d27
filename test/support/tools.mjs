// The tools that look at the sources: node test/support/tools.mjs check | lint | format | build
import path from 'node:path';
import { installDependencies } from './dependencies.mjs';
import { root } from './layout.mjs';
import { run } from './run.mjs';

const bin = (name, file) => path.join(root, 'node_modules', name, file);
const biome = bin('@biomejs/biome', 'bin/biome');

/** Each is a list of commands, which all run. */
const tools = {
  check: [[bin('typescript', 'bin/tsc'), '--noEmit']],
  lint: [
    [bin('oxlint', 'bin/oxlint'), '--type-aware', '--deny-warnings'],
    [biome, 'format', '.'],
  ],
  format: [[biome, 'format', '--write', '.']],
  build: [[path.join(root, 'esbuild.mjs')]],
};

/** Returns {passed, failed}: a tool leaves no count of tests. */
export async function runTool(name, args = []) {
  let failed = 0;
  for (const command of tools[name])
    if ((await run(process.execPath, [...command, ...args], { cwd: root })) !== 0) failed++;
  return { passed: 0, failed };
}

if (process.argv[1] === import.meta.filename) {
  const [name, ...args] = process.argv.slice(2);
  await installDependencies();
  const { failed } = await runTool(name, args);
  process.exitCode = failed > 0 ? 1 : 0;
}
