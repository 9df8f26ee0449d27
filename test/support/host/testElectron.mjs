// Runs the host tests in a desktop VS Code by @vscode/test-electron: in the one VSCODE_EXE names, or
// in a downloaded one where our own host cannot run. Else in our own host.
import path from 'node:path';
import { isLonger } from '../longer/texts.mjs';
import { givenVsix, root, scratch } from '../runner/layout.mjs';
import { combine, outcomeOf, recordOf } from '../runner/pool.mjs';
import { readResults } from '../runner/report/results.mjs';
import { printSummary } from '../runner/report/summary.mjs';
import { testFiles } from './launch.mjs';
import { launches, runHost } from './runHost.mjs';
import { unpackVsix } from './vsix.mjs';
import { makePlace } from './workspace.mjs';

export function runInVSCode() {
  const executable = process.env.VSCODE_EXE;
  const hasOwnHost = process.platform === 'linux';
  if (isLonger && (executable || !hasOwnHost))
    throw new Error('longer texts are only those of our own host, which runs on Linux');
  return executable || !hasOwnHost ? runDesktop(executable) : runHost();
}

async function runDesktop(vscodeExecutablePath) {
  const outcomes = [];
  const extension = givenVsix ? unpackVsix(givenVsix, path.join(scratch, 'unpacked')) : root;
  for (const options of launches.filter(launched => testFiles(launched).length > 0)) {
    const { pattern, phases = [{}], codeFile = '' } = options;
    const place = makePlace(options);
    try {
      for (const env of phases) {
        const label = `${options.name} ${outcomes.length}`;
        const outcome = await runPhase(vscodeExecutablePath, label, place, {
          extension,
          // Nothing: an empty window.
          opened: options.isEmpty ? [] : [path.join(place.workspace, codeFile)],
          env: {
            ...env,
            HOST_TEST_FILES: pattern,
            HOST_TEST_RESET: options.isShared ? '1' : '',
          },
        });
        outcomes.push(outcome);
      }
    } finally {
      place.remove();
    }
  }
  return combine(outcomes);
}

async function runPhase(vscodeExecutablePath, label, place, { extension, opened, env }) {
  const { runTests } = await import('@vscode/test-electron');
  const record = recordOf('host', label);
  const code = await runTests({
    ...(vscodeExecutablePath ? { vscodeExecutablePath } : {}),
    extensionDevelopmentPath: extension,
    extensionTestsPath: path.join(root, 'out/host/entry.js'),
    extensionTestsEnv: { ...env, HOST_TEST_RESULT: record, HOST_TEST_DATA: place.base },
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
  const outcome = outcomeOf(record);
  const isWell = readResults(record).done && (code === 0 || outcome.failed.length > 0);
  return isWell ? outcome : outcomeOf(record, [`VS Code ended with code ${code}`]);
}

if (process.argv[1] === import.meta.filename)
  process.exitCode = printSummary([{ name: 'host', ...(await runInVSCode()) }]) ? 0 : 1;
