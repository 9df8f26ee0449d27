import assert from 'node:assert/strict';
import { baseAddress, snippetForms, snippetOf } from '../../../../src/endpoints/core/snippets';
import { assertApproved } from '../../../support/unit/approved';

const target = (url: string, servedModelName: string) => ({ url: new URL(url), servedModelName });

describe('a snippet of an endpoint', () => {
  it('is text to paste in each form', () => {
    const plain = target('https://a.example.org/x/', 'svc-m');
    assert.equal(baseAddress(plain), 'https://a.example.org/x/v1');
    assertApproved(
      'endpointSnippets',
      snippetForms.map(form => `--- ${form}\n${snippetOf(form, plain)}`).join(''),
    );
  });

  it('quotes what the service has named', () => {
    const hostile = target('https://a.example.org', `m'"$(rm -rf ~)\n; x`);
    assertApproved(
      'endpointSnippetsQuoted',
      snippetForms.map(form => `--- ${form}\n${snippetOf(form, hostile)}`).join(''),
    );
  });
});
