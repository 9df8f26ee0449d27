// Makes the VSIX and installs it where a server looks for extensions.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { hashOf } from '../runner/dependencies.mjs';
import { root, scratch, vsix } from '../runner/layout.mjs';
import { quietly } from '../runner/run.mjs';
import { step } from '../runner/time.mjs';

/** What the package is made from. */
const packaged =
  /^(dist|l10n|media|package\.json|package\.nls(\.[a-z-]+)?\.json|README\.md|CHANGELOG\.md|LICENSE|\.vscodeignore)$/;
const packagedNames = () => readdirSync(root).filter(name => packaged.test(name));

/**
 * Returns the packaged files. `dist` must be built. It is made from a copy, because vsce looks at every file of its folder,
 * of which a checkout with its tools has tens of thousands.
 */
export async function makeVsix() {
  // Another process may be installing the one that is there.
  const made = `${vsix}.${process.pid}`;
  const cwd = `${made}.files`;
  mkdirSync(cwd, { recursive: true });
  try {
    for (const name of packagedNames())
      cpSync(path.join(root, name), path.join(cwd, name), { recursive: true });
    const vsce = (...options) =>
      // Everything is bundled. Relative links of README.md are rewritten to the repository of package.json.
      quietly(
        process.execPath,
        [path.join(root, 'node_modules/@vscode/vsce/vsce'), ...options, '--no-dependencies'],
        { cwd },
      );
    await vsce('package', '--out', made);
    renameSync(made, vsix);
    return (await vsce('ls')).split('\n').filter(Boolean);
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
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

function hashOfPackage() {
  const files = packagedNames().flatMap(name => {
    const file = path.join(root, name);
    if (!statSync(file).isDirectory()) return file;
    const all = readdirSync(file, { recursive: true, withFileTypes: true });
    return all
      .filter(entry => entry.isFile())
      .map(entry => path.join(entry.parentPath, entry.name))
      .sort();
  });
  return hashOf(...files);
}

/** Packages the extension and installs it, unless it is there as it is now. The file `stamp` remembers which one it was. */
export async function installIfChanged(paths, place, stamp) {
  const wanted = hashOfPackage();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  rmSync(stamp, { force: true });
  await step('Packaging the extension', makeVsix);
  await step('Installing it in VS Code', () => installVsix(paths, place));
  writeFileSync(stamp, wanted);
}

/** An installation of the VSIX, of which each window has a copy. */
const installed = path.join(scratch, 'installed');
const listOf = extensionsDir => path.join(extensionsDir, 'extensions.json');

/** Installs the VSIX once, for all windows that call {@link copyInstalled}. */
export async function installOnce(paths) {
  rmSync(installed, { recursive: true, force: true });
  const place = {
    extensionsDir: path.join(installed, 'extensions'),
    dataDir: path.join(installed, 'data'),
  };
  mkdirSync(place.extensionsDir, { recursive: true });
  await installVsix(paths, place);
}

export function copyInstalled({ extensionsDir }) {
  const from = path.join(installed, 'extensions');
  if (!existsSync(listOf(from))) throw new Error('the VSIX is not installed yet');
  cpSync(from, extensionsDir, { recursive: true });
  // The list has the full path of each extension.
  const list = readFileSync(listOf(extensionsDir), 'utf8').replaceAll(from, extensionsDir);
  writeFileSync(listOf(extensionsDir), list);
}

/** Installs an extension of test/fixtures next to the VSIX, as its folder is. */
export function addExtension({ extensionsDir }, folder) {
  const target = path.join(extensionsDir, folder);
  cpSync(path.join(root, 'test/fixtures', folder), target, { recursive: true });
  const { name, publisher, version } = JSON.parse(
    readFileSync(path.join(target, 'package.json'), 'utf8'),
  );
  const list = listOf(extensionsDir);
  const entry = {
    identifier: { id: `${publisher}.${name}` },
    version,
    location: { $mid: 1, path: target, scheme: 'file' },
    relativeLocation: folder,
  };
  writeFileSync(list, JSON.stringify([...JSON.parse(readFileSync(list, 'utf8')), entry]));
}
