// One launch of the host tests: a server, a page, and one run of the mocha entry per phase.
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { newPage, newProfile, workbenchUrl } from './browser.mjs';
import { artifacts, root } from './layout.mjs';
import { startDriver } from './pageDriver.mjs';
import { sleep, within } from './time.mjs';
import { startServer } from './vscodeServer.mjs';
import { environmentOf, makePlace } from './workspace.mjs';

/**
 * Returns {passed, failed}. Every phase has a server and a page of its own on the same port, with
 * the data, the browser profile and the workspace of the phase before: a window reload.
 */
export async function launch(paths, browser, options) {
  const { name, phases = [{}] } = options;
  const place = makePlace(options);
  const profile = await newProfile(browser);
  const total = { passed: 0, failed: 0 };
  const logFile = path.join(artifacts, `${name}.server.log`);
  rmSync(logFile, { force: true });
  try {
    await options.prepare?.(paths, place);
    let port = 0;
    for (const [index, env] of phases.entries()) {
      const label = phases.length > 1 ? `${name} ${index + 1}` : name;
      const result = await runPhase(paths, profile, {
        ...options,
        label,
        place,
        port,
        env,
        logFile,
      });
      port = result.port;
      total.passed += result.passed;
      total.failed += result.failed;
      if (result.failed > 0) break;
    }
  } finally {
    await profile.close();
    place.remove();
  }
  return total;
}

async function runPhase(paths, profile, options) {
  const { label, place, logFile, extension = root, entry = 'out/host/entry.js' } = options;
  const output = path.join(place.base, 'output.log');
  const record = path.join(place.base, 'result.json');
  writeFileSync(output, '');
  rmSync(record, { force: true });
  let page;
  const driver = await startDriver(() => page, path.join(artifacts, 'host'));
  const server = await startServer(paths, {
    ...place,
    logFile,
    port: options.port,
    env: {
      ...environmentOf(place),
      HOST_TEST_OUT: output,
      HOST_TEST_RESULT: record,
      HOST_TEST_FILES: options.pattern,
      HOST_TEST_NAME: label,
      HOST_TEST_FOLDER: options.isEmpty ? '' : '1',
      HOST_DRIVER: driver.url,
      FAILED_TESTS: process.env.FAILED_TESTS ?? '',
      ...(process.stdout.isTTY ? { HOST_TEST_COLOR: '1' } : {}),
      ...options.env,
    },
  });
  const opened = await newPage(profile);
  page = opened.page;
  const stopTail = tail(output);
  const remote = file => `vscode-remote://127.0.0.1:${server.port}${file}`;
  let verdict;
  try {
    const end = endOf(page, server, opened.log, silence(output));
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
      { waitUntil: 'commit', timeout: 30_000 },
    );
    verdict = await end;
    if (verdict !== 'exit 0')
      await page.screenshot({ path: path.join(artifacts, `${label}.png`) }).catch(() => {});
    else if (options.phases) await writeMemory(page);
  } finally {
    stopTail();
    driver.close();
    await within(5000, page.close());
    await server.stop();
    writeFileSync(path.join(artifacts, `${label}.page.log`), opened.log.join('\n'));
  }
  return { port: server.port, ...judge(label, verdict, record) };
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
async function endOf(page, server, log, silent) {
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
      await sleep(2000); // a host that ended after its last test is reported by `exit` meanwhile
      return `the extension host died (code ${code}, signal ${signal})`;
    });
  try {
    return await Promise.race([
      exit,
      hostDeath,
      silent.then(ms => `no test has ended for ${ms / 1000} s`),
      once(page, 'crash').then(() => 'the page crashed'),
      once(page, 'close').then(() => 'the page was closed'),
      server.exited.then(how => `the server exited (${how})`),
    ]);
  } finally {
    silent.stop();
  }
}

/**
 * Resolves when nothing has been appended to the file for longer than any test may take. All tests
 * together may take as long as they do: a busy machine is no reason to throw their results away.
 */
function silence(file, ms = 420_000) {
  let size = 0;
  let since = Date.now();
  let timer;
  const silent = new Promise(resolve => {
    timer = setInterval(() => {
      const now = statSync(file).size;
      if (now !== size) since = Date.now();
      size = now;
      if (Date.now() - since > ms) resolve(ms);
    }, 1000);
  });
  return Object.assign(silent, { stop: () => clearInterval(timer) });
}

/** Exit 0 alone proves nothing: the workbench also says 0 for a host that died. */
function judge(label, verdict, record) {
  const {
    passes = 0,
    failures = 0,
    done,
  } = existsSync(record) ? JSON.parse(readFileSync(record, 'utf8')) : {};
  if (verdict === 'exit 0' && done && failures === 0 && passes > 0)
    return { passed: passes, failed: 0 };
  if (done && failures > 0) return { passed: passes, failed: failures };
  console.log(`host ${label}: ${verdict}, ${done ? `${passes} tests passed` : 'no result'}`);
  console.log(`  see ${path.relative(root, artifacts)}/${label}.png and ${label}.page.log`);
  return { passed: passes, failed: 1 };
}

/** Copies what is appended to the file to the terminal. */
function tail(file) {
  let shown = 0;
  const copy = () => {
    const bytes = readFileSync(file);
    if (bytes.length > shown) process.stdout.write(bytes.subarray(shown));
    shown = bytes.length;
  };
  const timer = setInterval(copy, 100);
  return () => {
    clearInterval(timer);
    copy();
  };
}
