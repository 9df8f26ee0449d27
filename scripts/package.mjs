// Makes the VSIX, checks what is in it, and activates it in a clean VS Code.
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { startBrowser } from '../test/support/host/browser.mjs';
import { launch } from '../test/support/host/launch.mjs';
import { installVsix, makeVsix } from '../test/support/host/vsix.mjs';
import { installDependencies } from '../test/support/runner/dependencies.mjs';
import { installHost } from '../test/support/runner/installHost.mjs';
import { root, vsix } from '../test/support/runner/layout.mjs';
import { combine } from '../test/support/runner/pool.mjs';
import { printSummary } from '../test/support/runner/report/summary.mjs';
import { runTool } from './tools.mjs';

const largestVsix = 1_000_000; // bytes, without the translations
const largestTranslation = 90_000; // bytes of one language
const largestEager = 40_000; // bytes: what VS Code parses to activate the extension
const allowed =
  /^(package(\.nls(\.[a-z-]+)?)?\.json|l10n\/bundle\.l10n\.[a-z-]+\.json|README\.md|CHANGELOG\.md|LICENSE|dist\/.+\.(mjs|json)|media\/(hooks\/(splice-spool\.(sh|cjs)|splice-opencode\.mjs)|icon\.png|splice\.svg|page-(light|dark)\.svg|walkthrough\/\w+\.svg|preview-language\.json))$/;

/** dist/extension.mjs and everything it imports before it runs. */
function eagerBytes() {
  const { outputs } = JSON.parse(readFileSync(path.join(root, 'out/metafile.json'), 'utf8'));
  const eager = new Set(['dist/extension.mjs']);
  for (const file of eager)
    for (const { path: imported, kind, external } of outputs[file].imports)
      if (kind === 'import-statement' && !external) eager.add(imported);
  return [...eager].reduce((bytes, file) => bytes + outputs[file].bytes, 0);
}

/** The compressed size of the translations of each language. */
function translationBytes(files) {
  const sizes = new Map();
  for (const file of files) {
    const [, language] = /^(?:package\.nls|l10n\/bundle\.l10n)\.([a-z-]+)\.json$/.exec(file) ?? [];
    if (language === undefined) continue;
    const { length } = deflateRawSync(readFileSync(path.join(root, file)));
    sizes.set(language, (sizes.get(language) ?? 0) + length);
  }
  return sizes;
}

function complaints(files) {
  const found = files.filter(file => !allowed.test(file)).map(file => `not to be shipped: ${file}`);
  for (const needed of ['package.json', 'README.md', 'LICENSE', 'dist/extension.mjs'])
    if (!files.includes(needed)) found.push(`missing: ${needed}`);
  const translations = translationBytes(files);
  const translated = [...translations.values()].reduce((sum, bytes) => sum + bytes, 0);
  const size = statSync(vsix).size - translated;
  const eager = eagerBytes();
  console.log(
    `VSIX: ${files.length} files, ${kb(size)} and ${kb(translated)} of translations; loaded to activate: ${kb(eager)}`,
  );
  for (const file of files) console.log(`  ${file}`);
  if (size > largestVsix) found.push(`the VSIX is larger than ${kb(largestVsix)}`);
  for (const [language, bytes] of translations)
    if (bytes > largestTranslation)
      found.push(`the translation ${language} is larger than ${kb(largestTranslation)}`);
  if (eager > largestEager) found.push(`activation loads more than ${kb(largestEager)}`);
  return found;
}

const kb = bytes => `${(bytes / 1000).toFixed(1)} kB`;

/** The outcome of the checks of the list of `files`, and of the tests in VS Code. */
export async function checkPackage(files) {
  const found = complaints(files);
  const paths = await installHost();
  const browser = await startBrowser(paths);
  try {
    const outcome = combine(
      await launch(paths, browser, {
        name: 'packaged',
        pattern: '^packaged/[^/]*\\.test\\.js$',
        extension: path.join(root, 'test/support/host/nothing'),
        prepare: installVsix,
      }),
    );
    const failed = found.map(error => ({ title: 'the VSIX', error }));
    return { ...outcome, failed: [...outcome.failed, ...failed] };
  } finally {
    await browser.close();
  }
}

if (process.argv[1] === import.meta.filename) {
  await installDependencies();
  const built = await runTool('build');
  const outcome = built.failed.length > 0 ? built : await checkPackage(await makeVsix());
  process.exitCode = printSummary([{ name: 'package', ...outcome }]) ? 0 : 1;
}
