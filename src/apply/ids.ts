export const reviewsView = 'splice.reviews';
export const applyTool = 'splice_apply';

export const contextKeys = {
  hasReviews: 'splice:hasReviews',
  hasDismissedReview: 'splice:hasDismissedReview',
  hasManyReviews: 'splice:hasManyReviews',
  /** Until then there is nothing to take back or to reopen. */
  areReviewsLoaded: 'splice:areReviewsLoaded',
  /** Whether the Reviews view has rows. */
  hasReviewRows: 'splice:hasReviewRows',
  reviewHasFindings: 'splice:reviewHasFindings',
  /** The cursor is on the page of a change set. */
  inPage: 'splice:inPage',
} as const;
