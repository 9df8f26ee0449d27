import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  rankTargets,
  type TargetCandidate,
  type TargetQuery,
} from '../../../../src/apply/target/rankTargets';

/** `*` marks the active file; the path is the id. */
function file(mark: string, text?: string): TargetCandidate {
  const path = mark.replace('*', '');
  return {
    id: path,
    path,
    isActive: mark.endsWith('*'),
    isOpen: true,
    ...(text === undefined ? {} : { text }),
  };
}

/** The best target, `!` when it is clear. */
function best(query: Partial<TargetQuery>, ...candidates: TargetCandidate[]): string {
  const [first] = rankTargets({ text: '', ...query }, candidates);
  return first ? `${first.id} ${first.why}${first.clear ? '!' : ''}` : 'none';
}

const cart = 'export class Cart {\n  add(item) {\n    this.items.push(item);\n  }\n}';
const user = 'export class User {\n  rename(name) {\n    this.name = name;\n  }\n}';

const rare = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => `line ${'abcdefghijkl'[from + at]} of the file`);

describe('rankTargets', () => {
  it('takes the file of the exact path, wherever the cursor is', () => {
    assert.equal(best({ path: 'src/a.ts' }, file('src/b.ts*'), file('src/a.ts')), 'src/a.ts path!');
  });

  it('takes the only file whose path ends alike, in other letter case too', () => {
    const candidates = [file('web/src/a.ts'), file('web/src/b.ts*')];
    assert.equal(best({ path: 'src/a.ts' }, ...candidates), 'web/src/a.ts path!');
    assert.equal(best({ path: 'project/web/src/a.ts' }, ...candidates), 'web/src/a.ts path!');
    assert.equal(best({ path: 'a.ts' }, ...candidates), 'web/src/a.ts path!');
    assert.equal(best({ path: 'SRC/A.ts' }, ...candidates), 'web/src/a.ts path!');
  });

  it('asks when several files match, the active one first', () => {
    const candidates = [file('x/index.ts'), file('y/index.ts*')];
    assert.equal(best({ path: 'index.ts' }, ...candidates), 'y/index.ts path');
  });

  it('prefers the exact path to a longer one', () => {
    const candidates = [file('web/index.ts*'), file('index.ts')];
    const [exact, longer] = rankTargets({ path: 'index.ts', text: '' }, candidates);
    assert.deepEqual([exact?.score, (longer?.score ?? 1) < 1], [1, true]);
    assert.equal(best({ path: 'index.ts' }, ...candidates), 'index.ts path!');
  });

  it('asks when only the base name is the same', () => {
    assert.equal(best({ path: 'lib/a.ts' }, file('src/a.ts*')), 'src/a.ts path');
    assert.equal(best({ path: 'lib/a.ts' }, file('a.ts*')), 'a.ts path');
    assert.equal(
      best({ path: 'x/lib/a.ts' }, file('b.ts*'), file('src/y/a.ts')),
      'src/y/a.ts path',
    );
  });

  it('never takes the active file for a path that names another one', () => {
    assert.equal(
      best({ path: 'src/cart.ts', text: cart }, file('src/other.ts*', cart)),
      'src/other.ts active',
    );
  });

  it('takes the active file when it holds the snippet’s lines', () => {
    const text = `${cart}\nfunction more() {}`;
    assert.equal(best({ text }, file('cart.ts*', cart), file('user.ts', user)), 'cart.ts active!');
  });

  it('asks when another file holds the lines, and offers that first', () => {
    assert.equal(
      best({ text: cart }, file('user.ts*', user), file('cart.ts', cart)),
      'cart.ts content',
    );
  });

  it('asks when nothing is known', () => {
    assert.equal(best({ text: cart }, file('a.ts'), file('user.ts*', user)), 'user.ts active');
    assert.equal(best({ text: cart }), 'none');
  });

  it('prefers a file of the same language', () => {
    const query = { text: 'x', languageId: 'python' };
    assert.equal(best(query, file('a.ts'), file('b.py')), 'b.py open');
  });

  it('does not count braces and lines that every file has', () => {
    const license = '// Copyright by the authors of this program';
    const text = `${license}\nfunction brandNew() {\n}`;
    assert.equal(
      best({ text }, file('a.ts*', `${license}\n}`), file('b.ts', license)).endsWith('!'),
      false,
    );
  });

  for (const path of [
    '/home/me/web/src/a.ts',
    'C:\\work\\web\\src\\a.ts',
    '../../src/a.ts',
    './src/a.ts',
  ]) {
    it(`matches ${path} by its end only`, () => {
      assert.equal(best({ path }, file('src/b.ts*'), file('src/a.ts')), 'src/a.ts path!');
    });
  }

  it('does not prefer the same path for one that points out of the workspace', () => {
    const candidates = [file('etc/app.conf*'), file('docker/etc/app.conf')];
    assert.equal(best({ path: '/etc/app.conf' }, ...candidates), 'etc/app.conf path');
    assert.equal(best({ path: 'etc/app.conf' }, ...candidates), 'etc/app.conf path!');
  });

  it('takes the active file when another one holds only a little more', () => {
    const text = rare(0, 12).join('\n');
    const active = file('a.ts*', rare(0, 5).join('\n'));
    assert.equal(best({ text }, active, file('b.ts', rare(5, 12).join('\n'))), 'a.ts active!');
    assert.equal(
      best({ text }, file('a.ts*', rare(0, 4).join('\n')), file('b.ts', rare(4, 12).join('\n'))),
      'b.ts content',
    );
    assert.equal(best({ text }, file('a.ts*', rare(0, 3).join('\n'))), 'a.ts active');
  });

  it('takes the active file from three lines of ten on, whatever is beside it', () => {
    const text = rare(0, 10).join('\n');
    const active = file('a.ts*', rare(0, 3).join('\n'));
    assert.equal(best({ text }, active), 'a.ts active!');
    const [less, more] = [
      file('b.ts', rare(3, 4).join('\n')),
      file('c.ts', rare(3, 10).join('\n')),
    ];
    assert.equal(best({ text }, active, less), 'a.ts active!');
    const clear = rankTargets({ text }, [active, less, more]).some(({ clear: is }) => is);
    assert.equal(clear, false);
  });

  it('puts a file of that name before one that only holds the lines', () => {
    const candidates = [file('src/b.ts*', cart), file('src/A.ts', '')];
    assert.equal(best({ path: 'lib/a.ts', text: cart }, ...candidates), 'src/A.ts path');
    assert.equal(best({ path: 'LIB/a.TS', text: cart }, ...candidates), 'src/A.ts path');
  });

  it('orders files of the same name by what is known of them', () => {
    const query = { path: 'a.ts', text: cart, languageId: 'typescript' };
    const known = [
      { ...file('q/a.ts'), isOpen: false, languageId: 'vue' },
      { ...file('p/a.ts'), isOpen: false },
      file('o/a.ts'),
      file('n/a.ts*'),
      file('m/a.ts', cart),
    ];
    assert.deepEqual(
      rankTargets(query, known).map(({ id }) => id),
      ['m/a.ts', 'n/a.ts', 'o/a.ts', 'p/a.ts', 'q/a.ts'],
    );
  });

  it('does not hold an unknown language against a file', () => {
    assert.equal(best({ text: 'x' }, file('a.ts'), file('LICENSE')), 'a.ts open');
    const query = { text: 'x', languageId: 'go' };
    assert.equal(best(query, file('notes'), file('a.go')), 'notes open');
    assert.equal(best(query, file('a.ts'), file('notes')), 'notes open');
  });

  it('compares lines without their indentation, a single one too', () => {
    const text = 'this.items.push(item);';
    assert.equal(best({ text }, file('user.ts', user), file('cart.ts*', cart)), 'cart.ts active!');
    const deeper = cart.replaceAll(/^/gm, '\t\t');
    assert.equal(best({ text: deeper }, file('cart.ts*', cart)), 'cart.ts active!');
    assert.equal(best({ text: 'exit' }, file('run.sh*', 'exit')), 'run.sh active!');
  });

  it('knows nothing of a snippet without a word', () => {
    const text = '  }));\n});)\n';
    assert.equal(best({ text }, file('a.ts*', text)), 'a.ts active');
    const query = { text, languageId: 'python' };
    assert.equal(best(query, file('a.ts', text), file('b.py', text)), 'b.py open');
  });

  it('weighs a line less the more files hold it', () => {
    const text = 'one of two files\none of three files\nonly here';
    const held = file('a.ts', 'only here');
    const others = ['b.ts', 'c.ts'].map(path => file(path, 'one of three files'));
    assert.equal(best({ text }, ...others, held), 'a.ts content');
  });

  it('takes the named file beside one without a path', () => {
    assert.equal(best({ path: 'a.ts' }, file(''), file('a.ts')), 'a.ts path!');
    assert.equal(best({ path: '' }, file('b.ts'), file('a.ts*')), 'a.ts active');
  });

  it('leaves out dots in a path, and knows one by its folders', () => {
    const candidates = [file('./src/x/../a.ts'), file('lib/a.ts*')];
    assert.equal(best({ path: './src/./x/a.ts' }, ...candidates), './src/x/../a.ts path!');
  });

  it('gives nothing but candidates, with scores from 0 to 1 that fall', () => {
    const name = fc.constantFrom(
      'a.ts',
      'src/a.ts',
      '../a.ts',
      '/etc/passwd',
      'C:\\a.ts',
      'b.py',
      '',
      '..',
    );
    const candidate = fc.record({
      id: fc.uuid(),
      path: name,
      isActive: fc.boolean(),
      isOpen: fc.boolean(),
      text: fc.constantFrom(cart, user, ''),
    });
    fc.assert(
      fc.property(name, fc.constantFrom(cart, user, ''), fc.array(candidate), (path, text, all) => {
        const ranked = rankTargets({ path, text }, all);
        assert.deepEqual(ranked.map(({ id }) => id).sort(), all.map(({ id }) => id).sort());
        assert(ranked.filter(({ clear }) => clear).length <= 1 || path === '' || path === '..');
        ranked.forEach(({ score }, index) => {
          assert(score >= 0 && score <= 1 && score >= (ranked[index + 1]?.score ?? 0));
        });
      }),
      { numRuns: 2_000 },
    );
  });
});
