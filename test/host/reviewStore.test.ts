import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import * as vscode from 'vscode';
import { type Origin, Review } from '../../src/apply/review';
import { ReviewModel } from '../../src/apply/reviewModel';
import { ReviewStore } from '../../src/apply/reviewStore';
import { fileUri, waitFor } from './support';

const dayMs = 24 * 3600 * 1000;
const byModel: Origin = {
  engine: 'local',
  ms: 3,
  findings: [{ kind: 'duplicate', severity: 'warning', line: 2, message: 'twice' }],
  author: { model: 'svc-qwen35-397b', ms: 1234, cost: { usd: 0.0021, isExact: false } },
  update: 'b',
};

const review = (createdAt: number, origin: Origin = byModel) =>
  new Review({
    id: randomUUID(),
    fileUri: fileUri('src/cart.ts'),
    languageId: 'typescript',
    model: new ReviewModel(['a', 'c'], ['a', 'b', 'c']),
    origin,
    createdAt,
  });

describe('the store of reviews', () => {
  let home: vscode.Uri;
  let errors: unknown[];
  let store: ReviewStore;
  const folder = () => vscode.Uri.joinPath(home, 'reviews');
  const names = async () =>
    (await vscode.workspace.fs.readDirectory(folder())).map(([name]) => name);
  const save = async (...reviews: Review[]) => {
    for (const one of reviews) store.save(one);
    await waitFor(
      async () => (await names().catch(() => [])).length >= reviews.length,
      'the stored reviews',
    );
  };

  beforeEach(() => {
    home = vscode.Uri.joinPath(vscode.Uri.file(tmpdir()), `splice-store-${randomUUID()}`);
    errors = [];
    store = new ReviewStore(home, error => errors.push(error));
  });
  afterEach(async () => {
    store.dispose();
    await vscode.workspace.fs.delete(home, { recursive: true });
  });

  it('gives back what a chat model wrote, with its model, time and cost', async () => {
    const saved = review(dayMs);
    await save(saved);
    const [loaded] = await store.load(dayMs + 1);
    assert.deepEqual(loaded?.origin, byModel);
    assert.equal(loaded.id, saved.id);
    assert.deepEqual(loaded.model.toJSON(), saved.model.toJSON());
    assert.deepEqual(errors, []);
  });

  it('keeps the newest twenty of the last week', async () => {
    const now = 100 * dayMs;
    const young = Array.from({ length: 21 }, (_, n) => review(now - n * 1000));
    await save(...young, review(now - 8 * dayMs));
    const loaded = await store.load(now);
    assert.deepEqual(
      loaded.map(({ id }) => id),
      young.slice(0, 20).map(({ id }) => id),
    );
    await waitFor(async () => (await names()).length === 20, 'the others to be deleted');
  });

  it('loses nothing that is decided right before the window closes', async () => {
    const saved = review(dayMs);
    store.save(saved);
    store.dispose();
    assert.deepEqual(
      (await store.load(dayMs)).map(({ id }) => id),
      [saved.id],
    );
  });

  it('drops what is damaged, and says so', async () => {
    await save(review(dayMs));
    const file = vscode.Uri.joinPath(folder(), 'damaged.json');
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode('{"id": 1'));
    assert.equal((await store.load(dayMs)).length, 1);
    assert.equal(errors.length, 1);
    await waitFor(async () => (await names()).length === 1, 'the damaged one to be deleted');
  });
});
