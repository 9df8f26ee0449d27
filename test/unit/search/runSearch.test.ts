import assert from 'node:assert/strict';
import { isAbortError } from '../../../src/base/async/clock';
import {
  type AgentEvent,
  type AgentOutcome,
  SearchFailure,
} from '../../../src/search/agent/searchAgent';
import { runSearch, type SearchParts, type SearchState } from '../../../src/search/runSearch';
import type { RawFile } from '../../../src/search/view/results';
import { ServiceError } from '../../../src/service/errors';

const raw = (path: string): RawFile => ({ root: 0, path, ranges: [[1, 2]] });
const outcome = (end: AgentOutcome['end'], ...paths: string[]): AgentOutcome => ({
  end,
  turns: 2,
  files: paths.map(path => ({ path, ranges: [[1, 2]] })),
});
const turn: AgentEvent = {
  kind: 'turn',
  turn: 1,
  answer: {
    text: '',
    toolCalls: [],
    attempts: 1,
    ms: 40,
    usage: { promptTokens: 100, completionTokens: 20 },
    cost: { usd: 0.5, isExact: true },
  },
};

async function search(parts: Partial<SearchParts>) {
  const seen: SearchState[] = [];
  let now = 0;
  const pending = runSearch({
    query: 'find it',
    limit: 20,
    signal: new AbortController().signal,
    local: async () => ({ files: [raw('local.ts')], searched: 7 }),
    locate: async files => files.map(({ path }) => raw(path)),
    readText: async ({ path }) => (path === 'gone.ts' ? undefined : 'one\ntwo\n'),
    onChange: state => seen.push(state),
    now: () => (now += 10),
    ...parts,
  });
  const state = await pending;
  return { state, seen, shown: state.files.map(({ path }) => path) };
}

const later = <T>(value: T) => new Promise<T>(resolve => setTimeout(() => resolve(value), 5));

const broken = () => Promise.reject(new Error('no ripgrep'));

describe('a search', () => {
  it('is answered by the local engine alone', async () => {
    const { state, shown } = await search({});
    assert.deepEqual(
      [state.engine, state.isRunning, state.searched, shown],
      ['local', false, 7, ['local.ts']],
    );
    assert.ok(state.ms > 0);
  });

  it('shows a first local answer, then the whole, then the one of the model', async () => {
    const { seen, state, shown } = await search({
      local: async (_, onPartial) => {
        onPartial([raw('first.ts')], 'rank');
        await later(0);
        return { files: [raw('local.ts'), raw('gone.ts')], searched: 7 };
      },
      model: async (_, onEvent) => {
        onEvent(turn);
        return later(await later(outcome('finished', 'model.ts')));
      },
    });
    const answers = seen.map(
      ({ engine, files }) => `${engine}: ${files.map(({ path }) => path).join()}`,
    );
    assert.deepEqual(
      [...new Set(answers)],
      ['undefined: ', 'local: first.ts', 'local: local.ts', 'both: local.ts,model.ts'],
    );
    assert.deepEqual(shown, ['local.ts', 'model.ts']);
    assert.deepEqual([state.trace.tokens, state.trace.cost], [120, { usd: 0.5, isExact: true }]);
  });

  it('says that the order waits for the history, and then what became of it', async () => {
    for (const history of ['late', 'missing', undefined] as const) {
      const { seen, state } = await search({
        local: async (_, onPartial) => {
          onPartial([raw('a.ts'), raw('b.ts')], 'history');
          await later(0);
          return { files: [raw('b.ts'), raw('a.ts')], searched: 7, history };
        },
      });
      const orders = seen.map(one => `${one.history}: ${one.files.map(({ path }) => path).join()}`);
      assert.deepEqual(
        [...new Set(orders)],
        ['undefined: ', 'reading: a.ts,b.ts', `${history}: b.ts,a.ts`],
      );
      assert.equal(state.history, history);
    }
  });

  it('says which limit ended the local search, also when nothing was found', async () => {
    for (const files of [[raw('a.ts')], []]) {
      const { state } = await search({ local: async () => ({ files, searched: 7, cut: 'time' }) });
      assert.equal(state.cut, 'time');
    }
  });

  it('says what it took for words that no file has, and names the words of the files by it', async () => {
    const corrections = [{ typed: 'uplaod', taken: 'upload' }];
    const { state } = await search({
      query: 'uplaod',
      readText: async () => 'upload\n',
      local: async () => ({ files: [raw('a.ts')], searched: 7, corrections }),
    });
    assert.deepEqual(state.corrections, corrections);
    assert.deepEqual(state.files[0]?.spans[0]?.words, ['upload']);
  });

  it('does not let a slow local answer replace the one of the model', async () => {
    const { state, shown } = await search({
      local: async () => later({ files: [raw('local.ts')], searched: 7 }),
      model: async () => outcome('finished', 'model.ts'),
    });
    assert.deepEqual([state.engine, shown], ['both', ['local.ts', 'model.ts']]);
  });

  it('shows no early list of files that cannot be read', async () => {
    const { seen, shown } = await search({
      local: async (_, onPartial) => {
        onPartial([raw('gone.ts')], 'rank');
        await later(0);
        return { files: [raw('local.ts')], searched: 7 };
      },
    });
    assert.deepEqual(shown, ['local.ts']);
    assert.ok(seen.every(({ engine, files }) => engine === undefined || files.length > 0));
  });

  it('does not show an older list whose files took longer to read', async () => {
    let endReading: (() => void) | undefined;
    const reading = new Promise<void>(resolve => {
      endReading = resolve;
    });
    const { seen, shown } = await search({
      local: async (_, onPartial) => {
        onPartial([raw('slow.ts')], 'rank');
        onPartial([raw('quick.ts')], 'rank');
        await later(0);
        endReading?.();
        await later(0);
        return { files: [raw('quick.ts')], searched: 7 };
      },
      readText: async ({ path }) => {
        if (path === 'slow.ts') await reading;
        return 'one\ntwo\n';
      },
    });
    assert.deepEqual(shown, ['quick.ts']);
    assert.ok(seen.every(({ files }) => files.every(({ path }) => path !== 'slow.ts')));
  });

  it('gives the model the local results as soon as only the history is missing', async () => {
    let ended = false;
    const { seen, shown } = await search({
      local: async (_, onPartial) => {
        onPartial([raw('first.ts')], 'rank');
        onPartial([raw('all.ts'), raw('gone.ts')], 'history');
        await later(await later(0));
        ended = true;
        return { files: [raw('last.ts'), raw('all.ts')], searched: 7, history: 'late' };
      },
      model: async (_signal, _onEvent, known) => {
        assert.equal(ended, false);
        const [file] = known;
        assert.deepEqual([known.length, file?.path, file?.spans[0]?.endLine], [1, 'all.ts', 2]);
        return { ...outcome('finished', 'all.ts'), turns: 1 };
      },
    });
    assert.deepEqual(shown, ['all.ts', 'last.ts']);
    assert.equal(seen.at(-1)?.history, 'late');
    assert.deepEqual(
      seen.at(-1)?.files.map(({ foundBy }) => foundBy),
      ['both', 'local'],
    );
  });

  it('asks the model even when the local engine fails', async () => {
    const { shown } = await search({
      local: broken,
      model: async (_signal, _onEvent, known) => {
        assert.deepEqual(known, []);
        return outcome('finished', 'model.ts');
      },
    });
    assert.deepEqual(shown, ['model.ts']);
  });

  for (const end of ['turns', 'repeats', 'time', 'silent'] as const)
    it(`keeps the local answer when the model ends by ${end}, and says so`, async () => {
      const { state, shown } = await search({ model: async () => later(outcome(end, 'read.ts')) });
      assert.deepEqual([state.engine, state.fallback, shown], ['local', end, ['local.ts']]);
    });

  it('shows what the model read where the local engine found nothing', async () => {
    const { state, shown } = await search({
      local: async () => ({ files: [], searched: 7 }),
      model: async () => later(outcome('turns', 'read.ts')),
    });
    assert.deepEqual([state.engine, state.fallback, shown], ['model', 'turns', ['read.ts']]);
  });

  it('keeps the local answer when the model found nothing', async () => {
    const { state } = await search({ model: async () => later(outcome('finished')) });
    assert.deepEqual([state.engine, state.fallback], ['local', 'nothing']);
  });

  it('keeps the local answer and the error when the model fails', async () => {
    const failure = new ServiceError('rateLimited', 'HTTP 429');
    for (const thrown of [failure, new SearchFailure(failure, [])]) {
      const { state } = await search({ model: () => Promise.reject(thrown) });
      assert.deepEqual([state.engine, state.fallback, state.error], ['local', 'failed', failure]);
    }
  });

  it('throws what the local engine threw, unless the model answered', async () => {
    await assert.rejects(search({ local: broken }), /no ripgrep/);
    const { state } = await search({
      local: broken,
      model: async () => outcome('finished', 'model.ts'),
    });
    assert.equal(state.engine, 'model');
  });

  it('says nothing more once it is canceled', async () => {
    const controller = new AbortController();
    const states: SearchState[] = [];
    const pending = search({
      signal: controller.signal,
      onChange: state => states.push(state),
      model: async () => later(outcome('finished', 'model.ts')),
    });
    setTimeout(() => controller.abort(), 1);
    await assert.rejects(pending, isAbortError);
    const known = states.length;
    await later(0);
    assert.equal(states.length, known);
    assert.ok(states.every(({ engine }) => engine !== 'model'));
  });
});
