import { contribute } from '../platform/commands/contribute';
import { hasApiKey } from '../platform/ids';
import { startWalkthrough } from './ids';

export const contributions = contribute({
  commands: {
    'splice.welcome.open': ['Get Started'],
    'splice.welcome.openSample': ['Open Sample', '', false],
    'splice.welcome.applySample': ['Apply the Answer to the Sample', '', false],
  },
  walkthroughs: [
    {
      id: startWalkthrough,
      title: 'Get Started with Splice',
      description: 'All but the last step work without an account.',
      steps: [
        {
          id: 'apply',
          title: 'Apply an answer without an account',
          description: [
            'A chat model often answers with the changed lines only. Open a small sample with such an answer, and let Splice merge it. The file stays as it is until you accept, and nothing is sent.',
            '[Open Sample](command:splice.welcome.openSample)',
            '[Apply the Answer](command:splice.welcome.applySample)',
          ],
          picture: ['apply', 'A review: removed and added lines in a file, with Accept and Reject above them; beside it the answer that they come from.'],
          doneBy: ['onContext:splice:hasReviews'],
        },
        {
          id: 'search',
          title: 'Search this folder',
          description: ['Ask in your own words where something happens, such as "where are failed uploads retried". The local search answers at once.', '[Search Code…](command:splice.search.start)'],
          picture: ['search', 'A question with the places that answer it, best first, and the lines of the first one highlighted in the editor.'],
          doneBy: ['onContext:splice:hasSearchResults'],
        },
        {
          id: 'compact',
          title: 'Compact a chat',
          description: [
            'Pick a chat with a coding agent on this computer. Splice leaves out what no longer matters and shows what that is; every line that stays is unchanged.',
            '[Compact Chat History…](command:splice.compact.start)',
          ],
          picture: ['compact', 'A long chat becomes a short one: some lines are struck through, the others are the same on both sides.'],
          doneBy: ['onContext:splice:hasReceipt'],
        },
        {
          id: 'external',
          title: 'Review what agents wrote',
          description: [
            'Coding agents write straight to your files. The Reviews view lists what they changed in this folder, and you keep or undo each change, whoever made it.',
            '[Show Reviews](command:splice.reviews.focus)',
          ],
          picture: ['external', 'The files that an agent changed, and the changes of one of them in the editor, each with Keep and Undo.'],
          doneBy: ['openPage', 'keepChange', 'undoChange', 'keepFile', 'undoFile', 'keepAll', 'undoAll'].map(name => `onCommand:splice.external.${name}`),
        },
        {
          id: 'connect',
          title: 'Connect a service',
          description: [
            'With the address and the key of a service you get its chat models, and its help where the local merge is not certain. The key stays in the secret storage of VS Code.',
            '[Connect to Service…](command:splice.service.connect)',
          ],
          picture: ['connect', 'This computer, a key, and the models of the service that the key is sent to.'],
          doneBy: [`onContext:${hasApiKey}`],
        },
      ],
    },
  ],
});
