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

const step = (at: number): string => `run();\nwait();\nstop(${at});\n`;

const section = (line: string): string =>
  `function load(path) {\n${line}\n  const results = readFile(path);`;

const text = (name: string): string => `  open(${name});\n`;

const known = (name: string): number | undefined =>
  place(text(`${name}s`).trimEnd(), `${file}${text(name)}`);

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

  it('may be short where others stand beside them', () => {
    const [short, lines] = ['  limit = 10;', 'begin(all);\n  limit = 20;\nfinish(all);'];
    assert.equal(place(lines, `first();\nbegin(all);\n${short}\nfinish(all);`), 1);
    assert.equal(
      place('  limit = 20;', `first();\nbegin(all);\n${short}\nfinish(all);`),
      undefined,
    );
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

  it('are long enough for a typo where they stand alone', () => {
    // Without blanks, 15 and 16 characters.
    assert.equal(known('longnam'), undefined);
    assert.equal(known('longname'), 10);
  });

  it('are as alike as needed, line by line', () => {
    assert.equal(place(section('  // Reads the settings of a user')), 0);
    assert.equal(place(section('  // Reads the names of all users')), undefined);
    assert.equal(place(section('')), undefined);
    // A bracket in place of another line is no typo.
    assert.equal(
      place('  return results.filter(Boolean);\n]\n\nfunction save(path, data) {'),
      undefined,
    );
  });

  it('are found among very many places that are nearly as good', () => {
    const steps = Array.from({ length: 200 }, (_, at) => step(at)).join('');
    const last = 'finish(all, steps);\nrun();\nwait();\nlog(the, results);\n';
    assert.equal(
      place('finish(all, stebs);\nrun();\nwait();\nlog(the, results);', steps + last),
      600,
    );
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
    const [first, , , closing] = file.split('\n').slice(1);
    const whole = applySearchReplace(file, [
      {
        search: `${first}\n  const result = readFile(path);\n  return result.filter(Boolean);\n${closing}`,
        replace: `${first}\n  const results = readFile(path);\n  return results.filter(Boolean);\n${closing}`,
      },
    ]);
    assert.equal(
      whole.kind === 'refused' && written(whole.reason).includes('already applied'),
      true,
    );
    assert.equal(done.kind === 'refused' && written(done.reason).includes('already applied'), true);
  });
});
