// One launch of the host tests: a server, a page, and one run of the mocha entry per phase.
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readWithoutTails } from '../longer/locators.mjs';
import { isLonger } from '../longer/texts.mjs';
import { artifacts, hostTests, root } from '../runner/layout.mjs';
import { outcomeOf, recordOf, testFilesIn } from '../runner/pool.mjs';
import { readResults, silence } from '../runner/report/results.mjs';
import { sleep, within } from '../runner/time.mjs';
import { newPage, newProfile, workbenchUrl } from './browser.mjs';
import { neededBuiltinExtensions } from './builtinExtensions.mjs';
import { patience, startDriver } from './pageDriver.mjs';
import { startServer } from './vscodeServer.mjs';
import { environmentOf, makePlace } from './workspace.mjs';

/**
 * Runs the files that `queue` gives, or those that `pattern` names, in each phase. Returns an outcome a
 * phase. Every phase has a server and a page of its own on the same port, with the data, the browser
 * profile and the workspace of the phase before: a window reload.
 */
export async function launch(paths, browser, options) {
  const { name, phases = [{}] } = options;
  const place = makePlace(options);
  const profile = await newProfile(browser);
  const outcomes = [];
  const logFile = path.join(artifacts, `${name}.server.log`);
  rmSync(logFile, { force: true });
  try {
    await options.prepare?.(paths, place);
    let port = 0;
    for (const [index, env] of phases.entries()) {
      const label = phases.length > 1 ? `${name} ${index + 1}` : name;
      const queue = options.queue ?? queueOf(testFiles(options));
      const phase = await runPhase(paths, profile, {
        ...options,
        label,
        place,
        port,
        env,
        logFile,
        queue,
      });
      port = phase.port;
      outcomes.push(phase.outcome);
      if (phase.outcome.failed.length > 0) break;
    }
  } finally {
    await profile.close();
    place.remove();
  }
  return outcomes;
}

/** The built files of test/host that the launch names. */
export const testFiles = ({ pattern }) =>
  testFilesIn(hostTests).filter(file => new RegExp(pattern).test(file));

const queueOf = files => ({ take: () => files.shift() });

async function runPhase(paths, profile, options) {
  const { label, place, logFile, extension = root, entry = 'out/host/entry.js' } = options;
  const output = path.join(place.base, 'output.log');
  const record = recordOf('host', label);
  writeFileSync(output, '');
  let page;
  let current;
  const print = printer(output);
  const nextFile = () => {
    print();
    current = options.queue.take();
    return current ?? null;
  };
  const driver = await startDriver(() => page, path.join(artifacts, 'host'), nextFile);
  const server = await startServer(paths, {
    ...place,
    logFile,
    builtinDir: neededBuiltinExtensions(paths),
    port: options.port,
    language: options.language,
    env: {
      ...environmentOf(place),
      HOST_TEST_OUT: output,
      HOST_TEST_RESULT: record,
      HOST_TEST_DATA: place.base,
      HOST_TEST_FILES: options.pattern,
      HOST_TEST_RESET: options.isShared ? '1' : '',
      HOST_TEST_FOLDER: options.isEmpty ? '' : '1',
      HOST_DRIVER: driver.url,
      ...(process.stdout.isTTY ? { HOST_TEST_COLOR: '1' } : {}),
      ...options.env,
    },
  });
  const opened = await newPage(profile);
  page = opened.page;
  if (isLonger) readWithoutTails(page);
  await page.addInitScript(spreadRandomNumbers);
  const remote = file => `vscode-remote://127.0.0.1:${server.port}${file}`;
  let verdict;
  try {
    const isDone = () => readResults(record).done;
    const end = endOf(page, server, opened.log, { silent: silence(record), isDone });
    const { codeFile } = options;
    await page.goto(
      workbenchUrl(server.port, {
        folder: options.isEmpty ? undefined : place.workspace,
        workspaceFile: codeFile && path.join(place.workspace, codeFile),
        payload: {
          skipWelcome: 'true',
          skipReleaseNotes: 'true',
          extensionDevelopmentPath: remote(extension),
          extensionTestsPath: remote(path.resolve(root, entry)),
        },
      }),
      { waitUntil: 'commit', timeout: patience },
    );
    verdict = await end;
    if (verdict !== 'exit 0')
      await page.screenshot({ path: path.join(artifacts, `${label}.png`) }).catch(() => {});
    else if (options.phases) await writeMemory(page);
  } finally {
    print();
    driver.close();
    await within(5000, page.close());
    await server.stop();
    writeFileSync(path.join(artifacts, `${label}.page.log`), opened.log.join('\n'));
  }
  return { port: server.port, outcome: judge({ label, verdict, record, current }) };
}

/**
 * VS Code numbers the requests to a model at random, and never answers one of two that get the same number. Numbers that
 * follow each other in steps of the golden ratio keep away from each other.
 */
function spreadRandomNumbers() {
  let last = Math.random();
  Math.random = () => {
    last = (last + (Math.sqrt(5) - 1) / 2) % 1;
    return last;
  };
}

/**
 * The page writes its memory (tabs, workspaceState) when its user turns to another window, and
 * otherwise only when it finds idle time every few seconds: too late for a short phase.
 */
async function writeMemory(page) {
  await page.evaluate(() => {
    document.hasFocus = () => false;
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await sleep(1000); // 100 ms after the last change, and the database's own time
}

/** Waits for the tests' exit code, or for anything that means it will never come. */
async function endOf(page, server, log, { silent, isDone }) {
  const exit = new Promise(resolve => {
    void page.exposeFunction('codeAutomationExit', code => resolve(`exit ${code}`));
  });
  await page.exposeFunction('codeAutomationLog', (type, values) =>
    log.push(`[host ${type}] ${values.map(String).join(' ')}`),
  );
  // The workbench restarts a host that dies and then waits for ever.
  const hostDeath = server
    .says(/Extension Host Process exited with code: (\S+), signal: (\S+?)\./)
    .then(async ([, code, signal]) => {
      // A host that ended after its last test is reported by `exit` meanwhile, on a busy machine later.
      await sleep(2000);
      return code === '0' && isDone()
        ? 'exit 0'
        : `the extension host died (code ${code}, signal ${signal})`;
    });
  try {
    return await Promise.race([
      exit,
      hostDeath,
      silent,
      once(page, 'crash').then(() => 'the page crashed'),
      once(page, 'close').then(() => 'the page was closed'),
      server.exited.then(how => `the server exited (${how})`),
    ]);
  } finally {
    silent.stop();
  }
}

/** Exit 0 alone proves nothing: the workbench also says 0 for a host that died. */
function judge({ label, verdict, record, current }) {
  const { done, failed } = readResults(record);
  if (done && (verdict === 'exit 0' || failed.length > 0)) return outcomeOf(record);
  const pictures = `${path.relative(root, artifacts)}/${label}.png and ${label}.page.log`;
  return outcomeOf(record, [`the window: ${verdict}; see ${pictures}`], current);
}

/** Gives a function that prints what has been appended to the file since it was called last. */
function printer(file) {
  let shown = 0;
  return () => {
    const bytes = readFileSync(file);
    process.stdout.write(bytes.subarray(shown));
    shown = bytes.length;
  };
}
