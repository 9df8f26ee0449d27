// Installs a headless VS Code (code-server's server, Node 24, Chromium) into .vscode-test/host from
// npm alone: no install scripts, no compiler, no system packages. About 230 MB, 20 s.
import { brotliDecompressSync } from 'node:zlib';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ciArguments, hashOf } from './dependencies.mjs';
import { scratch } from './layout.mjs';
import { npm, quietly } from './run.mjs';
import { restoreApiCheck } from './strictApi.mjs';

const recipe = path.join(import.meta.dirname, 'host');
const host = path.join(scratch, 'host');
const modules = path.join(host, 'node_modules');
const systemChromium = '/usr/bin/chromium';

/** Installs what is missing and returns the paths of `node`, `server` and `chromium`. */
export function installHost() {
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
  const manifests = ['package.json', 'package-lock.json'];
  const wanted = hashOf(...manifests.map(name => path.join(recipe, name)), import.meta.filename);
  const stamp = path.join(host, useSystemChromium ? 'installed-without-chromium' : 'installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return paths;

  mkdirSync(host, { recursive: true });
  for (const name of manifests) copyFileSync(path.join(recipe, name), path.join(host, name));
  // Chromium is the recipe's only development dependency.
  npm([...ciArguments, useSystemChromium ? '--omit=dev' : '--include=dev'], host);
  linkModules();
  restoreApiCheck(path.dirname(paths.server));
  if (!useSystemChromium) unpackChromium();
  writeFileSync(stamp, wanted);
  return paths;
}

/** The workbench loads xterm and the grammars by this path. */
function linkModules() {
  const link = path.join(modules, 'code-server/lib/vscode/node_modules');
  rmSync(link, { recursive: true, force: true });
  symlinkSync('../../..', link);
}

function unpackChromium() {
  const to = path.join(host, 'chromium');
  const from = path.join(modules, '@sparticuz/chromium/bin');
  const unpacked = name => brotliDecompressSync(readFileSync(path.join(from, name)));
  mkdirSync(to, { recursive: true });
  writeFileSync(path.join(to, 'chromium'), unpacked('chromium.br'), { mode: 0o755 });
  for (const name of ['al2023.tar.br', 'fonts.tar.br', 'swiftshader.tar.br'])
    quietly('tar', ['x', '-C', to], { input: unpacked(name) });
  // The archive brings its own nss libraries and fonts.
  const script = `#!/bin/sh
here=$(dirname "$0")
LD_LIBRARY_PATH="$here/lib" FONTCONFIG_PATH="$here/fonts" exec "$here/chromium" "$@"
`;
  writeFileSync(path.join(to, 'run.sh'), script, { mode: 0o755 });
}

if (process.argv[1] === import.meta.filename) console.log(installHost());
