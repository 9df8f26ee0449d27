import assert from 'node:assert/strict';
import type { WriteLabel } from '../../../../../src/apply/external/core/rootState';
import {
  everything,
  filteredFiles,
  usefulFilters,
} from '../../../../../src/apply/external/rows/filters';
import type { ListedFile } from '../../../../../src/apply/external/rows/groups';
import { listedFile } from './listedFile';

const listed = (label: string, ...labels: readonly WriteLabel[]): ListedFile =>
  listedFile(label, { labels });

const turn = (name: string, from: number, to: number, agent = 'claude'): WriteLabel => ({
  from,
  to,
  agent,
  session: 's',
  turn: name,
});

const names = (files: readonly ListedFile[]) => files.map(({ label }) => label);

describe('filters of external changes', () => {
  const files = [
    listed('old', turn('1', 10, 20)),
    listed('both', turn('1', 10, 20), turn('2', 30, 40)),
    listed('new', turn('2', 35, 50)),
    listed('meanwhile', { from: 45, to: 46 }),
    listed('before', { from: 1, to: 2 }),
    listed('other', turn('x', 5, 6, 'codex')),
  ];

  it('leave what was written since the last prompt, whoever wrote it', () => {
    assert.deepEqual(names(filteredFiles(files, { kind: 'lastTurn' })), [
      'both',
      'new',
      'meanwhile',
    ]);
  });

  it('leave the files of an agent', () => {
    const codex = { kind: 'agent', agent: 'codex' } as const;
    assert.deepEqual(names(filteredFiles(files, codex)), ['other']);
  });

  it('hide nothing when nothing would be left', () => {
    const gone = { kind: 'agent', agent: 'gemini' } as const;
    assert.equal(filteredFiles(files, gone), files);
    const unknown = [listed('a', { from: 1, to: 2 })];
    assert.equal(filteredFiles(unknown, { kind: 'lastTurn' }), unknown);
    assert.deepEqual(filteredFiles([], everything), []);
    assert.deepEqual(names(filteredFiles(files, everything)), names(files));
  });

  it('are offered only if they make a difference', () => {
    assert.deepEqual(usefulFilters(files), [
      { kind: 'lastTurn' },
      { kind: 'agent', agent: 'claude' },
      { kind: 'agent', agent: 'codex' },
    ]);
    assert.deepEqual(usefulFilters(files.slice(2, 3)), []);
    assert.deepEqual(usefulFilters([]), []);
  });
});
