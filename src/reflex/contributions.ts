import { args, contribute, editorMenu, listSetting, menu, section, toggle, type UriArgument, wholeNumber } from '../platform/commands/contribute';
import { hasApiKey } from '../platform/ids';
import type { HeldAttachment } from './guard/forwardPrompt';

export const contributions = contribute({
  commands: {
    'splice.reflex.classify': ['Classify Selection', 'checklist', hasApiKey],
    'splice.reflex.choose': ['Choose Reflexes…', '', hasApiKey],
    'splice.reflex.indicator': ['Set Up Reflex Indicator…', '', hasApiKey],
    'splice.reflex.actions': ['Show Reflex Actions', '', hasApiKey],
    'splice.reflex.pause': ['Pause or Resume Reflex Indicator', '', hasApiKey],
    'splice.reflex.whatIsSent': ['Show What Reflex Sends', '', hasApiKey],
    'splice.reflex.batch': ['Batch Classify…', '', hasApiKey, args<[file?: UriArgument]>()],
    'splice.reflex.batchRuns': ['Show Batch Runs', '', hasApiKey, args<[run?: { readonly id: string }]>()],
    'splice.reflex.sendAttachment': ['Send Attachment Anyway…', '', false, args<[held: HeldAttachment]>()],
    'splice.reflex.traces': ['Show Reflex Traces', '', hasApiKey],
    'splice.router.classify': ['Classify Prompt', '', hasApiKey],
    'splice.router.pickModel': ['Pick Model for Prompt', '', hasApiKey],
  },
  menus: [
    ...menu(editorMenu, 'editorHasSelection', [['splice.reflex.classify', '2_read@2']]),
    ...menu('explorer/context', 'resourceScheme == file && resourceExtname =~ /^\\.(csv|tsv|jsonl|ndjson)$/', [['splice.reflex.batch', '4_search@10']]),
  ],
  settings: section('Reflex', {
    'splice.reflex.reflexes': listSetting('The classifiers that **Splice: Classify Selection** uses. The status bar uses the first four. **Splice: Choose Reflexes…** lists them.', [
      'jailbreak',
      'guardrail',
      'incomplete-thought',
      'user-frustrated',
    ]),
    'splice.reflex.pinned': listSetting('Classifiers whose label the status bar always shows, even when it is nothing to worry about, for example `domain`.', []),
    'splice.reflex.files': listSetting(
      'Files in which the reflex indicator may watch the paragraph at the cursor, once you have turned it on in a workspace. Source code, ignored files and files that may hold keys are never watched, whatever this setting says.',
      ['**/*.prompt.md', '**/*.prompt', '**/*.md'],
    ),
    'splice.reflex.dailyCalls': wholeNumber('The maximum number of texts that the reflex indicator classifies per day.', 500),
    'splice.reflex.guard': toggle(
      'Let `jailbreak` and `guardrail` read a file that is attached to a prompt for `@splice` before the chat model receives it. A warning shows the score, and you decide.',
    ),
  }),
});
