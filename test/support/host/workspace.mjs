// A temporary directory with a workspace and the data of one VS Code installation.
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sample } from '../runner/layout.mjs';
import { useTemporaryFolder } from '../runner/lifetime.mjs';

const quiet = {
  'workbench.startupEditor': 'none',
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
  'telemetry.telemetryLevel': 'off',
  'workbench.reduceMotion': 'on',
  'editor.cursorBlinking': 'solid', // each blink draws the window again, and there is no GPU
  'editor.minimap.enabled': false, // as much drawing as the editor itself
  'extensions.ignoreRecommendations': true,
  'files.autoSave': 'off', // as on the desktop; the browser's default differs
  // Nothing is told of servers that other tests start, and nobody looks for them in /proc.
  'remote.autoForwardPorts': false,
  'git.openRepositoryInParentFolders': 'never',
  // The tests of other features write files, which is nothing to review.
  'splice.externalChanges.follow': false,
};

/** `files` (path → text) are written over the fixture, `settings` are the user's. */
export function makePlace({ fixture = sample, files = {}, settings = {} } = {}) {
  const base = mkdtempSync(path.join(useTemporaryFolder(), 'splice-'));
  const place = {
    base,
    workspace: path.join(base, 'workspace'),
    dataDir: path.join(base, 'data'),
    extensionsDir: path.join(base, 'extensions'),
    remove: () => rmSync(base, { recursive: true, force: true, maxRetries: 3, retryDelay: 100 }),
  };
  for (const directory of [place.workspace, place.dataDir, place.extensionsDir])
    mkdirSync(directory);
  if (fixture && existsSync(fixture)) cpSync(fixture, place.workspace, { recursive: true });
  for (const [name, text] of Object.entries(files)) write(path.join(place.workspace, name), text);
  const all = { ...quiet, ...settings };
  write(path.join(place.dataDir, 'data/User/settings.json'), JSON.stringify(all, null, 2));
  // A window on a server takes this one from the machine of the server only.
  const walkthroughs = 'workbench.welcomePage.walkthroughs.openOnInstall';
  write(
    path.join(place.dataDir, 'data/Machine/settings.json'),
    JSON.stringify({ [walkthroughs]: all[walkthroughs] }),
  );
  return place;
}

/** TMPDIR keeps VS Code's sockets, HOME what its agents write, out of the user's directories. */
export const environmentOf = place => ({ TMPDIR: place.base, HOME: place.base });

function write(file, text) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}
