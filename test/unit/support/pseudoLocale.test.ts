import assert from 'node:assert/strict';
import { faultsOf, translatedFiles } from '../../../scripts/l10n';
import { leftInEnglish, pseudoBundle, pseudoText } from '../../support/pseudoLocale';

describe('the pseudo-locale', () => {
  it('makes each word 40 % longer, with accents', () => {
    assert.equal(pseudoText('Accept All'), 'Áccéptööö Állöö');
    assert.equal(pseudoText('by'), 'býö');
  });

  it('keeps placeholders, icons, code and the targets of links', () => {
    const text = '$(check) Open file `a.b` in {0}\n[Connect…](command:splice.connect)';
    const changed = pseudoText(text);
    for (const part of ['$(check)', '`a.b`', '{0}', '](command:splice.connect)'])
      assert.ok(changed.includes(part), changed);
    assert.deepEqual(leftInEnglish([text]), [text]);
    assert.deepEqual(leftInEnglish([changed]), []);
  });

  it('has the fixed parts of every text of Splice', () => {
    for (const { file, source } of translatedFiles('.', 'de')) {
      const bundle: Record<string, string> = JSON.parse(pseudoBundle(source));
      assert.deepEqual(faultsOf(source, bundle), { missing: [], unused: [], different: [] }, file);
      assert.deepEqual(leftInEnglish(Object.values(bundle)), []);
    }
  });

  it('leaves out what is data', () => {
    assert.deepEqual(leftInEnglish(['Notes of mine', 'x 1'], ['Notes of mine']), []);
    assert.deepEqual(leftInEnglish(['One endpoint ready']), ['One endpoint ready']);
  });
});
