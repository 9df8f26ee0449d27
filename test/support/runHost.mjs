// Runs the tests that need VS Code: node test/support/runHost.mjs [launch...]
import { appendFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { startBrowser } from './browser.mjs';
import { installHost } from './installHost.mjs';
import { launch } from './launch.mjs';
import { root } from './layout.mjs';

/** `pattern` chooses files of test/host by name. */
export const launches = [
  { name: 'default', pattern: '^(?!reload-|canary-|empty-)[^/]*\\.test\\.js$' },
  { name: 'empty', pattern: '^empty-[^/]*\\.test\\.js$', isEmpty: true },
  {
    name: 'reload',
    pattern: '^reload-(?!reflex)[^/]*\\.test\\.js$',
    phases: [{ SPLICE_TEST_PHASE: '1' }, { SPLICE_TEST_PHASE: '2' }],
  },
  {
    // A batch goes on with the service that it began with, so no other test may set another one.
    name: 'reload-reflex',
    pattern: '^reload-reflex\\.test\\.js$',
    phases: [{ SPLICE_TEST_PHASE: '1' }, { SPLICE_TEST_PHASE: '2' }],
  },
  {
    // A hostile workspace: all of its settings name a server that nothing may ever reach.
    name: 'canary',
    pattern: '^canary-[^/]*\\.test\\.js$',
    codeFile: 'canary.code-workspace',
    prepare: prepareCanary,
  },
];

/** Every connection and byte goes to canary.log, next to the workspace. */
function prepareCanary(paths, { base, workspace }) {
  const record = path.join(base, 'canary.log');
  writeFileSync(record, '');
  const server = createServer(socket => {
    appendFileSync(record, 'connection\n');
    socket.on('error', () => {});
    socket.on('data', bytes => {
      appendFileSync(record, bytes);
      socket.destroy();
    });
  });
  server.listen(0).unref(); // without a host name the port is known at once
  const settings = {
    'splice.service.baseUrl': `http://127.0.0.1:${server.address().port}`,
    'splice.network.transport': 'host',
    'splice.apply.engine': 'service',
    'splice.apply.model': 'svc-v3-large',
    'splice.compact.engine': 'service',
    'splice.compact.route': 'chat',
    'splice.reflex.guard': true,
    'splice.reflex.files': ['**/*'],
    'splice.reflex.dailyCalls': 1_000_000,
  };
  const write = (name, content) => {
    const file = path.join(workspace, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(content, null, 2));
  };
  write('.vscode/settings.json', settings);
  write('canary.code-workspace', { folders: [{ path: '.' }], settings });
}

/** Whether the build has a file for this launch. */
export function hasTests({ pattern }) {
  const folder = path.join(root, 'out/host');
  const files = existsSync(folder) ? readdirSync(folder, { recursive: true }) : [];
  return files.some(file => new RegExp(pattern).test(file));
}

/** Runs the named launches, all by default; a launch without test files is skipped. */
export async function runHost(names = []) {
  const total = { passed: 0, failed: 0 };
  const paths = await installHost();
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
