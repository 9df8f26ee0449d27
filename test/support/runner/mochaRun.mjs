// A worker: runs each file of built tests that its parent names, and asks for the next one.
//   mochaRun.mjs <folder> <record>
import path from 'node:path';
import * as fc from 'fast-check';
import Mocha from 'mocha';
import { FileSpec } from './report/reporter.mjs';
import { runFile, writeDone, writeUnloaded } from './report/results.mjs';

const [folder, record] = process.argv.slice(2);
const { FAST_CHECK_SEED, MOCHA_GREP, MOCHA_TIMEOUT } = process.env;
// The tests import this very copy of fast-check.
if (FAST_CHECK_SEED) fc.configureGlobal({ seed: Number(FAST_CHECK_SEED) });

async function runNext(name) {
  if (name === null) {
    writeDone(record);
    // A test that left something open must not keep the run from ending.
    process.exit(0);
  }
  const mocha = new Mocha({
    ui: 'bdd',
    reporter: FileSpec,
    timeout: Number(MOCHA_TIMEOUT),
    forbidOnly: true,
    color: process.env.MOCHA_COLOR === '1',
    ...(MOCHA_GREP ? { grep: MOCHA_GREP } : {}),
  });
  mocha.addFile(path.join(folder, name));
  try {
    await mocha.loadFilesAsync();
    await runFile({ mocha, name, record });
  } catch (error) {
    console.error(error);
    writeUnloaded(record, name, error);
  } finally {
    mocha.dispose(); // its listeners of the process, of which each file would leave some
  }
  process.send({ ended: name });
}

process.on('message', ({ file }) => void runNext(file));
process.on('disconnect', () => process.exit(1));
process.send({ ready: true });
