// Starts one VS Code server and stops it with everything it started.
import { once } from 'node:events';
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { killTree, spawnOwned } from '../runner/lifetime.mjs';
import { within } from '../runner/time.mjs';

/** Makes VS Code use a language without its language pack: its own texts stay English, those of extensions do not. */
function addLanguage(dataDir, language) {
  const texts = path.join(dataDir, 'data/texts.json');
  mkdirSync(path.dirname(texts), { recursive: true });
  writeFileSync(texts, JSON.stringify({ contents: {} }));
  const pack = {
    hash: 'none',
    label: language,
    extensions: [{ extensionIdentifier: { id: 'none.none' }, version: '1.0.0' }],
    translations: { vscode: texts },
  };
  writeFileSync(
    path.join(dataDir, 'data/languagepacks.json'),
    JSON.stringify({ [language]: pack }),
  );
}

/**
 * `smokeTest` lets the page load an extension under development and run tests; it also hides
 * notifications. Resolves once the server listens.
 */
export async function startServer(
  paths,
  {
    dataDir,
    extensionsDir,
    builtinDir,
    logFile,
    env = {},
    port = 0,
    smokeTest = true,
    language,
    readyMs = 60_000,
  },
) {
  mkdirSync(path.dirname(logFile), { recursive: true });
  if (language) addLanguage(dataDir, language);
  const log = createWriteStream(logFile, { flags: 'a' });
  const child = spawnOwned(
    paths.node,
    [
      paths.server,
      '--host=127.0.0.1',
      `--port=${port}`,
      `--server-data-dir=${dataDir}`,
      `--extensions-dir=${extensionsDir}`,
      '--without-connection-token',
      '--accept-server-license-terms',
      '--telemetry-level=off',
      '--disable-workspace-trust',
      '--disable-update-check',
      ...(builtinDir ? [`--builtin-extensions-dir=${builtinDir}`] : []),
      ...(smokeTest ? ['--enable-smoke-test-driver'] : []),
      ...(language ? [`--locale=${language}`] : []),
    ],
    { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const exited = once(child, 'exit').then(([code, signal]) => `code ${code}, signal ${signal}`);
  let output = '';
  const listeners = new Set();
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', data => {
      log.write(data);
      output += data;
      for (const listener of listeners) listener();
    });
  /** Resolves with the first match in what the server has said and will say. */
  const says = pattern =>
    new Promise(resolve => {
      const look = () => {
        const match = pattern.exec(output);
        if (match) resolve(match);
      };
      listeners.add(look);
      look();
    });
  const stop = async () => {
    killTree(child.pid, 'SIGTERM'); // with the extension host, terminals and watchers
    await within(3000, exited);
    killTree(child.pid, 'SIGKILL');
    await within(2000, exited);
    log.end();
  };

  const ready = await within(
    readyMs,
    Promise.race([says(/Extension host agent listening on (\d+)/), exited]),
  );
  if (!Array.isArray(ready)) {
    await stop();
    throw new Error(`VS Code server: ${ready ?? `not ready in ${readyMs} ms`}\n${output}`);
  }
  return { port: Number(ready[1]), exited, says, stop };
}
