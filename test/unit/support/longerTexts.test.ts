import assert from 'node:assert/strict';
import { faultsOf, translatedFiles } from '../../../scripts/l10n';
import { withTails } from '../../support/longer/locators.mjs';
import { longerText, withoutTail } from '../../support/longer/texts.mjs';

const lengthOf = (texts: readonly string[]): number => texts.join('').length;

describe('longer texts', () => {
  it('are the English ones with a tail, in parts that may wrap', () => {
    assert.equal(longerText('Accept All'), 'Accept Alləəəə');
    assert.equal(longerText('{0} places in {1} files'), '{0} places in {1} filesəəəəəə ə');
    for (const text of ['', '{0}, {1}', '$(check)', '{0}%']) assert.equal(longerText(text), text);
  });

  it('have a tail for each line, inside of buttons and of what is emphasized', () => {
    assert.equal(
      longerText('Ask.\n[Go…](command:splice.go)'),
      'Ask.əə\n[Go…əə](command:splice.go)',
    );
    assert.equal(longerText('Read **this.**'), 'Read **this.əəəəəə**');
  });

  it('have the fixed parts of every text of Splice, are 40 % longer, and lead back to it', () => {
    for (const { file, source } of translatedFiles('.', 'de')) {
      const texts = Object.entries(source);
      const bundle = Object.fromEntries(texts.map(([key, text]) => [key, longerText(text)]));
      assert.deepEqual(faultsOf(source, bundle), { missing: [], unused: [], different: [] }, file);
      for (const [key, text] of texts) {
        assert.doesNotMatch(text, /ə/iu);
        assert.equal(withoutTail(bundle[key] ?? ''), text);
      }
      assert.ok(lengthOf(Object.values(bundle)) > 1.35 * lengthOf(texts.map(([, text]) => text)));
    }
  });

  it('are read without their tails where several make one, also in capitals', () => {
    const composed = `${longerText('3 changes to review')}, ${longerText('checked')} · x`;
    assert.equal(withoutTail(composed), '3 changes to review, checked · x');
    assert.equal(withoutTail(longerText('Search').toUpperCase()), 'SEARCH');
  });

  it('are found by the expressions that find the English ones', () => {
    const found = `${longerText('3 changes')}, ${longerText('no finding')} ${longerText('(local)')}`;
    for (const expression of [
      /^3 changes, no finding \(local\)$/,
      /^\d+ (?:change|changes), [a-z ]+ \(local\)/,
      /CHANGES, NO/i,
      /^3 chang(?=es)/,
    ]) {
      assert.ok(expression.test('3 changes, no finding (local)'), String(expression));
      assert.ok(withTails(expression).test(found), String(expression));
    }
    assert.ok(!withTails(/^3 changes$/).test(found));
    assert.equal(withTails(/a[bc]+d/i).flags, 'i');
  });
});
