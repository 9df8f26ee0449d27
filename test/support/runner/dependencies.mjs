// `npm ci` when node_modules is not what the lock file says.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './layout.mjs';
import { npm } from './run.mjs';
import { step } from './time.mjs';

export const ciArguments = [
  'ci',
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
];

export function hashOf(...files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(file));
  return hash.digest('hex');
}

const packagesOf = file => JSON.parse(readFileSync(file, 'utf8')).packages;

/** npm lists in node_modules what it installed. Optional packages may be left out. */
function isInstalled() {
  const list = path.join(root, 'node_modules/.package-lock.json');
  if (!existsSync(list)) return false;
  const installed = packagesOf(list);
  const wanted = packagesOf(path.join(root, 'package-lock.json'));
  return Object.entries(wanted).every(([place, { version, optional }]) => {
    if (place === '') return true;
    if (optional) return !installed[place] || installed[place].version === version;
    return installed[place]?.version === version && existsSync(path.join(root, place));
  });
}

export async function installDependencies() {
  if (isInstalled()) return;
  await step('Installing the tools of package-lock.json (a download of about 160 MB)', () =>
    // Without NODE_ENV=production, which would leave the development tools out.
    npm([...ciArguments, '--include=dev'], root),
  );
}
