// Runs the tests that need VS Code: node test/support/host/runHost.mjs [launch...]
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { copyWithLongerTexts, longerLanguage } from '../longer/language.mjs';
import { isLonger } from '../longer/texts.mjs';
import { installHost } from '../runner/installHost.mjs';
import { hostTests, root } from '../runner/layout.mjs';
import { combine, runInTurn } from '../runner/pool.mjs';
import { withSecondTry } from '../runner/report/secondTry.mjs';
import { printSummary } from '../runner/report/summary.mjs';
import { inSlot, slots } from '../runner/slots.mjs';
import { startBrowser } from './browser.mjs';
import { launch, testFiles } from './launch.mjs';

/** `pattern` chooses files of test/host by name. */
export const launches = [
  {
    name: 'default',
    pattern: '^(?!reload-|canary-|empty-|alone-|virtual-)[^/]*\\.test\\.js$',
    isShared: true,
  },
  // It runs every command, and so meets all that other tests have left, such as reviews to open again.
  { name: 'alone', pattern: '^alone-[^/]*\\.test\\.js$' },
  { name: 'empty', pattern: '^empty-[^/]*\\.test\\.js$', isEmpty: true },
  {
    name: 'reload',
    pattern: '^reload-(?!reflex|external|receipt|page|playground)[^/]*\\.test\\.js$',
    phases: [{ SPLICE_TEST_PHASE: '1' }, { SPLICE_TEST_PHASE: '2' }],
  },
  {
    // Its tab is in front, where the one of a review is expected.
    name: 'reload-receipt',
    pattern: '^reload-receipt\\.test\\.js$',
    phases: [{ SPLICE_TEST_PHASE: '1' }, { SPLICE_TEST_PHASE: '2' }],
  },
  {
    // Its reviews must not be among those that other tests count.
    name: 'reload-page',
    pattern: '^reload-page\\.test\\.js$',
    phases: [{ SPLICE_TEST_PHASE: '1' }, { SPLICE_TEST_PHASE: '2' }],
  },
  {
    // It follows what is written to disk, which other tests do.
    name: 'reload-external',
    pattern: '^reload-external\\.test\\.js$',
    phases: [{ SPLICE_TEST_PHASE: '1' }, { SPLICE_TEST_PHASE: '2' }],
  },
  {
    // Its run belongs to the service that it began with.
    name: 'reload-playground',
    pattern: '^reload-playground\\.test\\.js$',
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
  {
    // A folder in memory, of which its tests are the file system, beside one on the disk.
    name: 'virtual',
    pattern: '^virtual-[^/]*\\.test\\.js$',
    codeFile: 'virtual.code-workspace',
    prepare: prepareVirtual,
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

function prepareVirtual(_paths, { workspace }) {
  const folders = [
    { uri: 'memory:/shop', name: 'shop' },
    { path: '.', name: 'disk' },
  ];
  writeFileSync(path.join(workspace, 'virtual.code-workspace'), JSON.stringify({ folders }));
}

/**
 * Runs the named launches, all by default; a launch without test files is skipped. The files of the
 * default one are shared by several windows.
 */
export async function runHost(names = []) {
  const paths = await installHost();
  const browser = await startBrowser(paths);
  const inLanguage = isLonger ? longerLaunch() : {};
  const chosen = launches
    .filter(
      options =>
        (names.length === 0 || names.includes(options.name)) && testFiles(options).length > 0,
    )
    .map(options => ({ ...options, ...inLanguage }));
  const run = async list => {
    const outcomes = await Promise.all(
      list.flatMap(options =>
        options.isShared
          ? shareOut(paths, browser, options)
          : inSlot(() => launch(paths, browser, options)),
      ),
    );
    return combine(outcomes.flat());
  };
  try {
    return await withSecondTry(await run(chosen), async files => run(launchesOf(files, chosen)));
  } finally {
    await browser.close();
  }
}

/** What a launch needs to have longer texts. */
function longerLaunch() {
  const extension = copyWithLongerTexts();
  const entry = path.join(extension, path.relative(root, hostTests), 'entry.js');
  return { extension, entry, language: longerLanguage };
}

/** The launches that run these files: of one that is shared only these, of another all, for they need each other. */
function launchesOf(wanted, chosen) {
  return chosen.flatMap(options => {
    const files = testFiles(options).filter(file => wanted.includes(file));
    if (files.length === 0) return [];
    return [{ ...options, name: `${options.name} again`, ...(options.isShared ? { files } : {}) }];
  });
}

function shareOut(paths, browser, options) {
  // In the order of their names: what the tests of a file leave, such as runs that go on, then meets the
  // same files after it, or fewer, however the windows share them.
  const files = options.files ?? testFiles(options);
  const queue = { take: () => files.shift() };
  const windows = Math.min(slots, files.length);
  return Array.from({ length: windows }, (_, index) =>
    inSlot(() =>
      runInTurn(
        () => files.length,
        life => {
          const name = `${options.name} ${'abcdefgh'[index]}${life > 0 ? life + 1 : ''}`;
          return launch(paths, browser, { ...options, name, queue });
        },
      ),
    ),
  );
}

if (process.argv[1] === import.meta.filename) {
  const outcome = await runHost(process.argv.slice(2));
  process.exitCode = printSummary([{ name: 'host', ...outcome }]) ? 0 : 1;
}
