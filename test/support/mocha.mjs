// Runs built tests in a Node process of their own and returns {passed, failed}.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { root, scratch } from './layout.mjs';
import { useTemporaryFolder } from './lifetime.mjs';
import { run } from './run.mjs';

export async function runMocha(name, { node = process.execPath, timeout = 10_000, build } = {}) {
  const folder = path.join(root, 'out', name);
  if (build) {
    const code = await run(process.execPath, ['esbuild.mjs', `--only=${name}`], { cwd: root });
    if (code !== 0) return { passed: 0, failed: 1 };
  }
  const hasTests =
    existsSync(folder) &&
    readdirSync(folder, { recursive: true }).some(file => file.endsWith('.test.js'));
  if (!hasTests) return { passed: 0, failed: 0 };
  useTemporaryFolder();
  const record = path.join(scratch, `${name}.json`);
  mkdirSync(scratch, { recursive: true });
  rmSync(record, { force: true });
  const script = path.join(import.meta.dirname, 'mochaRun.mjs');
  const code = await run(node, ['--enable-source-maps', script, folder, record], {
    cwd: root,
    env: { ...process.env, MOCHA_TIMEOUT: String(timeout) },
  });
  if (!existsSync(record)) return { passed: 0, failed: 1 };
  const { passed, failed } = JSON.parse(readFileSync(record, 'utf8'));
  return { passed, failed: code === 0 ? failed : Math.max(failed, 1) };
}
