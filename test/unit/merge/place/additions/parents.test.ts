import assert from 'node:assert/strict';
import { changesParents } from '../../../../../src/merge/place/additions/parents';
import type { EdgeFit } from '../../../../../src/merge/place/edges/edges';
import { indexOf, sectionOf } from '../places';

const jobs = `{
  name
  on
  build:
    setup
    compile
  test:
    prepare
    run
  last
`;

/** Whether a section would give a row another parent, in the place of the lines from `first` to `last`. */
function changes(
  text: string,
  section: string,
  [first, last]: [first: string, last: string],
  tail: EdgeFit = 'exact',
): boolean {
  const file = indexOf(text);
  const at = (line: string): number => file.ids.indexOf(file.numberOf(line));
  const place = { start: at(first), end: at(last) + 1, score: 0, head: 'exact' as const, tail };
  return changesParents(sectionOf(section, file), place, file);
}

const between = (count: number): string =>
  Array.from({ length: count }, (_, at) => `    step ${at}\n`).join('');

const long = (count: number): boolean =>
  changes(jobs.replace('    compile\n', between(count)), '  build:\n    setup\n    run\n', [
    'build:',
    'run',
  ]);

describe('a place that changes the parent of a row', () => {
  it('deletes a header, but keeps a line below it', () => {
    assert.equal(changes(jobs, '  build:\n    setup\n    run\n', ['build:', 'run']), true);
  });

  it('may be far down in the file', () => {
    const text = `${between(400)}${jobs}`;
    assert.equal(changes(text, '  build:\n    setup\n    run\n', ['build:', 'run']), true);
  });

  it('has at least a header and a row', () => {
    const nested = 'a:\n  b:\n    c\n';
    assert.equal(changes(nested, 'a:\n    c\n', ['a:', 'c']), true);
    assert.equal(changes(nested, '    c\n', ['c', 'c']), false);
  });

  it('is none if the header is kept, or goes with all its lines', () => {
    const kept = '  build:\n    compile\n  test:\n    run\n';
    assert.equal(changes(jobs, kept, ['build:', 'run']), false);
    assert.equal(changes(jobs, '  build:\n    setup\n  last\n', ['build:', 'last']), false);
  });

  it('is none if the header was renamed', () => {
    const renamed = '  build:\n    setup\n  check:\n    prepare\n    run\n';
    assert.equal(changes(jobs, renamed, ['build:', 'run']), false);
  });

  it('is none if a block around the row was taken away', () => {
    assert.equal(changes(jobs, '  build:\n    setup\n  run\n', ['build:', 'run']), false);
  });

  it('is none for the rows beside what is deleted, at the top of the file', () => {
    assert.equal(changes('one:\n  a\ntwo\nthree\n', 'two\nthree\n', ['one:', 'three']), false);
  });

  it('is none if only a bracket opens the block', () => {
    const text = 'list\n  first\n  (\n    inner\n    outer\n';
    assert.equal(changes(text, 'list\n    outer\n', ['list', 'outer']), false);
  });

  it('is none for a bracket that stays', () => {
    const text = 'a {\n  b {\n    ]\n';
    assert.equal(changes(text, 'a {\n    ]\n', ['a {', ']']), false);
  });

  it('counts a last row that is similar to the last line', () => {
    const section = '  build:\n    setup\n    runs\n';
    assert.equal(changes(jobs, section, ['build:', 'run'], 'similar'), true);
    assert.equal(changes(jobs, section, ['build:', 'run'], 'new'), false);
  });

  it('is not looked for in more than 300 lines', () => {
    assert.equal(long(295), true);
    assert.equal(long(296), false);
  });
});
