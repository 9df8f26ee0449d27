// Installs a headless VS Code (code-server's server, Node 24, Chromium) into .vscode-test/host from
// npm alone: no install scripts, no compiler, no system packages.

import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { ciArguments, hashOf } from './dependencies.mjs';
import { scratch } from './layout.mjs';
import { npm, quietly } from './run.mjs';
import { restoreApiCheck } from './strictApi.mjs';
import { step } from './time.mjs';

const recipe = path.join(import.meta.dirname, 'host');
const host = path.join(scratch, 'host');
const modules = path.join(host, 'node_modules');
const systemChromium = '/usr/bin/chromium';
const manifests = ['package.json', 'package-lock.json'];

/** Installs what is missing and returns the paths of `node`, `server` and `chromium`. */
export async function installHost() {
  if (process.platform !== 'linux' || !['x64', 'arm64'].includes(process.arch))
    throw new Error(
      `The headless VS Code of these tests runs on Linux x64 and arm64, not on ${process.platform} ${process.arch}. ` +
        'Use a VS Code of your own: VSCODE_EXE=<path of code> npm test',
    );
  const useSystemChromium = existsSync(systemChromium);
  const paths = {
    node: path.join(modules, `node-linux-${process.arch}/bin/node`),
    server: path.join(modules, 'code-server/lib/vscode/out/server-main.js'),
    chromium: useSystemChromium ? systemChromium : path.join(host, 'chromium/run.sh'),
  };
  const wanted = hashOf(...manifests.map(name => path.join(recipe, name)), import.meta.filename);
  const stamp = path.join(host, useSystemChromium ? 'installed-without-chromium' : 'installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return paths;

  await step(
    'Installing a headless VS Code with Node 24 and Chromium (a download of about 240 MB)',
    () => install(paths, useSystemChromium),
  );
  writeFileSync(stamp, wanted);
  return paths;
}

async function install(paths, useSystemChromium) {
  mkdirSync(host, { recursive: true });
  for (const name of manifests) copyFileSync(path.join(recipe, name), path.join(host, name));
  // Chromium is the recipe's only development dependency.
  await npm([...ciArguments, useSystemChromium ? '--omit=dev' : '--include=dev'], host);
  linkModules();
  restoreApiCheck(path.dirname(paths.server));
  if (!useSystemChromium) await unpackChromium();
}

/** The workbench loads xterm and the grammars from the first, the TypeScript extension its server from the second. */
function linkModules() {
  const vscode = path.join(modules, 'code-server/lib/vscode');
  for (const folder of [vscode, path.join(vscode, 'extensions')]) {
    const link = path.join(folder, 'node_modules');
    rmSync(link, { recursive: true, force: true });
    symlinkSync(path.relative(folder, modules), link);
  }
}

async function unpackChromium() {
  const to = path.join(host, 'chromium');
  const from = path.join(modules, '@sparticuz/chromium/bin');
  const unpacked = name => brotliDecompressSync(readFileSync(path.join(from, name)));
  mkdirSync(to, { recursive: true });
  writeFileSync(path.join(to, 'chromium'), unpacked('chromium.br'), { mode: 0o755 });
  for (const name of ['al2023.tar.br', 'fonts.tar.br', 'swiftshader.tar.br'])
    await quietly('tar', ['x', '-C', to], { input: unpacked(name) });
  // The archive brings its own nss libraries and fonts.
  const script = `#!/bin/sh
here=$(dirname "$0")
LD_LIBRARY_PATH="$here/lib" FONTCONFIG_PATH="$here/fonts" exec "$here/chromium" "$@"
`;
  writeFileSync(path.join(to, 'run.sh'), script, { mode: 0o755 });
}

if (process.argv[1] === import.meta.filename) console.log(await installHost());
