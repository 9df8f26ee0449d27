// code-server allows every proposed API to every extension, so its tests could not notice one in
// use. This puts VS Code's own check back into the copy under .vscode-test.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const bundles = [
  'vs/workbench/api/node/extensionHostProcess.js',
  'vs/workbench/api/worker/extensionHostWorkerMain.js',
  'vs/code/browser/workbench/workbench.js',
];
// isProposedApiEnabled(extension, name){return true}, known by the function that follows it.
const alwaysTrue =
  /function ([\w$]+)\(([\w$]+),([\w$]+)\)\{return!0\}(?=function [\w$]+\(([\w$]+),([\w$]+)\)\{if\(!\1\(\4,\5\)\)throw new Error\(`Extension '\$\{[^}]+\}' CANNOT use API proposal)/g;
const restored = /\.enabledApiProposals&&[\w$]+\.enabledApiProposals\.includes\(/;

export function restoreApiCheck(out) {
  for (const bundle of bundles) {
    const file = path.join(out, bundle);
    const before = readFileSync(file, 'utf8');
    const places = before.match(alwaysTrue)?.length ?? 0;
    if (places === 0 && restored.test(before)) continue;
    if (places !== 1) throw new Error(`${places} API checks found in ${bundle}, expected 1`);
    const after = before.replace(
      alwaysTrue,
      (_, name, extension, proposal) =>
        `function ${name}(${extension},${proposal}){return!!${extension}.enabledApiProposals&&${extension}.enabledApiProposals.includes(${proposal})}`,
    );
    // The file may be a hard link into npm's cache: write a new one.
    rmSync(file);
    writeFileSync(file, after);
  }
}
