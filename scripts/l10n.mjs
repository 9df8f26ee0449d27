// Brings the translations up to date: takes out what the source has no more, puts the rest into its order, and says
// what is missing. `--check` only says what is wrong and exits with 1; `--missing=de` prints the texts without a
// translation as JSON.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

const root = path.join(import.meta.dirname, '..');
const isCheck = process.argv.includes('--check');
const wanted = process.argv.find(arg => arg.startsWith('--missing='))?.slice('--missing='.length);

const out = path.join(root, 'node_modules/.cache/splice/l10n.mjs');
await build({
  entryPoints: [path.join(root, 'scripts/l10n/index.ts')],
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  outfile: out,
  logLevel: 'warning',
});
const { bundleText, faultsOf, languages, readBundle, translatedFiles } = await import(out);

for (const language of wanted === undefined ? languages : [wanted]) {
  for (const { file, source } of translatedFiles(root, language)) {
    const target = path.join(root, file);
    const bundle = readBundle(target) ?? {};
    const { missing, unused, different } = faultsOf(source, bundle);
    if (wanted !== undefined) {
      console.log(
        JSON.stringify(Object.fromEntries(missing.map(key => [key, source[key]])), null, 2),
      );
      continue;
    }
    console.log(
      `${file}: ${missing.length} missing, ${unused.length} unused, ${different.length} with other parts`,
    );
    for (const key of different) console.log(`  other parts: ${key}`);
    if (isCheck) {
      if (missing.length + unused.length + different.length > 0) process.exitCode = 1;
      continue;
    }
    const text = bundleText(source, bundle);
    if (existsSync(target) && readFileSync(target, 'utf8') === text) continue;
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
}
