import assert from 'node:assert/strict';
import path from 'node:path';
import {
  bundleText,
  faultsOf,
  languages,
  readBundle,
  translatedFiles,
} from '../../../../scripts/l10n';

describe('the translations', () => {
  it('are compared with the source', () => {
    const source = {
      'Open {0}': 'Open {0}',
      gone: 'gone',
      'See `a` [here](b)': 'See `a` [here](b)',
    };
    const bundle = {
      'Open {0}': 'Öffnen',
      'See `a` [here](b)': '[Hier](b) steht `a`',
      old: 'alt',
    };
    assert.deepEqual(faultsOf(source, bundle), {
      missing: ['gone'],
      unused: ['old'],
      different: ['Open {0}'],
    });
    assert.equal(
      bundleText(source, { old: 'alt', gone: 'weg', 'Open {0}': '{0} öffnen' }),
      '{\n  "Open {0}": "{0} öffnen",\n  "gone": "weg"\n}\n',
    );
  });

  for (const language of languages) {
    it(`to ${language} have the placeholders of the texts, and at most one in fifty is missing`, () => {
      for (const { file, source } of translatedFiles('.', language)) {
        const bundle = readBundle(path.join('.', file)) ?? {};
        const { missing, unused, different } = faultsOf(source, bundle);
        assert.deepEqual([unused, different], [[], []], `${file}: run npm run l10n`);
        // A text that is new is shown in English until it is translated.
        const most = Object.keys(source).length / 50;
        const first = missing.slice(0, 5).join('; ');
        assert.ok(missing.length <= most, `${file} lacks ${missing.length}: ${first}; …`);
      }
    });
  }
});
