import { itemHas } from '../../platform/commands/contextValue';
import { args, contribute, inView, keys, listSetting, menu, section, toggle, type UriArgument } from '../../platform/commands/contribute';
import type { TreeRow } from '../../platform/tree/rows';
import { reviewsView } from '../ids';
import { contextKeys } from './ids';
import type { ExternalFlag } from './rows/externalRows';

const { hasExternalChanges: hasChanges, inExternalFile: inFile, followsExternalChanges: isFollowing, hasUndoneChanges: hasUndone, hasWaitingMessage: isWaiting } = contextKeys;
const has = itemHas<ExternalFlag>;
/** By its URI, its row or its document. */
const file = args<[file?: string | TreeRow | UriArgument]>();
const change = args<[file?: string | TreeRow | UriArgument, change?: string]>();

export const contributions = contribute({
  commands: {
    'splice.external.openPage': ['Review External Changes', 'diff-multiple', hasChanges, change],
    'splice.external.keepChange': ['Keep External Change', 'check', hasChanges, change],
    'splice.external.undoChange': ['Undo External Change', 'discard', hasChanges, change],
    'splice.external.keepFile': ['Keep External Changes in File', 'check-all', hasChanges, file],
    'splice.external.undoFile': ['Undo External Changes in File', 'close-all', hasChanges, file],
    'splice.external.keepAll': ['Keep All External Changes', 'check-all', hasChanges, file],
    'splice.external.undoAll': ['Undo All External Changes…', 'close-all', hasChanges, file],
    'splice.external.keepGenerated': ['Keep External Changes in Generated Files', 'package', hasChanges],
    'splice.external.undoDecision': ['Undo Last Keep or Undo', 'reply', isFollowing],
    'splice.external.nextChange': ['Go to Next External Change', 'arrow-down', hasChanges],
    'splice.external.previousChange': ['Go to Previous External Change', 'arrow-up', hasChanges],
    'splice.external.openFile': ['Open Externally Changed File', 'go-to-file', hasChanges, file],
    'splice.external.compare': ['Compare with Reviewed Text', 'diff', hasChanges, file],
    'splice.external.showConflict': ['Compare Unsaved Text with Disk', 'warning', false, file],
    'splice.external.undoQueued': ['Undo Waiting Changes Now', 'debug-continue', hasChanges, file],
    'splice.external.cancelQueued': ['Do Not Undo Waiting Changes', 'circle-slash', hasChanges, file],
    'splice.external.messageAgent': ['Tell the Agent What You Undid…', 'comment', hasUndone],
    'splice.external.takeBackMessage': ['Take Back the Message to the Agent', 'mail-reply', isWaiting],
    'splice.external.connectAgents': ['Label External Changes by Agent and Turn…', 'plug', isFollowing],
    'splice.external.disconnectAgents': ['Remove Hooks from Coding Agents', 'debug-disconnect', isFollowing],
    'splice.external.groupBy': ['Group External Changes by…', 'list-tree', hasChanges],
    'splice.external.forget': ['Forget All External Changes…', 'trash', isFollowing],
    'splice.external.filter': ['Filter External Changes…', 'filter', hasChanges],
    'splice.external.reviewFromNow': ['Review External Changes from Now On', 'debug-restart', isFollowing],
  },
  menus: [
    ...menu('view/title', inView(reviewsView), [
      ['splice.external.groupBy', '2_external@1', hasChanges],
      ['splice.external.filter', '2_external@1', hasChanges],
      ['splice.external.keepGenerated', '2_external@2', hasChanges],
      ['splice.external.undoDecision', '2_external@3', isFollowing],
      ['splice.external.reviewFromNow', '2_external@4', isFollowing],
      ['splice.external.forget', '3_forget@1', isFollowing],
      ['splice.external.messageAgent', '2_external@5', hasUndone],
      ['splice.external.takeBackMessage', '2_external@6', isWaiting],
      ['splice.external.connectAgents', '2_external@7', isFollowing],
    ]),
    ...menu('view/item/context', inView(reviewsView), [
      ['splice.external.openPage', 'inline@0 1_open@1', has(['external', 'externalGroup'])],
      ['splice.external.keepAll', 'inline@1 3_decide@1', has(['external', 'externalGroup', 'externalFolded'])],
      ['splice.external.undoAll', 'inline@2 3_decide@2', has(['external', 'externalGroup', 'externalFolded'])],
      ['splice.external.keepFile', 'inline@1 3_decide@1', has('externalFile')],
      ['splice.external.undoFile', 'inline@2 3_decide@2', has('externalFile')],
      ['splice.external.undoQueued', '3_decide@3', has('externalQueued')],
      ['splice.external.cancelQueued', '3_decide@4', has('externalQueued')],
      ['splice.external.keepChange', 'inline@1 3_decide@1', has('externalChange')],
      ['splice.external.undoChange', 'inline@2 3_decide@2', has('externalChange')],
      ['splice.external.openFile', '1_open@2', has(['externalFile', 'externalChange'])],
      ['splice.external.compare', '1_open@3', has(['externalFile', 'externalChange'])],
      ['splice.external.showConflict', '1_open@4', has('externalConflict')],
    ]),
    ...menu('editor/title', inFile, [
      ['splice.external.previousChange', '1_splice@1'],
      ['splice.external.nextChange', '1_splice@2'],
      ['splice.external.keepFile', '1_splice@3'],
      ['splice.external.undoFile', '1_splice@4'],
      ['splice.external.openPage', '1_splice@5'],
    ]),
    ...menu('editor/context', inFile, [
      ['splice.external.keepChange', '1_splice@1'],
      ['splice.external.undoChange', '1_splice@2'],
      ['splice.external.compare', '1_splice@3'],
    ]),
  ],
  keybindings: [
    ...keys(`${inFile} && editorTextFocus`, [
      ['splice.external.keepChange', 'alt+y', 'ctrl+cmd+y'],
      ['splice.external.undoChange', 'alt+n', 'ctrl+cmd+n'],
      ['splice.external.keepFile', 'shift+alt+y', 'shift+ctrl+cmd+y'],
      ['splice.external.undoFile', 'shift+alt+n', 'shift+ctrl+cmd+n'],
      ['splice.external.nextChange', 'alt+f5', undefined, '!isInDiffEditor'],
      ['splice.external.previousChange', 'shift+alt+f5', undefined, '!isInDiffEditor'],
    ]),
  ],
  settings: section('External Changes', {
    'splice.externalChanges.follow': toggle(
      'List what coding agents and other programs write to the files of a workspace, to keep or undo it change by change. Everything stays on this computer, and nothing is written until you undo a change.',
      true,
    ),
    'splice.externalChanges.keepStaged': toggle(
      'Keep the changes of a file when all of it is staged with git. That holds for whoever stages it, so an agent that stages its own work keeps it.',
      false,
    ),
    'splice.externalChanges.ignore': listSetting(
      'Globs of files whose changes are not listed, relative to the workspace folder. Files that git ignores and that `files.exclude` of the user settings hides are never listed.',
      [],
    ),
  }),
});
