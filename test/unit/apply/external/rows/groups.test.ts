import assert from 'node:assert/strict';
import type { WriteLabel } from '../../../../../src/apply/external/core/rootState';
import type { PendingFile } from '../../../../../src/apply/external/core/tracker';
import { groupFiles, type ListedFile } from '../../../../../src/apply/external/rows/groups';
import { filesOfRow } from '../../../../../src/apply/external/rows/rowFiles';
import { listedFile } from './listedFile';

const minute = 60_000;

const listed = (path: string, label: WriteLabel, more: Partial<PendingFile> = {}): ListedFile =>
  listedFile(path, { labels: [label], ...more });

const at = (from: number, to = from): WriteLabel => ({ from: from * minute, to: to * minute });
const names = (files: readonly ListedFile[]): string[] => files.map(({ label }) => label);

describe('groupFiles', () => {
  it('puts writes without a label together while no more than two minutes lie between them', () => {
    const groups = groupFiles(
      [listed('a', at(10)), listed('b', at(11, 12)), listed('c', at(20)), listed('d', at(13))],
      'turn',
    );
    assert.deepEqual(
      groups.map(({ files }) => names(files)),
      [['c'], ['d', 'b', 'a']],
    );
    assert.deepEqual([groups[1]?.from, groups[1]?.to], [10 * minute, 13 * minute]);
  });

  it('keeps the turns of agents apart, also those at the same time', () => {
    const claude = { agent: 'claude', session: 's', turn: '1' };
    const groups = groupFiles(
      [
        listed('a', { ...at(10), ...claude }),
        listed('b', { ...at(10), ...claude, turn: '2' }),
        listed('c', { ...at(10), agent: 'codex', session: 's', turn: '1', isShared: true }),
        listed('d', { ...at(9), ...claude }),
        listed('e', at(10)),
      ],
      'turn',
    );
    assert.deepEqual(
      groups.map(({ files, agent, isShared }) => [agent, isShared, ...names(files)]),
      [
        ['claude', false, 'a', 'd'],
        ['claude', false, 'b'],
        ['codex', true, 'c'],
        [undefined, false, 'e'],
      ],
    );
  });

  it('joins the turns of an agent, and everything that nobody labelled', () => {
    const groups = groupFiles(
      [
        listed('a', { ...at(10), agent: 'codex', turn: '1' }),
        listed('b', { ...at(90), agent: 'codex', turn: '2' }),
        listed('c', at(1)),
        listed('d', at(80)),
      ],
      'agent',
    );
    assert.deepEqual(
      groups.map(({ files }) => names(files)),
      [
        ['b', 'a'],
        ['d', 'c'],
      ],
    );
  });

  it('places a file by its last write', () => {
    const [file] = [listed('a', at(1))];
    const both = { ...file, pending: { ...file.pending, labels: [at(1), at(50)] } };
    assert.deepEqual(
      groupFiles([both, listed('b', at(1)), listed('c', at(50))], 'turn').map(({ files }) =>
        names(files),
      ),
      [['a', 'c'], ['b']],
    );
  });
});

describe('the files of a row', () => {
  const files = [
    listed('a', at(10)),
    listed('lock.json', at(10), { isGenerated: true }),
    listed('c', at(50)),
  ];
  const picked = (subject: string, grouping: 'turn' | 'file' = 'turn') =>
    filesOfRow(subject, files, grouping);
  const group = groupFiles(files, 'turn')[1]?.id;

  it('are all files, those of a group, or the generated ones of a group', () => {
    assert.deepEqual(names(picked('external')?.files ?? []), ['a', 'lock.json', 'c']);
    assert.deepEqual(names(picked(`group:${group}`)?.files ?? []), ['a', 'lock.json']);
    assert.deepEqual(names(picked(`generated:${group}`)?.files ?? []), ['lock.json']);
    assert.deepEqual(names(picked('generated:all', 'file')?.files ?? []), ['lock.json']);
  });

  it('are one file, or one change of it', () => {
    assert.deepEqual(picked('file:///w/a'), { files: [files[0]] });
    assert.deepEqual(picked('file:///w/a#12'), { files: [files[0]], change: '12' });
  });

  it('are none when what the row stood for is gone', () => {
    assert.equal(picked('file:///w/gone'), undefined);
    assert.equal(picked('group:turn:gone'), undefined);
    assert.equal(filesOfRow('external', [], 'turn'), undefined);
  });
});
