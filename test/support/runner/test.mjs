// npm test: installs what is missing, then runs every stage and says what each took. Stages run beside
// each other, a few processes at a time.
//   npm test -- --stage=unit,host   only these
//   npm test -- --grep=<text>       only tests whose name contains it
//   npm test -- --longer-texts      the tests in windows, ui and host, with texts of Splice that are 40 % longer
import { parseArgs } from 'node:util';
import { runTool } from '../../../scripts/tools.mjs';
import { installDependencies } from './dependencies.mjs';
import { printSummary } from './report/summary.mjs';
import { inSlot } from './slots.mjs';

// The modules are imported late: nothing is installed when this file starts. In the order in which they
// begin; what takes long comes first, so that all ends at about one time.
const stages = {
  lint: () => inSlot(() => runTool('lint')),
  types: () => inSlot(() => runTool('check')),
  unit: async () => (await import('./unit.mjs')).runUnit(),
  ui: async ({ vsix }) => {
    await vsix;
    return (await import('../ui/runUi.mjs')).runUi();
  },
  host: async () => (await import('../host/testElectron.mjs')).runInVSCode(),
  package: async ({ vsix }) => {
    const files = await vsix;
    const { checkPackage } = await import('../../../scripts/package.mjs');
    return inSlot(() => checkPackage(files));
  },
};
/** These run what is built. */
const fromBuild = ['unit', 'host', 'package', 'ui'];
const fromVsix = ['package', 'ui'];

async function install() {
  await installDependencies();
  if (process.platform === 'linux') await (await import('./installHost.mjs')).installHost();
  return { passed: 0, failed: [] };
}

/** What has windows of its own, and no check of what is shipped. */
const withLongerTexts = ['ui', 'host'];

const { values } = parseArgs({
  options: {
    stage: { type: 'string' },
    grep: { type: 'string' },
    'longer-texts': { type: 'boolean' },
  },
});
const isLonger = values['longer-texts'] === true;
if (values.grep) process.env.MOCHA_GREP = values.grep;
if (isLonger) process.env.TEST_LONGER_TEXTS = '1';
const usual = isLonger ? withLongerTexts : ['build', ...Object.keys(stages)];
const wanted = values.stage?.split(',') ?? usual;
const unknown = wanted.filter(name => name !== 'build' && !(name in stages));
if (unknown.length > 0)
  throw new Error(
    `no stage ${unknown.join(', ')}; there are build, ${Object.keys(stages).join(', ')}`,
  );
const english = wanted.filter(name => isLonger && !withLongerTexts.includes(name));
if (english.length > 0) throw new Error(`no longer texts in ${english.join(', ')}`);

const start = performance.now();
const sinceStart = () => (performance.now() - start) / 1000;

async function timed(name, work) {
  const from = sinceStart();
  const outcome = await work().catch(error => {
    console.error(error);
    return { passed: 0, failed: [{ title: name, error: error.message }] };
  });
  const row = { name, ...outcome, from, seconds: sinceStart() - from };
  if (row.failed.length > 0) console.log(`\n== ${name} has failed`);
  return row;
}

async function runAll() {
  const installed = await timed('install', install);
  if (installed.failed.length > 0) return [installed];
  const rows = [installed];
  const isBuilt = wanted.includes('build') || wanted.some(name => fromBuild.includes(name));
  if (isBuilt) rows.push(await timed('build', () => runTool('build')));
  if (rows.some(({ failed }) => failed.length > 0)) return rows;
  const isPackaged = wanted.some(name => fromVsix.includes(name));
  const vsix = isPackaged ? import('../host/vsix.mjs').then(m => m.makeVsix()) : undefined;
  const chosen = Object.keys(stages).filter(name => wanted.includes(name));
  return [
    ...rows,
    ...(await Promise.all(chosen.map(name => timed(name, () => stages[name]({ vsix }))))),
  ];
}

const isWell = printSummary(await runAll());
console.log(`${(sinceStart() / 60).toFixed(1)} min`);
process.exitCode = isWell ? 0 : 1;
