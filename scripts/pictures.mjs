// Makes the pictures of README.md that test/ui/pictures.ui.test.ts takes, and puts them into media/.
import { copyFileSync } from 'node:fs';
import path from 'node:path';
import { makeVsix } from '../test/support/host/vsix.mjs';
import { installDependencies } from '../test/support/runner/dependencies.mjs';
import { root } from '../test/support/runner/layout.mjs';
import { printSummary } from '../test/support/runner/report/summary.mjs';
import { runTool } from './tools.mjs';

await installDependencies();
const built = await runTool('build');
if (built.failed.length > 0) process.exit(1);
const { runUi } = await import('../test/support/ui/runUi.mjs');
const { pictures } = await import('../test/support/ui/window.mjs');
await makeVsix();
const outcome = await runUi(['pictures.ui.test.js']);
if (printSummary([{ name: 'pictures', ...outcome }]))
  for (const [taken, shown] of [
    ['readme-review', 'review'],
    ['readme-apply', 'apply'],
  ])
    copyFileSync(path.join(pictures, `${taken}.png`), path.join(root, 'media', `${shown}.png`));
else process.exitCode = 1;
