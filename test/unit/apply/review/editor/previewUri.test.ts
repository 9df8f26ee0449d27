import assert from 'node:assert/strict';
import { previewParts } from '../../../../../src/apply/review/editor/previewUri';
import { reviewIdOf } from '../../../../../src/apply/review/editor/reviewId';

const review = { id: '2dc2fd2b', languageId: 'typescript', path: 'src/cart.ts' };

describe('the URI of a review', () => {
  it('has the language and the path in what is shown, and the id elsewhere', () => {
    const parts = previewParts(review, 'review');
    assert.deepEqual(parts, {
      scheme: 'splice-review',
      authority: '2dc2fd2b',
      path: '/TypeScript review/src/cart.ts (review)',
    });
    assert.equal(reviewIdOf(parts), '2dc2fd2b');
  });

  it('has one slash before a path outside the workspace', () => {
    for (const path of ['/home/ann/cart.ts', '//server/cart.ts', 'c:/cart.ts']) {
      assert.match(previewParts({ ...review, path }, 'review').path, /^\/TypeScript review\/\w/);
    }
  });

  it('is read in the form of earlier versions too, and in no other', () => {
    const path = '/.splice-review-typescript/2dc2fd2b/cart.ts (review)';
    assert.equal(reviewIdOf({ scheme: 'splice-review', authority: '', path }), '2dc2fd2b');
    assert.equal(reviewIdOf({ scheme: 'file', authority: '', path }), undefined);
    assert.equal(reviewIdOf(undefined), undefined);
  });
});
