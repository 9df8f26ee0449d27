// Builds and runs the benchmark of the merge.
import path from 'node:path';
import { root } from './layout.mjs';
import { run } from './run.mjs';

const script = path.join(root, 'out/bench/merge.js');

process.exitCode =
  (await run(process.execPath, ['esbuild.mjs', '--only=bench'], { cwd: root })) ||
  (await run(process.execPath, [script], { cwd: root }));
