import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { MarkedProcess } from '../../support/unit/markedProcess';

const owner = 'test/fixtures/lifetime/owner.mjs';
/** Starts the owner and ends itself only when it is killed. */
const parentOfOwner = `require('node:child_process').spawn(process.execPath, ['${owner}'], { stdio: 'inherit' }); setInterval(() => {}, 1000)`;

/** Once both grandchildren run and one of them has lost its parent. */
async function started(process: MarkedProcess): Promise<string> {
  await process.until(
    () => process.output.split('grandchild').length > 2 && process.output.includes('left'),
  );
  const [folder = ''] = process.output.split('\n');
  assert.ok(existsSync(folder), process.output);
  return folder;
}

describe('what a script starts', function () {
  this.timeout(120_000);
  before(function () {
    if (process.platform !== 'linux') this.skip(); // processes are counted in /proc
  });

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const)
    it(`ends with it and leaves no folder after ${signal}`, async () => {
      const script = new MarkedProcess(process.execPath, [owner]);
      const folder = await started(script);
      script.kill(signal);
      await script.until(() => script.running().length === 0);
      assert.ok(!existsSync(folder));
    });

  it('ends when the parent of the script is killed', async () => {
    const parent = new MarkedProcess(process.execPath, ['-e', parentOfOwner]);
    const folder = await started(parent);
    parent.kill('SIGKILL');
    await parent.until(() => parent.running().length === 0);
    assert.ok(!existsSync(folder));
  });

  it('ends when npm is killed, which leaves its shell behind', async () => {
    const npm = `process.env.npm_lifecycle_event = 'start'; require('node:child_process').spawn('sh', ['-c', 'node ${owner}; true'], { stdio: 'inherit' }); setInterval(() => {}, 1000)`;
    const script = new MarkedProcess(process.execPath, ['-e', npm]);
    const folder = await started(script);
    script.kill('SIGKILL');
    await script.until(() => script.running().length === 0);
    assert.ok(!existsSync(folder));
  });

  it('ends when the process that started it has ended', async () => {
    const script = new MarkedProcess(process.execPath, [owner]);
    await started(script);
    await script.until(() => script.running().filter(line => line.includes('-e')).length === 2);
    script.kill('SIGKILL');
    await script.until(() => script.running().length === 0);
  });
});
