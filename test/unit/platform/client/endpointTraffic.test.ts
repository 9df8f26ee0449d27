import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { EndpointTraffic, maxEndpointCalls } from '../../../../src/platform/client/endpointTraffic';
import {
  callLine,
  type EndpointCall,
  totalsOf,
} from '../../../../src/service/billing/endpointCalls';

const call = (at: number): EndpointCall => ({
  at,
  ms: 900,
  firstMs: 120,
  promptTokens: 1000,
  cachedTokens: 10,
  completionTokens: 200,
  isOk: true,
  isProbe: false,
});

describe('the traffic of endpoints', () => {
  let folder: string;
  const errors: unknown[] = [];
  const open = (place: string | undefined = folder) =>
    new EndpointTraffic(place, error => errors.push(error));
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'splice-traffic-'));
    errors.length = 0;
  });
  afterEach(async () => rm(folder, { recursive: true, force: true }));

  it('of two windows is in one private file for each endpoint, without its id', async () => {
    const [first, second] = [open(), open()];
    const changed: string[] = [];
    first.onDidChange(id => changed.push(id));
    await Promise.all([first.add('ep/../a', call(1)), second.add('ep/../a', call(2))]);
    await first.add('b', call(3));
    assert.deepEqual(changed, ['ep/../a', 'b']);
    assert.deepEqual((await second.read('ep/../a')).calls, [call(1), call(2)]);
    const place = path.join(folder, 'endpoint-traffic');
    const names = await readdir(place);
    assert.equal(names.length, 2);
    for (const name of names) {
      assert.match(name, /^[\da-f]{32}\.jsonl$/);
      if (process.platform !== 'win32') {
        assert.equal((await stat(path.join(place, name))).mode & 0o777, 0o600);
      }
    }
    assert.deepEqual(errors, []);
  });

  it('is bounded, and its sums are not', async () => {
    const traffic = open();
    await traffic.add('a', call(0));
    const place = path.join(folder, 'endpoint-traffic');
    const [name = ''] = await readdir(place);
    const many = Array.from({ length: 3 * maxEndpointCalls }, (_, n) => call(n));
    await writeFile(path.join(place, name), many.map(callLine).join(''));
    await traffic.add('a', call(many.length));
    const { calls, earlier } = await traffic.read('a');
    assert.equal(calls.length, maxEndpointCalls);
    assert.equal(calls.at(-1)?.at, many.length);
    assert.deepEqual(totalsOf(calls, earlier), totalsOf([...many, call(many.length)]));
    const lines = (await readFile(path.join(place, name), 'utf8')).trim().split('\n');
    assert.equal(lines.length, maxEndpointCalls + 1);
    assert.equal((await readdir(place)).length, 1);
  });

  it('is kept in memory where nothing can be stored, and costs no answer where that fails', async () => {
    const memory = new EndpointTraffic(undefined, error => errors.push(error));
    await memory.add('a', call(1));
    assert.deepEqual((await memory.read('a')).calls, [call(1)]);
    assert.deepEqual(errors, []);
    const broken = open(path.join(process.execPath, 'no-folder'));
    await broken.add('a', call(1));
    assert.equal(errors.length, 1);
  });

  it('counts what waits and what is in flight', () => {
    const traffic = open();
    assert.deepEqual(traffic.loadOf('a'), { running: 0, waiting: 0 });
    traffic.count('a', 1, 0);
    traffic.count('a', -1, 1);
    traffic.count('a', 1, 0);
    assert.deepEqual(traffic.loadOf('a'), { running: 1, waiting: 1 });
    assert.deepEqual(traffic.loadOf('b'), { running: 0, waiting: 0 });
  });
});
