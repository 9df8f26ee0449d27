// Runs the tests that need VS Code: node test/support/runHost.mjs [launch...]
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { startBrowser } from './browser.mjs';
import { installHost } from './installHost.mjs';
import { launch } from './launch.mjs';
import { root } from './layout.mjs';

/** `pattern` chooses files of test/host by name. */
export const launches = [
  { name: 'default', pattern: '^(?!reload-|canary-)[^/]*\\.test\\.js$' },
  {
    name: 'reload',
    pattern: '^reload-[^/]*\\.test\\.js$',
    phases: [{ SPLICE_TEST_PHASE: '1' }, { SPLICE_TEST_PHASE: '2' }],
  },
  {
    // Files that must not be touched by an edit without being asked about.
    name: 'canary',
    pattern: '^canary-[^/]*\\.test\\.js$',
    codeFile: 'canary.code-workspace',
    files: {
      '.vscode/settings.json': '{\n  "editor.tabSize": 4\n}\n',
      'canary.code-workspace': '{\n  "folders": [{ "path": "." }],\n  "settings": {}\n}\n',
    },
  },
];

/** Whether the build has a file for this launch. */
export function hasTests({ pattern }) {
  const folder = path.join(root, 'out/host');
  const files = existsSync(folder) ? readdirSync(folder, { recursive: true }) : [];
  return files.some(file => new RegExp(pattern).test(file));
}

/** Runs the named launches, all by default; a launch without test files is skipped. */
export async function runHost(names = []) {
  const total = { passed: 0, failed: 0 };
  const paths = installHost();
  const browser = await startBrowser(paths);
  try {
    for (const options of launches) {
      if (names.length > 0 && !names.includes(options.name)) continue;
      if (!hasTests(options)) continue;
      const { passed, failed } = await launch(paths, browser, options);
      total.passed += passed;
      total.failed += failed;
    }
  } finally {
    await browser.close();
  }
  return total;
}

if (process.argv[1] === import.meta.filename) {
  const { passed, failed } = await runHost(process.argv.slice(2));
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
}
