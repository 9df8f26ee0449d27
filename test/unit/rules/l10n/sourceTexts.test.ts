import assert from 'node:assert/strict';
import { sourceTexts } from '../../../../scripts/l10n/sourceTexts';

describe('the texts of a source', () => {
  it('are those that are translated, where they are shown or where they are created', () => {
    assert.deepEqual(
      sourceTexts(`
        const { t } = vscode.l10n;
        show(t('One {0}', 1), vscode.l10n.t("It's two"), 'not this one');
        throw new UserError(sentence('Three {0}', sentence('four')));
        limitError("Five");`),
      ['One {0}', "It's two", 'Three {0}', 'four', 'Five'],
    );
  });

  it('are all of a choice', () => {
    assert.deepEqual(sourceTexts(`t(isOne ? '1 call' : isNone ? 'No call' : '{0} calls', n)`), [
      '1 call',
      'No call',
      '{0} calls',
    ]);
  });

  it('cannot be put together before they are translated', () => {
    assert.throws(() => sourceTexts('t(`One ${name}`)'), /put together before it is translated/);
    assert.deepEqual(sourceTexts('t(text)'), []);
  });
});
