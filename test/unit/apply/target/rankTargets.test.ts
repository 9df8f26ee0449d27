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
    assert.equal(best({ path: 'index.ts' }, ...candidates), 'index.ts path!');
  });

  it('asks when only the base name is the same', () => {
    assert.equal(best({ path: 'lib/a.ts' }, file('src/a.ts*')), 'src/a.ts path');
    assert.equal(best({ path: 'lib/a.ts' }, file('a.ts*')), 'a.ts path');
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
