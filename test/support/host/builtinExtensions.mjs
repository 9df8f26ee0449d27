// The extensions that come with VS Code, without those that no test needs.
import { mkdtempSync, readdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { useTemporaryFolder } from '../runner/lifetime.mjs';

/** Language servers, of TypeScript above all, take more of the processor than Splice; others run git or ask the network. */
const unneeded =
  /^(?:(?:html|json|php|typescript)-language-features|debug-.*|emmet|extension-editing|git|github.*|grunt|gulp|jake|merge-conflict|microsoft-authentication|ms-vscode\..*|npm|references-view|terminal-suggest|tunnel-forwarding)$/;

let folder;

/** A folder of links for a server's `builtinDir`. */
export function neededBuiltinExtensions(paths) {
  if (folder) return folder;
  const all = path.join(path.dirname(paths.server), '../extensions');
  // Not among the data of a window: tests look through that, with all that it has links to.
  folder = mkdtempSync(path.join(useTemporaryFolder(), 'builtin-'));
  for (const name of readdirSync(all))
    if (!unneeded.test(name)) symlinkSync(path.join(all, name), path.join(folder, name));
  return folder;
}
