// `npm ci` when the lock file has changed since the last time.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './layout.mjs';
import { npm } from './run.mjs';

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

export function installDependencies() {
  const stamp = path.join(root, 'node_modules/.splice-lock');
  const wanted = hashOf(path.join(root, 'package-lock.json'));
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  // Without NODE_ENV=production, which would leave the development tools out.
  const options = [...ciArguments.slice(1), '--include=dev'];
  try {
    npm(['ci', ...options], root);
  } catch (error) {
    // A registry without other systems' binaries leaves them out of the lock file, which `ci`
    // refuses; `install --no-save` takes the same versions and leaves the lock file alone.
    if (!String(error).includes('EUSAGE')) throw error;
    npm(['install', '--no-save', ...options], root);
  }
  writeFileSync(stamp, wanted);
}

if (process.argv[1] === import.meta.filename) installDependencies();
