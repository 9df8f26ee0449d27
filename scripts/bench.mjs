// Builds and runs a benchmark by its name: bench.mjs [merge | stream | ...]
import { existsSync } from 'node:fs';
import path from 'node:path';
import { installDependencies } from '../test/support/runner/dependencies.mjs';
import { root } from '../test/support/runner/layout.mjs';
import { useTemporaryFolder } from '../test/support/runner/lifetime.mjs';
import { run } from '../test/support/runner/run.mjs';
import { nodeForUndici } from '../test/support/runner/unit.mjs';

const [name = 'merge', ...options] = process.argv.slice(2);
useTemporaryFolder();
await installDependencies();
const script = path.join(root, `out/bench/${name}.js`);

/** These run the packaged extension in a window. */
const inWindow = ['answer', 'drawing'];

const targets = inWindow.includes(name) ? [] : ['--only=bench'];
process.exitCode = await run(process.execPath, ['esbuild.mjs', ...targets], { cwd: root });
if (process.exitCode === 0) {
  if (existsSync(script))
    process.exitCode = await run(await nodeForUndici(), ['--expose-gc', script, ...options], {
      cwd: root,
    });
  else {
    console.error(`no benchmark "${name}" among the entry points in esbuild.mjs`);
    process.exitCode = 1;
  }
}
