// npm run live: the review of changes on disk, and sessions that are compacted or continued in another tool, with
// real coding agents, whose models are scripted and on loopback.
//   npm run live -- claude codex        only tests of these agents; the others are not installed
//   npm run live -- --grep=TEXT         only tests whose name contains it
// Agents are installed from npm, in the versions of test/live/agents/clis.ts, into .vscode-test/live (or LIVE_CACHE).
// This is not part of `npm test`: they are large (3.5 GB) and change often.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { installDependencies } from '../test/support/runner/dependencies.mjs';
import { root } from '../test/support/runner/layout.mjs';
import { useTemporaryFolder } from '../test/support/runner/lifetime.mjs';
import { npm, run } from '../test/support/runner/run.mjs';
import { step } from '../test/support/runner/time.mjs';

/** The tests' own list of agents, and where they look for them. */
async function agentsOfTests() {
  const outfile = path.join(root, 'out/live/clis.mjs');
  // Imported late: nothing is installed when this file starts.
  const { build } = await import('esbuild');
  await build({
    entryPoints: [path.join(root, 'test/live/agents/clis.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'warning',
  });
  return import(pathToFileURL(outfile).href);
}

async function install(cli, folder) {
  const program = path.join(folder, 'node_modules/.bin', cli.bin);
  if (existsSync(program)) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true }\n');
  // The script of Grok would put a second copy into the real home.
  process.env.GROK_HOME = path.join(folder, 'home');
  await step(`Installing ${cli.package}`, () =>
    // Their scripts put the program for this system in its place.
    npm(
      [
        'install',
        '--ignore-scripts=false',
        '--no-audit',
        '--no-fund',
        cli.package,
        ...(cli.needs ?? []),
      ],
      folder,
    ),
  );
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { grep: { type: 'string' } },
});
useTemporaryFolder();
await installDependencies();
const built = await run(process.execPath, ['esbuild.mjs', '--only=live'], { cwd: root });
if (built !== 0) throw new Error('the tests could not be built');
const { allClis, installFolder } = await agentsOfTests();
const unknown = positionals.filter(name => !allClis.some(cli => cli.name === name));
if (unknown.length > 0)
  throw new Error(
    `no agent is named ${unknown.join(', ')}; there are: ${allClis.map(({ name }) => name).join(', ')}`,
  );
const chosen = allClis.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
for (const cli of chosen) await install(cli, installFolder(cli));
process.exitCode = await run(
  process.execPath,
  [
    path.join(root, 'node_modules/mocha/bin/mocha.js'),
    'out/live/*.test.js',
    '--timeout=600000',
    '--forbid-only',
    // A test that failed may leave a server open.
    '--exit',
    ...(values.grep ? [`--grep=${values.grep}`] : []),
  ],
  { cwd: root, env: { ...process.env, LIVE_AGENTS: chosen.map(({ name }) => name).join(',') } },
);
