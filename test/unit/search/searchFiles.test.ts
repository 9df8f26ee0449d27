import assert from 'node:assert/strict';
import path from 'node:path';
import type { AgentOptions } from '../../../src/search/agent/searchAgent';
import { searchFiles } from '../../../src/search/searchFiles';
import type { SearchWorkspace } from '../../../src/search/workspace/workspace';
import { TestWorkspace } from './workspace';

const queue = [
  'export class Queue {',
  '  close(): void {',
  '    this.closed = true;',
  '  }',
  '}',
  '',
].join('\n');

describe('a search in the files of a workspace', () => {
  let files: TestWorkspace;
  before(() => {
    files = new TestWorkspace({
      'src/queue.ts': queue,
      'src/other.ts': 'export const other = 1;\nexport const more = 2;\n',
      'credentials.json': '{"queue":"close"}\n',
      '../outside.ts': 'export const queue = close();\n',
    });
  });
  after(() => files.remove());

  const conversations: string[] = [];
  beforeEach(() => conversations.splice(0));

  /** The search model answers at once with these lines. */
  const answering =
    (...lines: readonly string[]): AgentOptions['ask'] =>
    async messages => {
      conversations.push(messages.map(({ content }) => content).join('\n'));
      const call = { name: 'finish', arguments: JSON.stringify({ files: lines.join('\n') }) };
      return { text: '', toolCalls: [{ id: 'a', ...call }], attempts: 1, ms: 1 };
    };

  async function search(
    ask?: AgentOptions['ask'],
    { limit = 10, ...workspace }: Partial<SearchWorkspace> & { limit?: number } = {},
  ) {
    const scope = await files.scope(workspace);
    const { signal } = scope;
    const options = { signal, limit, ask, onChange: () => undefined };
    const state = await searchFiles(scope.workspace, 'where is the queue closed', options);
    return {
      state,
      places: state.files.map(file => [
        file.path,
        ...file.spans.map(({ startLine, endLine }) => `${startLine}-${endLine}`),
      ]),
    };
  }

  it('finds places without a model, and shows their text', async () => {
    const { state, places } = await search();
    assert.equal(places[0]?.[0], 'src/queue.ts');
    assert.match(state.files[0]?.spans[0]?.title ?? '', /class Queue|close/);
    assert.deepEqual([state.engine, state.isRunning, state.error], ['local', false, undefined]);
    assert.ok(!places.some(([file]) => file?.includes('credentials')));
  });

  it('shows the text of an editor that is not saved', async () => {
    const text = queue.replace('export class Queue {', 'export class QueueTyped {');
    const unsaved = new Map([[path.join(files.root, 'src/queue.ts'), text]]);
    const { state } = await search(answering('src/queue.ts:1-2'), { unsaved });
    const titles = state.files.flatMap(({ spans }) => spans.map(({ title }) => title));
    assert.ok(
      titles.some(title => title.includes('QueueTyped')),
      titles.join(),
    );
  });

  it('gives the model what the local engine found', async () => {
    await search(answering('src/queue.ts:2-3'));
    assert.match(conversations[0] ?? '', /\/src\/queue\.ts:\d+-\d+ Queue\n/);
    assert.doesNotMatch(conversations[0] ?? '', /credentials/);
  });

  it('shows what the model named, once for each file, however it is named', async () => {
    const { state, places } = await search(
      answering('src/other.ts:1-1', `${files.root}/src/other.ts:2-2`),
    );
    const [other] = places.filter(([file]) => file === 'src/other.ts');
    assert.deepEqual(places.filter(([file]) => file === 'src/other.ts').length, 1);
    assert.ok(other && other.length > 1);
    assert.equal(state.fallback, undefined);
  });

  it('shows files of each root, with their own text', async () => {
    const others = new TestWorkspace({ 'src/queue.ts': 'export function closeQueue() {}\n' });
    try {
      const roots = [files.root, others.root];
      const { state } = await search(undefined, { roots });
      const titles = state.files.map(
        ({ root, path: file, spans }) => `${root} ${file} ${spans[0]?.symbol}`,
      );
      assert.deepEqual(titles.sort(), ['0 src/queue.ts Queue', '1 src/queue.ts closeQueue']);
    } finally {
      others.remove();
    }
  });

  it('leaves out what is no file that may be read', async () => {
    const { state, places } = await search(
      answering(
        'src/gone.ts:1-2',
        '../outside.ts:1-1',
        'credentials.json:1-1',
        'src:1-1',
        `${path.dirname(files.root)}/outside.ts:1-1`,
      ),
    );
    assert.ok(state.fallback !== undefined);
    assert.ok(
      places.every(([file]) => file === 'src/queue.ts'),
      places.join('; '),
    );
  });

  it('takes no more files from the model than are wanted', async () => {
    const answer = answering('src/other.ts:1-1', 'src/queue.ts:1-1');
    const foundBy = async (limit: number) => {
      const { state } = await search(answer, { limit });
      return new Map(state.files.map(file => [file.path, file.foundBy]));
    };
    assert.deepEqual(
      await foundBy(2),
      new Map([
        ['src/queue.ts', 'both'],
        ['src/other.ts', 'model'],
      ]),
    );
    assert.equal((await foundBy(1)).get('src/queue.ts'), 'local');
  });
});
