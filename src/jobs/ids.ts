export const batchesView = 'splice.batches';
export const fineTuningView = 'splice.fineTuning';

export const contextKeys = {
  batchesOff: 'splice:batchesOff',
  isBatchesFiltered: 'splice:isBatchesFiltered',
  tuningOff: 'splice:tuningOff',
  isTuningFiltered: 'splice:isTuningFiltered',
} as const;
