/** Every id that also stands in package.json; test/unit/manifest.test.ts compares the two. */
export const ids = {
  command: {
    applyClipboard: 'splice.apply.clipboard',
    applySelection: 'splice.apply.selection',
    acceptChange: 'splice.apply.acceptChange',
    rejectChange: 'splice.apply.rejectChange',
    acceptAll: 'splice.apply.acceptAll',
    rejectAll: 'splice.apply.rejectAll',
    nextChange: 'splice.apply.nextChange',
    previousChange: 'splice.apply.previousChange',
    undoDecision: 'splice.apply.undoDecision',
    saveFile: 'splice.apply.saveFile',
    openFile: 'splice.apply.openFile',
    openDiff: 'splice.apply.openDiff',
    describeChange: 'splice.apply.describeChange',
    copyRemoved: 'splice.apply.copyRemoved',
    showFindings: 'splice.apply.showFindings',
    retryWithService: 'splice.apply.retryWithService',
    showReviews: 'splice.apply.showReviews',
    reopenReview: 'splice.apply.reopenReview',
    setApiKey: 'splice.service.setApiKey',
    removeApiKey: 'splice.service.removeApiKey',
    setServiceUrl: 'splice.service.setUrl',
    showLog: 'splice.showLog',
  },
  setting: {
    baseUrl: 'splice.service.baseUrl',
    transport: 'splice.network.transport',
    engine: 'splice.apply.engine',
    model: 'splice.apply.model',
  },
  contextKey: {
    hasReviews: 'splice:hasReviews',
    hasDismissedReview: 'splice:hasDismissedReview',
  },
  /** File system scheme of the review preview. */
  scheme: 'splice-review',
} as const;
