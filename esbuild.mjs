// Builds the extension (dist/) and the tests (out/). `--watch` keeps building the extension; `--debug`
// builds it with source maps and readable names.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build, context } from 'esbuild';
import { directImports } from './scripts/directImports.mjs';

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

/**
 * undici carries its parser of HTTP/1 twice, as WebAssembly in base64: with and without vector instructions. The one
 * without runs everywhere, and headers are too short for the other one to be faster. Compressed, it takes 15 kB of the
 * package instead of 24 kB.
 */
const oneHttpParser = {
  name: 'one-http-parser',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /\/llhttp_simd-wasm\.js$/ }, ({ path: file, resolveDir }) => ({
      path: path.resolve(resolveDir, file.replace('llhttp_simd-wasm', 'llhttp-wasm')),
    }));
    onLoad({ filter: /[\\/]llhttp-wasm\.js$/ }, ({ path: file }) => {
      const compressed = brotliCompressSync(createRequire(file)(file)).toString('base64');
      return {
        contents: `module.exports = require('node:zlib').brotliDecompressSync(Buffer.from('${compressed}', 'base64'));`,
      };
    });
  },
};

const isDebug = process.argv.includes('--debug');
const extension = {
  ...node,
  // The others run in threads of their own.
  entryPoints: [
    'src/extension.ts',
    'src/compact/worker/worker.ts',
    'src/compact/historySearch/worker.ts',
    'src/search/fileIndex/worker.ts',
  ],
  outdir: 'dist',
  plugins: [
    oneHttpParser,
    directImports(
      ['service', 'merge', 'markdown'].map(name => path.join(import.meta.dirname, 'src', name)),
    ),
  ],
  splitting: true,
  chunkNames: 'chunks/[hash]',
  // vsce warns about more than 100 files *.js and advises to bundle, which they are: each is loaded on first use.
  outExtension: { '.js': '.mjs' },
  external: ['vscode'],
  // As Node.js bundles undici: without the second parser of HTTP/1, which only a variable of the environment selects.
  define: { esbuildDetection: 'true' },
  minify: !isDebug,
  sourcemap: isDebug,
  metafile: true,
};
const unit = {
  ...node,
  // No `external: vscode` here: pure code that reaches for vscode stops the build.
  entryPoints: ['test/unit/**/*.test.ts'],
  outdir: 'out/unit',
  outbase: 'test/unit',
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  sourcemap: 'linked',
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
    'sessions',
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
    'answer',
    'drawing',
    'searchModel',
    'history',
    'searchIndex',
    'searchNamed',
  ]
    .map(name => ({ in: `test/bench/${name}.ts`, out: name }))
    .concat({ in: 'src/search/fileIndex/worker.ts', out: 'indexThread' }),
  outdir: 'out/bench',
  // These start a server from the sources' own place.
  external: ['playwright-core', '../../test/support/*'],
};

/** Real coding agents: `npm run live`. */
const live = {
  ...node,
  entryPoints: ['test/live/*.test.ts'],
  outdir: 'out/live',
  outbase: 'test/live',
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  sourcemap: 'linked',
  external: ['mocha'],
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
async function previewGrammarFiles() {
  const { outputFiles } = await build({
    ...node,
    banner: {}, // needs a file's path, which a data: URL is not
    entryPoints: ['src/apply/review/editor/previewLanguages.ts'],
    write: false,
  });
  const source = `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`;
  const { previewGrammars } = await import(source);
  return previewGrammars().map(({ languageId, grammar }) => ({
    path: path.resolve(`dist/grammars/${languageId}.json`),
    contents: Buffer.from(JSON.stringify(grammar)),
  }));
}

/** Makes the folder hold these files alone. What is right stays untouched: a window may be reading it. */
function writeFolder(folder, files) {
  for (const { path: file, contents } of files) {
    if (existsSync(file) && readFileSync(file).equals(contents)) continue;
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, contents);
  }
  const wanted = new Set(files.map(file => file.path));
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.resolve(entry.parentPath ?? entry.path, entry.name);
    if (entry.isFile() && !wanted.has(file)) rmSync(file);
  }
}

/**
 * The files without the banner where nothing calls require(): most of them, and VS Code reads many to activate.
 * A debug build keeps it, because its source maps count lines.
 */
function withoutNeedlessBanner(outputFiles, metafile) {
  if (isDebug) return outputFiles;
  return outputFiles.map(({ path: file, text }) => {
    const code = text.startsWith(banner.js) ? text.slice(banner.js.length).trimStart() : text;
    const contents = Buffer.from(/\brequire\b/.test(code) ? text : code);
    metafile.outputs[path.relative(import.meta.dirname, file).replaceAll(path.sep, '/')].bytes =
      contents.length;
    return { path: file, contents };
  });
}

const buildExtension = async () => {
  const { metafile, outputFiles } = await build({ ...extension, write: false });
  refuseGlobalDispatcher(metafile);
  const files = withoutNeedlessBanner(outputFiles, metafile);
  writeFolder('dist', [...files, ...(await previewGrammarFiles())]);
  mkdirSync('out', { recursive: true });
  writeFileSync('out/metafile.json', JSON.stringify(metafile));
};

const buildTests = options => async () => {
  rmSync(options.outdir, { recursive: true, force: true });
  await build(options);
};

const targets = {
  extension: buildExtension,
  unit: buildTests(unit),
  host: buildTests(host),
  ui: buildTests(ui),
  bench: buildTests(bench),
  live: buildTests(live),
  service: buildTests(service),
};

/** Only these files of test/unit; all others stay as they are built. */
export const buildUnit = (entryPoints, more) => build({ ...unit, entryPoints, ...more });

/** The same, and `onBuilt` after each build: the first one, and one whenever a source changes. */
export async function watchUnit(entryPoints, onBuilt) {
  let running = Promise.resolve();
  const rerun = {
    name: 'rerun',
    setup: ({ onEnd }) =>
      onEnd(({ errors }) => {
        if (errors.length === 0) running = running.then(onBuilt);
      }),
  };
  await (await context({ ...unit, entryPoints, plugins: [rerun] })).watch();
}

if (process.argv[1] === import.meta.filename) {
  const only = process.argv.find(argument => argument.startsWith('--only='))?.slice(7);
  await Promise.all((only?.split(',') ?? Object.keys(targets)).map(name => targets[name]()));
  if (process.argv.includes('--watch')) await (await context(extension)).watch();
}
