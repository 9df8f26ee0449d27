// Builds and runs the benchmarks of the merge and of the compactor.
import path from 'node:path';
import { root } from './layout.mjs';
import { run } from './run.mjs';

const benchmark = name => path.join(root, 'out/bench', name);

process.exitCode =
  (await run(process.execPath, ['esbuild.mjs', '--only=bench'], { cwd: root })) ||
  (await run(process.execPath, [benchmark('merge.js')], { cwd: root })) ||
  (await run(process.execPath, ['--expose-gc', benchmark('compact.js')], { cwd: root }));
