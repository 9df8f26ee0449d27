import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { IndexThread } from '../../../../src/search/fileIndex/indexThread';
import type { CandidateQuery } from '../../../../src/search/local/candidateIndex';
import { eventually } from '../../../support/unit/eventually';

const query: CandidateQuery = {
  roots: [{ path: '/a', without: [], unsaved: new Map() }],
  terms: [],
  paths: [],
  requestedKinds: new Set(),
};
const folder = { root: '/a', storage: '/s', files: {} };
const ready =
  "parentPort.postMessage({ kind: 'ready', root: '/a', size: { files: 1, bytes: 2, ms: 3 } });";

describe('the way to the thread of the indexes', () => {
  let place: string;
  let thread: IndexThread;
  let said: string[];
  beforeEach(() => {
    place = mkdtempSync(path.join(tmpdir(), 'splice-threads-'));
  });
  afterEach(async () => {
    await thread.dispose();
    rmSync(place, { recursive: true });
  });

  /** Starts a thread that runs this code for each request. */
  const start = (code: string): void => {
    const script = path.join(place, 'worker.mjs');
    writeFileSync(
      script,
      `import { parentPort } from 'node:worker_threads';\nparentPort.on('message', asked => {\n${code}\n});\n`,
    );
    said = [];
    thread = new IndexThread(script, {
      onReady: (root, { files }) => said.push(`ready ${root} ${files}`),
      onVerified: (root, missed) => said.push(`verified ${root} ${missed}`),
      onFailed: (root, message) => said.push(`failed ${root} ${message}`),
    });
  };
  const found =
    "parentPort.postMessage({ kind: 'found', id: asked.id, found: { candidates: [], corpus: asked.query.roots[0].path } });";

  it('asks nothing before an index is ready', async () => {
    start(`if (asked.kind === 'find') { ${found} } else { ${ready} }`);
    assert.equal(await thread.find(query), undefined);
    thread.open(folder);
    await eventually(() => said.length === 1);
    assert.deepEqual(said, ['ready /a 1']);
    assert.deepEqual(await thread.find(query), { candidates: [], corpus: '/a' });
    thread.close('/a');
    assert.equal(await thread.find(query), undefined);
  });

  it('asks for the files with an identifier', async () => {
    const files =
      "parentPort.postMessage({ kind: 'filesFound', id: asked.id, files: [asked.name] });";
    start(`if (asked.kind === 'filesWith') { ${files} } else { ${ready} }`);
    assert.equal(await thread.filesWith('/a', 'close'), undefined);
    thread.open(folder);
    await eventually(() => said.length === 1);
    assert.deepEqual(await thread.filesWith('/a', 'close'), ['close']);
    assert.equal(await thread.filesWith('/b', 'close'), undefined);
  });

  it('asks for what misspelled words are taken for', async () => {
    const corrections =
      "parentPort.postMessage({ kind: 'corrected', id: asked.id, corrections: asked.words });";
    start(`if (asked.kind === 'correct') { ${corrections} } else { ${ready} }`);
    assert.equal(await thread.correctionsOf(['/a'], ['uplaod']), undefined);
    thread.open(folder);
    await eventually(() => said.length === 1);
    assert.deepEqual(await thread.correctionsOf(['/a'], ['uplaod']), ['uplaod']);
    assert.equal(await thread.correctionsOf(['/a', '/b'], ['uplaod']), undefined);
  });

  it('passes on what the thread is told, and what it says', async () => {
    start(
      "parentPort.postMessage({ kind: 'failed', root: asked.root, message: JSON.stringify(asked) });",
    );
    thread.update('/a', ['x']);
    thread.verify('/a');
    await eventually(() => said.length === 2);
    assert.deepEqual(said, [
      'failed /a {"kind":"update","root":"/a","paths":["x"]}',
      'failed /a {"kind":"verify","root":"/a"}',
    ]);
    await thread.dispose();
    start("parentPort.postMessage({ kind: 'verified', root: asked.root, missed: 4 });");
    thread.verify('/a');
    await eventually(() => said.length === 1);
    assert.deepEqual(said, ['verified /a 4']);
  });

  it('does not wait long for an answer', async () => {
    start(`if (asked.kind === 'open') { ${ready} }`);
    thread.open(folder);
    await eventually(() => said.length === 1);
    assert.equal(await thread.find(query), undefined);
  });

  it('answers at once when it is disposed of, and says no more', async () => {
    start(`if (asked.kind === 'open') { ${ready} }`);
    thread.open(folder);
    await eventually(() => said.length === 1);
    const asked = Promise.race([thread.find(query), sleep(300, 'too late')]);
    const disposed = thread.dispose();
    assert.equal(await asked, undefined);
    await disposed;
    assert.equal(await thread.find(query), undefined);
    assert.deepEqual(said, ['ready /a 1']);
  });

  it('has no index any more that has failed', async () => {
    start(
      `if (asked.kind === 'find') { ${found} } else if (asked.kind === 'open') { ${ready} } else parentPort.postMessage({ kind: 'failed', root: '/a', message: 'no' });`,
    );
    thread.open(folder);
    thread.verify('/a');
    await eventually(() => said.length === 2);
    assert.deepEqual(said, ['ready /a 1', 'failed /a no']);
    assert.equal(await thread.find(query), undefined);
  });

  it('answers at once when the thread ends', async () => {
    start(`if (asked.kind === 'open') { ${ready} } else throw new Error('broken');`);
    thread.open(folder);
    await eventually(() => said.length === 1);
    assert.equal(await thread.find(query), undefined);
    await eventually(() => said.length === 3);
    assert.deepEqual(said.slice(1), [
      'failed undefined Error: broken',
      'failed undefined the thread ended with 1',
    ]);
  });
});
