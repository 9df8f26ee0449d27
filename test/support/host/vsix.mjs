// Makes the VSIX and installs it where a server looks for extensions.
import {
  copyFileSync,
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
import { isPreRelease } from '../../../scripts/release.mjs';
import { hashOf } from '../runner/dependencies.mjs';
import { givenVsix, root, scratch, vsix } from '../runner/layout.mjs';
import { everySaid, quietly } from '../runner/run.mjs';
import { step } from '../runner/time.mjs';
import { readZip } from './zip.mjs';

/** What the package is made from. */
const packaged =
  /^(dist|l10n|media|package\.json|package\.nls(\.[a-z-]+)?\.json|README\.md|CHANGELOG\.md|LICENSE|\.vscodeignore)$/;
const packagedNames = () => readdirSync(root).filter(name => packaged.test(name));

export function copyPackaged(folder) {
  for (const name of packagedNames())
    cpSync(path.join(root, name), path.join(folder, name), { recursive: true });
}

/**
 * Returns the packaged files. `dist` must be built. It is made from a copy, because vsce looks at every file of its folder,
 * of which a checkout with its tools has tens of thousands. Where SPLICE_VSIX names a VSIX, as when a release is
 * tested, that one is used as it is.
 */
export async function makeVsix() {
  if (givenVsix) {
    copyFileSync(givenVsix, vsix);
    return filesOfVsix();
  }
  // Another process may be installing the one that is there.
  const made = `${vsix}.${process.pid}`;
  const cwd = `${made}.files`;
  mkdirSync(cwd, { recursive: true });
  try {
    copyPackaged(cwd);
    const { version } = writeManifest(path.join(cwd, 'package.json'));
    const script = path.join(root, 'node_modules/@vscode/vsce/vsce');
    // Everything is bundled. Relative links of README.md are rewritten to the repository of package.json.
    const options = ['--no-dependencies', ...(isPreRelease(version) ? ['--pre-release'] : [])];
    const said = await everySaid(process.execPath, [script, 'package', '--out', made, ...options], {
      cwd,
    });
    if (/\bWARNING\b/.test(said)) throw new Error(`vsce warns:\n${said}`);
    renameSync(made, vsix);
    return filesOfVsix();
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

/** Leaves out of a copy of package.json what only a checkout needs, and its spaces. @returns what is left */
function writeManifest(file) {
  const { scripts: _, devDependencies: __, ...shipped } = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify(shipped));
  return shipped;
}

/** Names that vsce gives to some files. */
const originalNames = {
  'readme.md': 'README.md',
  'changelog.md': 'CHANGELOG.md',
  'LICENSE.txt': 'LICENSE',
};
const folderInVsix = 'extension/';

/** The files of the extension in the VSIX, by their paths in the project. */
function filesOfVsix() {
  return [...readZip(readFileSync(vsix)).keys()]
    .filter(name => name.startsWith(folderInVsix))
    .map(name => name.slice(folderInVsix.length))
    .map(name => originalNames[name] ?? name);
}

/** Where a desktop VS Code that has no way to install it loads a VSIX from: the files in it. */
export function unpackVsix(file, folder) {
  rmSync(folder, { recursive: true, force: true });
  for (const [name, contents] of readZip(readFileSync(file))) {
    const target = path.join(folder, name);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, contents);
  }
  return path.join(folder, folderInVsix);
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

/** @param files path to text, over those of the extension */
export function copyInstalled({ extensionsDir }, files = {}) {
  const from = path.join(installed, 'extensions');
  if (!existsSync(listOf(from))) throw new Error('the VSIX is not installed yet');
  cpSync(from, extensionsDir, { recursive: true });
  // The list has the full path of each extension.
  const list = readFileSync(listOf(extensionsDir), 'utf8').replaceAll(from, extensionsDir);
  writeFileSync(listOf(extensionsDir), list);
  const [{ relativeLocation }] = JSON.parse(list);
  for (const [name, text] of Object.entries(files))
    writeFileSync(path.join(extensionsDir, relativeLocation, name), text);
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
