import assert from 'node:assert/strict';
import { parseClipboard } from '../../../src/apply/parse/clipboard';
import { auditMerge, mergeEdit } from '../../../src/merge/index';
import { sampleAnswer, sampleText } from '../../../src/welcome/sample';

describe('the sample of the walkthrough', () => {
  it('merges for certain, so that nothing is sent, and without a finding', () => {
    const content = parseClipboard(sampleAnswer);
    assert.ok(content.kind === 'edits');
    const [edit, ...others] = content.edits;
    assert.ok(edit?.format === 'snippet' && others.length === 0);
    const merged = mergeEdit(sampleText, edit.text, { path: 'cart.ts' });
    assert.ok(merged.kind === 'merged' && merged.certain, JSON.stringify(merged));
    assert.match(merged.text, /return sum >= 5000 \? sum : sum \+ shippingFee;/);
    assert.match(merged.text, /export function subtotal/);
    assert.deepEqual(auditMerge(sampleText, edit.text, merged.text, { path: 'cart.ts' }), []);
  });
});
