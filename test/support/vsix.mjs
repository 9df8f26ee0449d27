// Makes the VSIX and installs it where a server looks for extensions.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root, vsix } from './layout.mjs';
import { quietly } from './run.mjs';

/** Returns the packaged files. `dist` must be built. */
export async function makeVsix() {
  mkdirSync(path.dirname(vsix), { recursive: true });
  rmSync(vsix, { force: true });
  const vsce = path.join(root, 'node_modules/@vscode/vsce/vsce');
  // Everything is bundled, and there is no repository address to rewrite links with.
  const options = [
    '--no-dependencies',
    '--allow-missing-repository',
    '--no-rewrite-relative-links',
  ];
  await quietly(process.execPath, [vsce, 'package', ...options, '--out', vsix], { cwd: root });
  const list = await quietly(process.execPath, [vsce, 'ls', '--no-dependencies'], { cwd: root });
  return list.split('\n').filter(Boolean);
}

export function installVsix(paths, { extensionsDir, dataDir }) {
  return quietly(paths.node, [
    paths.server,
    `--install-extension=${vsix}`,
    '--force',
    `--extensions-dir=${extensionsDir}`,
    `--server-data-dir=${dataDir}`,
  ]);
}

/** Installs an extension of test/fixtures next to the VSIX, as its folder is. */
export function addExtension({ extensionsDir }, folder) {
  const target = path.join(extensionsDir, folder);
  cpSync(path.join(root, 'test/fixtures', folder), target, { recursive: true });
  const { name, publisher, version } = JSON.parse(
    readFileSync(path.join(target, 'package.json'), 'utf8'),
  );
  const list = path.join(extensionsDir, 'extensions.json');
  const entry = {
    identifier: { id: `${publisher}.${name}` },
    version,
    location: { $mid: 1, path: target, scheme: 'file' },
    relativeLocation: folder,
  };
  writeFileSync(list, JSON.stringify([...JSON.parse(readFileSync(list, 'utf8')), entry]));
}
