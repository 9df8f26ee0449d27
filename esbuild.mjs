// Builds the extension (dist/) and the tests (out/). `--watch` keeps building the extension.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { build, context } from 'esbuild';

// CommonJS dependencies (undici) call require(), which an ES module does not have.
const banner = {
  js: "import{createRequire as __c}from'node:module';const require=__c(import.meta.url);",
};
const node = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node22',
  logLevel: 'warning',
  banner,
};

const extension = {
  ...node,
  // The second one runs in a thread of its own.
  entryPoints: ['src/extension.ts', 'src/compact/worker.ts'],
  outdir: 'dist',
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  external: ['vscode'],
  minify: true,
  metafile: true,
};
const unit = {
  ...node,
  // No `external: vscode` here: pure code that reaches for vscode stops the build.
  entryPoints: ['test/unit/**/*.test.ts'],
  outdir: 'out/unit',
  outbase: 'test/unit',
  sourcemap: 'inline',
  // fast-check keeps its seed in its module, so that there must be one.
  external: ['mocha', 'fast-check', 'esbuild'],
};
const host = {
  ...node,
  entryPoints: ['test/host/**/*.ts'],
  outdir: 'out/host',
  outbase: 'test/host',
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  sourcemap: 'inline',
  external: ['vscode', 'mocha'],
};

const ui = {
  ...node,
  entryPoints: ['test/ui/**/*.test.ts'],
  outdir: 'out/ui',
  outbase: 'test/ui',
  sourcemap: 'inline',
  // These start a server from the sources' own place.
  external: ['mocha', 'playwright-core', '../../test/support/*'],
};

const bench = {
  ...node,
  entryPoints: [
    'merge',
    'search',
    'compact',
    'reflex',
    'endpoints',
    'edit',
    'stream',
    'faults',
    'http',
    'httpClient',
    'httpServer',
    'review',
    'hostile',
    'egress',
  ].map(name => `test/bench/${name}.ts`),
  outdir: 'out/bench',
};

/** The stand-in of the service, for `npm run service` and `npm start`. */
const service = {
  ...node,
  entryPoints: ['test/service/standIn/serve.ts'],
  outdir: 'out/service',
};

/** undici's global module replaces the dispatcher of every extension in the process. */
function refuseGlobalDispatcher(metafile) {
  const guilty = Object.keys(metafile.inputs).filter(file =>
    /undici\/(lib\/global|index(-fetch)?)\.js$/.test(file),
  );
  if (guilty.length > 0) throw new Error(`must not be bundled: ${guilty.join(', ')}`);
}

/** One TextMate grammar per preview language, each only an include of the real one. */
async function writePreviewGrammars() {
  const { outputFiles } = await build({
    ...node,
    banner: {}, // needs a file's path, which a data: URL is not
    entryPoints: ['src/apply/previewLanguages.ts'],
    write: false,
  });
  const source = `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`;
  const { previewGrammars } = await import(source);
  mkdirSync('dist/grammars', { recursive: true });
  for (const { languageId, grammar } of previewGrammars())
    writeFileSync(`dist/grammars/${languageId}.json`, JSON.stringify(grammar));
}

const only = process.argv.find(argument => argument.startsWith('--only='))?.slice(7);
if (!only || only === 'extension') {
  rmSync('dist', { recursive: true, force: true });
  await writePreviewGrammars();
  const { metafile } = await build(extension);
  refuseGlobalDispatcher(metafile);
  mkdirSync('out', { recursive: true });
  writeFileSync('out/metafile.json', JSON.stringify(metafile));
}
if (!only || only === 'unit') {
  rmSync('out/unit', { recursive: true, force: true });
  await build(unit);
}
if (!only || only === 'host') {
  rmSync('out/host', { recursive: true, force: true });
  await build(host);
}
if (!only || only === 'ui') {
  rmSync('out/ui', { recursive: true, force: true });
  await build(ui);
}
if (!only || only === 'bench') {
  rmSync('out/bench', { recursive: true, force: true });
  await build(bench);
}
if (!only || only === 'service') {
  rmSync('out/service', { recursive: true, force: true });
  await build(service);
}
if (process.argv.includes('--watch')) await (await context(extension)).watch();
