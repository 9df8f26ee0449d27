import { itemHas } from '../platform/commands/contextValue';
import { args, contribute, inView, menu, notTrusted, view } from '../platform/commands/contribute';
import { hasApiKey } from '../platform/ids';
import { batchesView, contextKeys, fineTuningView } from './ids';
import type { JobFlag } from './jobRows';

const { batchesOff, tuningOff, isBatchesFiltered, isTuningFiltered } = contextKeys;
const has = itemHas<JobFlag>;
const row = args<[row?: { readonly id: string }]>();
const status = args<[status?: string]>();

export const contributions = contribute({
  commands: {
    'splice.batches.refresh': ['Refresh Batches', 'refresh', hasApiKey],
    'splice.batches.more': ['Load More Batches', '', `${batchesOff} == ''`],
    'splice.batches.filter': ['Filter Batches…', 'filter', hasApiKey, status],
    'splice.batches.clearFilter': ['Clear Batches Filter', 'filter-filled', isBatchesFiltered],
    'splice.fineTuning.refresh': ['Refresh Fine-Tuning Jobs', 'refresh', hasApiKey],
    'splice.fineTuning.more': ['Load More Fine-Tuning Jobs', '', `${tuningOff} == ''`],
    'splice.fineTuning.filter': ['Filter Fine-Tuning Jobs…', 'filter', hasApiKey, status],
    'splice.fineTuning.clearFilter': ['Clear Fine-Tuning Filter', 'filter-filled', isTuningFiltered],
    'splice.fineTuning.useAsReflex': ['Use as Reflex', 'add', hasApiKey, row],
    'splice.fineTuning.dropReflex': ['Stop Using as Reflex', 'remove', hasApiKey, row],
    'splice.jobs.show': ['Open Job as JSON', 'json', false, row],
    'splice.jobs.copyValue': ['Copy Job Value', 'copy', false, row],
  },
  menus: [
    ...menu('view/title', inView(batchesView), [
      ['splice.batches.refresh', 'navigation@1', `${batchesOff} != untrusted`],
      ['splice.batches.filter', 'navigation@2', `${batchesOff} == '' && !${isBatchesFiltered}`],
      ['splice.batches.clearFilter', 'navigation@2', isBatchesFiltered],
    ]),
    ...menu('view/title', inView(fineTuningView), [
      ['splice.fineTuning.refresh', 'navigation@1', `${tuningOff} != untrusted`],
      ['splice.fineTuning.filter', 'navigation@2', `${tuningOff} == '' && !${isTuningFiltered}`],
      ['splice.fineTuning.clearFilter', 'navigation@2', isTuningFiltered],
    ]),
    ...menu('view/item/context', inView(fineTuningView), [
      ['splice.fineTuning.useAsReflex', 'inline@1 1_use@1', has('trained')],
      ['splice.fineTuning.dropReflex', 'inline@1 1_use@1', has('chosen')],
    ]),
    ...[batchesView, fineTuningView].flatMap(id =>
      menu('view/item/context', inView(id), [
        ['splice.jobs.copyValue', 'inline@1', has(['detail', 'error'])],
        ['splice.jobs.copyValue', '2_copy@1', has(['job', 'detail', 'error', 'run'])],
        ['splice.jobs.show', '3_show@1', has(['job', 'error'])],
      ]),
    ),
  ],
  views: [
    ...view(
      batchesView,
      'Batches',
      {
        [`${batchesOff} == untrusted`]: notTrusted,
        [`${batchesOff} == '' && !${isBatchesFiltered}`]: 'Your account has no batches yet.',
      },
      { when: hasApiKey },
    ),
    ...view(
      fineTuningView,
      'Fine-Tuning',
      {
        [`${tuningOff} == untrusted`]: notTrusted,
        [`${tuningOff} == '' && !${isTuningFiltered}`]: 'Your account has no fine-tuning jobs yet.',
      },
      { when: hasApiKey },
    ),
  ],
});
