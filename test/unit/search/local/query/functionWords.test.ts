import assert from 'node:assert/strict';
import { functionWordsOf } from '../../../../../src/search/local/query/functionWords';
import { termsOf } from '../../../../../src/search/local/query/terms';

const termsIn = (query: string): string[] =>
  termsOf(query).map(({ forms }) => forms[0]?.words.join(' ') ?? '');

describe('function words of other languages than English', () => {
  for (const [query, terms] of [
    ['Wo wird die Verbindung nach einem Fehler aufgebaut?', ['verbindung', 'fehl', 'aufgebaut']],
    ['Was passiert, wenn der Token und das Konto fehlen', ['token', 'konto', 'fehlen']],
    ['¿Dónde se valida el token del usuario?', ['valida', 'token', 'usuario']],
    ['où est gérée la connexion avec les clients', ['géré', 'connex', 'client']],
  ] as const) {
    it(`are no terms of "${query}"`, () => assert.deepEqual(termsIn(query), terms));
  }

  it('are terms where they are quoted, in capitals or parts of identifiers', () => {
    assert.deepEqual(termsIn('wo ist `die` und DER in setDie'), ['set die', 'die', 'der', 'set']);
  });

  it('are words like others in English', () => {
    for (const query of [
      'where does the process die when the war is on',
      'use des and est as names in an es module',
      'what was the und locale',
      'sans serif',
    ]) {
      assert.equal(functionWordsOf(query).size, 0, query);
    }
    assert.ok(termsIn('where does the process die').includes('die'));
    assert.ok(termsIn('what was the und locale').includes('und'));
  });
});
