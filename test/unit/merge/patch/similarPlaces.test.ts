import assert from 'node:assert/strict';
import { written } from '../../../../src/base/sentence';
import { LineFinder } from '../../../../src/merge/patch/lineFinder';
import { applySearchReplace } from '../../../../src/merge/patch/mergePatch';
import { similarPlace } from '../../../../src/merge/patch/similarPlaces';

const file = `function load(path) {
  // Reads the settings of the user
  const results = readFile(path);
  return results.filter(Boolean);
}

function save(path, data) {
  writeFile(path, data);
  return data.length;
}
`;
const place = (text: string, original = file): number | undefined =>
  similarPlace(text.split('\n'), new LineFinder(original.split('\n')));

describe('old lines that are not quite those of the file', () => {
  it('are found by a typo, a comment or other blanks', () => {
    assert.equal(place('  const result = readFile(path);\n  return results.filter(Boolean);'), 2);
    assert.equal(
      place(
        'function load(path) {\n  // Reads the settings of this user\n  const results = readFile(path);',
      ),
      0,
    );
    assert.equal(place('function  save( path,data ) {\n  writeFile(path,  data);'), 6);
    assert.equal(place('  const results = readFiles(path);'), 2);
  });

  it('are not found where a line is another one, or two places are as good', () => {
    assert.equal(
      place('  const rows = database.query(sql);\n  return results.filter(Boolean);'),
      undefined,
    );
    assert.equal(place('x();'), undefined);
    assert.equal(place('}'), undefined);
    assert.equal(place('  const results = readFiles(path);', file + file), undefined);
    assert.equal(place(file + file), undefined);
  });

  it('are replaced, but never for certain', () => {
    const search =
      'function load(path) {\n  // Reads settings of the user\n  const result = readFile(path);';
    const replace =
      'function load(path) {\n  // Reads settings of the user\n  const lines = readFile(path);';
    assert.deepEqual(applySearchReplace(file, [{ search, replace }]), {
      kind: 'merged',
      text: file.replace('const results', 'const lines'),
      certain: false,
    });
    // What is to be there is there.
    const done = applySearchReplace(file, [
      { search: '  const result = readFile(path);', replace: '  const results = readFile(path);' },
    ]);
    assert.equal(done.kind === 'refused' && written(done.reason).includes('already applied'), true);
  });
});
