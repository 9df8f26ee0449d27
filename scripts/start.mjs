// npm start: a VS Code with Splice, a sample workspace to try it on, and a stand-in of the service.
//   --fresh   puts the sample back to its first state
//   --data=F  keeps everything in the folder F, for a VS Code next to one that is running
//   --check   only verifies that the window and the stand-in answer, in a temporary folder
//   --prepare only builds the extension, with source maps, and makes the sample workspace: for F5 in VS Code
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { installDependencies } from '../test/support/runner/dependencies.mjs';
import { artifacts, root, scratch } from '../test/support/runner/layout.mjs';
import { useTemporaryFolder } from '../test/support/runner/lifetime.mjs';
import { run } from '../test/support/runner/run.mjs';
import { step } from '../test/support/runner/time.mjs';
import { makeSampleWorkspace } from './sampleWorkspace.mjs';
import { startService } from './service.mjs';
import { singleInstance } from './singleInstance.mjs';

const usualPort = 8137;
const { values } = parseArgs({
  options: {
    fresh: { type: 'boolean' },
    check: { type: 'boolean' },
    prepare: { type: 'boolean' },
    data: { type: 'string' },
  },
});

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

const userSettings = {
  // As on the desktop; the default of a browser differs.
  'files.autoSave': 'off',
  // A slow window reads the settings of the workspace only after it has chosen what to open.
  'workbench.startupEditor': 'readme',
};

/** A window on a server takes it from the machine only: who starts it from the sources has the README of the sample. */
const machineSettings = { 'workbench.welcomePage.walkthroughs.openOnInstall': false };

/** `data` keeps all that VS Code writes, `port` 0 is any. */
async function startOwnHost({ data, port }) {
  // Imported late: these need what installDependencies() installs.
  const [{ installHost }, { startServer }, { installIfChanged }] = await Promise.all([
    import('../test/support/runner/installHost.mjs'),
    import('../test/support/host/vscodeServer.mjs'),
    import('../test/support/host/vsix.mjs'),
  ]);
  const paths = await installHost();
  // For the sockets and caches that VS Code leaves where temporary files go.
  useTemporaryFolder();
  const base = path.join(data, 'start');
  const place = { dataDir: path.join(base, 'data'), extensionsDir: path.join(base, 'extensions') };
  mkdirSync(place.extensionsDir, { recursive: true });
  for (const [of, written] of Object.entries({ User: userSettings, Machine: machineSettings })) {
    const settings = path.join(place.dataDir, 'data', of, 'settings.json');
    mkdirSync(path.dirname(settings), { recursive: true });
    if (!existsSync(settings)) writeFileSync(settings, `${JSON.stringify(written, null, 2)}\n`);
  }
  await installIfChanged(paths, place, path.join(base, 'installed'));
  const server = await step('Starting VS Code', () =>
    startServer(paths, {
      ...place,
      logFile: path.join(artifacts, 'start.server.log'),
      port,
      smokeTest: false,
    }),
  );
  return {
    ...server,
    url: `http://127.0.0.1:${server.port}/?folder=${encodeURIComponent(workspaceOf(data))}`,
  };
}

const workspaceOf = data => path.join(data, 'sample');

async function buildExtension(...options) {
  const code = await step('Building the extension', () =>
    run(process.execPath, ['esbuild.mjs', '--only=extension', ...options], { cwd: root }),
  );
  if (code !== 0) throw new Error('the extension could not be built');
}

async function verify(url, text) {
  const response = await fetch(url);
  const page = await response.text();
  if (!response.ok || !page.includes(text)) throw new Error(`${url} does not answer`);
}

function stopped() {
  return new Promise(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, resolve);
  });
}

async function check() {
  await installDependencies();
  await buildExtension();
  const data = useTemporaryFolder();
  await makeSampleWorkspace(workspaceOf(data));
  const service = await step('Starting the stand-in', () => startService({ port: 0 }));
  const server = await startOwnHost({ data, port: 0 });
  try {
    await verify(server.url, 'workbench');
    await verify(`${service.url}/api/models/json`, 'svc-');
  } finally {
    await server.stop();
    await service.close();
  }
  console.log(`The window answered at ${server.url}, the stand-in at ${service.url}.`);
}

async function prepare() {
  await installDependencies();
  await buildExtension('--debug');
  await makeSampleWorkspace(workspaceOf(scratch), { fresh: values.fresh });
}

async function start() {
  const data = path.resolve(values.data ?? scratch);
  const { other, announce } = await singleInstance(data);
  if (other !== undefined) {
    console.log(`npm start is running already. ${other || 'It is still starting.'}
To start again, stop it with Ctrl+C in its terminal; --data=FOLDER starts a second one beside it.`);
    return;
  }
  const stop = stopped();
  await installDependencies();
  await buildExtension();
  const workspace = workspaceOf(data);
  await makeSampleWorkspace(workspace, { fresh: values.fresh });
  const service = await step('Starting the stand-in of the service', () => startService());
  const aboutService = `Splice merges on this machine and needs no service for it. For the features that have no local
engine (chat models, reflexes, endpoints, jobs) a stand-in of the service runs on loopback:

${service.howTo}`;

  const code = values.data ? undefined : desktopCode();
  if (code) {
    const shell = process.platform === 'win32'; // code.cmd runs in no other way
    const quoted = text => (shell ? `"${text}"` : text);
    const args = [`--extensionDevelopmentPath=${root}`, workspace];
    const exitCode = await run(quoted(code), args.map(quoted), { shell });
    if (exitCode === 0) {
      announce('It has opened a window of VS Code.');
      console.log(`\n${aboutService}\n\nCtrl+C stops the stand-in.`);
      await stop;
    } else process.exitCode = exitCode;
  } else {
    const port = (await isFree(usualPort)) ? usualPort : 0;
    const server = await startOwnHost({ data, port });
    announce(`Open ${server.url}`);
    console.log(`
Open ${server.url}

  1. Copy the inside of a code block in the sample's README.md, which opens with the window.
  2. Open the file it belongs to; run "Splice: Apply Clipboard Edit" (F1, or Ctrl+K Ctrl+V).
  3. Alt+Y accepts a change, Alt+N rejects it, Shift+Alt+Y accepts all.

${aboutService}

Ctrl+C stops it.`);
    const crash = await Promise.race([stop, server.exited]);
    await server.stop();
    if (String(crash).startsWith('code')) {
      console.error(`VS Code ended by itself (${crash}).`);
      process.exitCode = 1;
    }
  }
  await service.close();
}

await (values.check ? check() : values.prepare ? prepare() : start());
