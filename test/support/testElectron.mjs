// Runs the host tests in a desktop VS Code by @vscode/test-electron: in the one VSCODE_EXE names, or
// in a downloaded one where our own host cannot run. Else in our own host.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { root } from './layout.mjs';
import { hasTests, launches, runHost } from './runHost.mjs';
import { makePlace } from './workspace.mjs';

export function runInVSCode() {
  const executable = process.env.VSCODE_EXE;
  const hasOwnHost = process.platform === 'linux';
  return executable || !hasOwnHost ? runDesktop(executable) : runHost();
}

async function runDesktop(vscodeExecutablePath) {
  const total = { passed: 0, failed: 0 };
  for (const options of launches.filter(hasTests)) {
    const { pattern, phases = [{}], codeFile = '' } = options;
    const place = makePlace(options);
    try {
      for (const env of phases) {
        const { passed, failed } = await runPhase(vscodeExecutablePath, place, {
          // Nothing: an empty window.
          opened: options.isEmpty ? [] : [path.join(place.workspace, codeFile)],
          env: { ...env, HOST_TEST_FILES: pattern },
        });
        total.passed += passed;
        total.failed += failed;
      }
    } finally {
      place.remove();
    }
  }
  return total;
}

async function runPhase(vscodeExecutablePath, place, { opened, env }) {
  const { runTests } = await import('@vscode/test-electron');
  const record = path.join(place.base, 'result.json');
  rmSync(record, { force: true });
  const code = await runTests({
    ...(vscodeExecutablePath ? { vscodeExecutablePath } : {}),
    extensionDevelopmentPath: root,
    extensionTestsPath: path.join(root, 'out/host/entry.js'),
    extensionTestsEnv: { ...env, HOST_TEST_RESULT: record },
    launchArgs: [
      ...opened,
      '--disable-workspace-trust',
      `--user-data-dir=${place.dataDir}`,
      `--extensions-dir=${place.extensionsDir}`,
    ],
  }).catch(error => {
    console.error(String(error));
    return 1;
  });
  if (!existsSync(record)) return { passed: 0, failed: 1 };
  const { passes, failures } = JSON.parse(readFileSync(record, 'utf8'));
  return { passed: passes, failed: code === 0 ? failures : Math.max(1, failures) };
}

if (process.argv[1] === import.meta.filename) {
  const { passed, failed } = await runInVSCode();
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}
