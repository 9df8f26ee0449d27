// npm test: installs what is missing, then runs every stage and says what each took.
//   npm test -- --stage=unit,host   only these
//   npm test -- --grep=<text>       only tests whose name contains it
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { installDependencies } from './dependencies.mjs';
import { scratch } from './layout.mjs';
import { runTool } from './tools.mjs';

// The modules are imported late: nothing is installed when this file starts.
const stages = {
  lint: () => runTool('lint'),
  types: () => runTool('check'),
  build: () => runTool('build'),
  unit: async () => (await import('./unit.mjs')).runUnit(),
  host: async () => (await import('./testElectron.mjs')).runInVSCode(),
  package: async () => (await import('./package.mjs')).checkPackage(),
  ui: async () => (await import('./ui.mjs')).runUi(),
};

async function install() {
  await installDependencies();
  if (process.platform === 'linux') await (await import('./installHost.mjs')).installHost();
  return { passed: 0, failed: 0 };
}

const { values } = parseArgs({ options: { stage: { type: 'string' }, grep: { type: 'string' } } });
if (values.grep) process.env.MOCHA_GREP = values.grep;
const chosen = values.stage?.split(',') ?? Object.keys(stages);
// These run what is built.
const fromBuild = ['host', 'package', 'ui'];
if (!chosen.includes('build') && chosen.some(name => fromBuild.includes(name)))
  chosen.unshift('build');
const unknown = chosen.filter(name => !(name in stages));
if (unknown.length > 0)
  throw new Error(`no stage ${unknown.join(', ')}; there are ${Object.keys(stages).join(', ')}`);

// The names of failed tests, to be said again where the output ends.
const failedTests = path.join(scratch, 'failed.txt');
mkdirSync(scratch, { recursive: true });
rmSync(failedTests, { force: true });
process.env.FAILED_TESTS = failedTests;

const total = { passed: 0, failed: 0 };
const lines = [];
for (const [name, stage] of [['install', install], ...chosen.map(key => [key, stages[key]])]) {
  console.log(`\n== ${name}`);
  const start = performance.now();
  const { passed, failed } = await stage().catch(error => {
    console.error(error);
    return { passed: 0, failed: 1 };
  });
  total.passed += passed;
  total.failed += failed;
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const counts = passed > 0 ? ` ${passed} passed` : '';
  lines.push(
    `${failed > 0 ? 'FAILED' : 'ok    '} ${name.padEnd(8)} ${seconds.padStart(6)} s${counts}`,
  );
  if (name === 'install' && failed > 0) break;
}
console.log(`\n${lines.join('\n')}`);
if (existsSync(failedTests)) console.log(readFileSync(failedTests, 'utf8'));
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 ? 1 : 0;
