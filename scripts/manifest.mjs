// Writes package.json's `contributes`, package.nls.json and the tables of docs/ from the contributions of the
// features; `--check` only says which of them differ and exits with 1.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

const root = path.join(import.meta.dirname, '..');
const isCheck = process.argv.includes('--check');

const { outputFiles } = await build({
  entryPoints: [path.join(root, 'scripts/manifest/index.ts')],
  bundle: true,
  platform: 'node',
  format: 'esm',
  write: false,
  logLevel: 'warning',
});
const bundle = Buffer.from(outputFiles[0].contents).toString('base64');
const { generate } = await import(`data:text/javascript;base64,${bundle}`);

const read = file => {
  try {
    return readFileSync(path.join(root, file), 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
};
const different = Object.entries(generate(read('package.json'))).filter(
  ([file, text]) => read(file) !== text,
);
for (const [file, text] of different) {
  console.log(isCheck ? `${file} is not what npm run manifest writes` : `${file} is written`);
  if (isCheck) continue;
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
}
if (isCheck && different.length > 0) process.exitCode = 1;
