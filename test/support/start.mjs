// npm start: a VS Code with Splice, a sample workspace to try it on, and a stand-in of the service.
//   --fresh   puts the sample back to its first state
//   --check   only verifies that the window and the stand-in answer
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { installDependencies } from './dependencies.mjs';
import { artifacts, root, sample, scratch } from './layout.mjs';
import { run } from './run.mjs';
import { startService } from './service.mjs';

const usualPort = 8137;
const { values } = parseArgs({
  options: { fresh: { type: 'boolean' }, check: { type: 'boolean' } },
});
const workspace = path.join(scratch, 'sample');

function desktopCode() {
  const name = process.platform === 'win32' ? 'code.cmd' : 'code';
  return (process.env.PATH ?? '')
    .split(path.delimiter)
    .map(directory => path.join(directory, name))
    .find(file => existsSync(file));
}

function isFree(port) {
  return new Promise(resolve => {
    const probe = net.createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}

async function startOwnHost() {
  // Imported late: these need what installDependencies() installs.
  const [{ installHost }, { startServer }, { installVsix, makeVsix }] = await Promise.all([
    import('./installHost.mjs'),
    import('./vscodeServer.mjs'),
    import('./vsix.mjs'),
  ]);
  const paths = installHost();
  const place = {
    dataDir: path.join(scratch, 'start/data'),
    extensionsDir: path.join(scratch, 'start/extensions'),
  };
  makeVsix();
  mkdirSync(place.extensionsDir, { recursive: true });
  const user = path.join(place.dataDir, 'data/User');
  mkdirSync(user, { recursive: true });
  const settings = path.join(user, 'settings.json');
  if (!existsSync(settings))
    writeFileSync(
      settings,
      '{\n  "workbench.startupEditor": "none",\n  "files.autoSave": "off"\n}\n',
    );
  installVsix(paths, place);
  const server = await startServer(paths, {
    ...place,
    logFile: path.join(artifacts, 'start.server.log'),
    port: (await isFree(usualPort)) ? usualPort : 0,
    smokeTest: false,
  });
  return {
    ...server,
    url: `http://127.0.0.1:${server.port}/?folder=${encodeURIComponent(workspace)}`,
  };
}

async function check(url, text) {
  const response = await fetch(url);
  const page = await response.text();
  if (!response.ok || !page.includes(text)) throw new Error(`${url} does not answer`);
}

function stopped() {
  return new Promise(resolve => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
}

installDependencies();
const built = await run(process.execPath, ['esbuild.mjs', '--only=extension'], { cwd: root });
if (built !== 0) process.exit(built);
if (values.fresh) rmSync(workspace, { recursive: true, force: true });
if (!existsSync(workspace)) {
  mkdirSync(workspace, { recursive: true });
  if (existsSync(sample)) cpSync(sample, workspace, { recursive: true });
}

const service = await startService();
const aboutService = `Splice merges on this machine and needs no service for it. For the rooms that have no local
engine (chat models, reflexes, endpoints, jobs) a stand-in of the service runs on loopback:

${service.howTo}`;

const code = values.check ? undefined : desktopCode();
if (code) {
  const windows = process.platform === 'win32';
  process.exitCode = await run(code, [`--extensionDevelopmentPath=${root}`, workspace], {
    shell: windows,
  });
  if (process.exitCode === 0) {
    console.log(`${aboutService}\n\nCtrl+C stops the stand-in.`);
    await stopped();
  }
} else {
  const server = await startOwnHost();
  if (values.check) {
    try {
      await check(server.url, 'workbench');
      await check(`${service.url}/api/models/json`, 'svc-');
    } finally {
      await server.stop();
    }
    console.log(`the window answers at ${server.url}, the stand-in at ${service.url}`);
  } else {
    console.log(`Open ${server.url}

  1. Copy the inside of a code block in the sample's README.md.
  2. Open the file it belongs to; run "Splice: Apply Clipboard Edit" (F1, or Ctrl+K Ctrl+V).
  3. Alt+Y accepts a change, Alt+N rejects it, Shift+Alt+Y accepts all.

${aboutService}

Ctrl+C stops it.`);
    await Promise.race([stopped(), server.exited]);
    await server.stop();
  }
}
await service.close();
