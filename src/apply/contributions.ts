import type { LineRange } from '../merge';
import { itemHas } from '../platform/commands/contextValue';
import {
  args,
  choice,
  contribute,
  editorMenu,
  engine,
  inputs,
  inReview,
  inView,
  keys,
  menu,
  outsideReview,
  section,
  textInput,
  textSetting,
  tool,
  type UriArgument,
  view,
  wholeNumber,
} from '../platform/commands/contribute';
import { hasApiKey, pageScheme, reviewScheme } from '../platform/ids';
import type { TreeRow } from '../platform/tree/rows';
import { applyTool, contextKeys, reviewsView } from './ids';
import type { Problem } from './instruct/problems';
import type { ReviewFlag } from './review/reviewRows';

const { areReviewsLoaded, hasReviews, hasDismissedReview, hasReviewRows, reviewHasFindings, hasManyReviews, inPage } = contextKeys;
/** Edits of earlier sessions are known only once they are listed. */
const hasHistory = `workspaceFolderCount != 0 || ${areReviewsLoaded}`;
const editsWithModel = `${hasApiKey} && editorIsOpen && ${outsideReview}`;
const has = itemHas<ReviewFlag>;
/** Files that hold an answer for sure; others are opened by the command's own dialog. */
const isPatch = 'resourceExtname =~ /^\\.(patch|diff|eml|mbox)$/i';
const edit = inputs(['path', 'update'], { path: textInput('The file to change.'), update: textInput('The changed code of this file.') });
const target = args<[file?: UriArgument, lines?: LineRange]>();
/** By its id, its row or its document. */
const review = args<[review?: string | TreeRow | UriArgument]>();
const change = args<[review?: string | TreeRow | UriArgument, change?: number]>();

export const contributions = contribute({
  activationEvents: [`onFileSystem:${reviewScheme}`, `onFileSystem:${pageScheme}`],
  commands: {
    'splice.apply.clipboard': ['Apply Clipboard Edit', 'git-pull-request-go-to-changes', true, target],
    'splice.apply.file': ['Apply Patch File…', 'git-pull-request', 'workspaceFolderCount != 0', args<[file?: UriArgument]>()],
    'splice.apply.selection': ['Apply to Selection…', '', `editorIsOpen && ${outsideReview}`],
    'splice.apply.instruct': ['Edit Selection with Instruction…', 'sparkle', editsWithModel, target],
    'splice.apply.fix': ['Fix with Splice', '', false, args<[file: UriArgument, problems: readonly Problem[]]>()],
    'splice.apply.fixFile': ['Fix All Problems in File', '', editsWithModel, args<[file?: UriArgument]>()],
    'splice.edit.chooseModel': ['Choose Model for Edits…', '', hasApiKey],
    'splice.apply.acceptChange': ['Accept Change', 'check', hasReviews, change],
    'splice.apply.rejectChange': ['Reject Change', 'discard', hasReviews, change],
    'splice.apply.acceptLines': ['Accept Selected Lines', '', hasReviews],
    'splice.apply.rejectLines': ['Reject Selected Lines', '', hasReviews],
    'splice.apply.acceptAll': ['Accept All Changes', 'check-all', hasReviews, review],
    'splice.apply.rejectAll': ['Reject All Changes', 'close-all', hasReviews, review],
    'splice.apply.acceptAllFiles': ['Accept All Changes in All Files', 'checklist', hasReviews],
    'splice.apply.acceptSet': ['Accept All Changes of Answer', 'check-all', hasReviews, review],
    'splice.apply.rejectSet': ['Reject All Changes of Answer', 'close-all', hasReviews, review],
    'splice.apply.placeRefused': ['Show Parts That Were Not Applied', 'question', areReviewsLoaded, change],
    'splice.apply.nextChange': ['Go to Next Change', 'arrow-down', hasReviews, review],
    'splice.apply.previousChange': ['Go to Previous Change', 'arrow-up', hasReviews, review],
    'splice.apply.undoDecision': ['Undo Last Decision', 'reply', areReviewsLoaded, review],
    'splice.apply.saveFile': ['Save Reviewed File', '', hasReviews],
    'splice.apply.openFile': ['Open Reviewed File', 'go-to-file', hasReviews, review],
    'splice.apply.openPage': ['Review All Changes on One Page', 'diff-multiple', hasReviews, review],
    'splice.apply.editChange': ['Edit Change', 'edit', hasReviews, change],
    'splice.apply.showLines': ['Show Unchanged Lines', 'unfold', false, args<[review: string, above: number]>()],
    'splice.apply.openDiff': ['Open Diff', 'diff', hasReviews, review],
    'splice.apply.describeChange': ['Describe Change', '', hasReviews],
    'splice.apply.copyRemoved': ['Copy Removed Lines', '', hasReviews],
    'splice.apply.showFindings': ['Show Audit Findings', 'warning', hasReviews, change],
    'splice.apply.retryWithService': ['Merge Again with the Large Model', 'sync', hasReviews, review],
    'splice.apply.showReviews': ['Show Pending Reviews', '', `${hasReviews} || ${hasDismissedReview}`],
    'splice.apply.showReview': ['Open Review', 'go-to-file', false, change],
    'splice.apply.reopenReview': ['Reopen Closed Review', '', areReviewsLoaded],
    'splice.apply.showHistory': ['Show Apply History', 'history', hasHistory],
    'splice.apply.clearHistory': ['Clear Apply History', '', hasHistory],
  },
  menus: [
    ...menu('editor/title', inReview, [
      ['splice.apply.previousChange', 'navigation@1', '!isInDiffEditor'],
      ['splice.apply.nextChange', 'navigation@2', '!isInDiffEditor'],
      ['splice.apply.acceptAll', 'navigation@3'],
      ['splice.apply.rejectAll', 'navigation@4'],
      ['splice.apply.openDiff', 'navigation@5', '!isInDiffEditor'],
      ['splice.apply.showFindings', 'navigation@6', reviewHasFindings],
      ['splice.apply.acceptAllFiles', 'navigation@7', hasManyReviews],
      ['splice.apply.openPage', '1_splice@0'],
      ['splice.apply.openFile', '1_splice@1'],
      ['splice.apply.undoDecision', '1_splice@2'],
      ['splice.apply.showFindings', '1_splice@3', `!${reviewHasFindings}`],
      ['splice.apply.retryWithService', '1_splice@4'],
    ]),
    ...menu(editorMenu, '!editorReadonly', [
      ['splice.apply.clipboard', '1_apply@1'],
      ['splice.apply.selection', '1_apply@2', 'editorHasSelection'],
      ['splice.apply.instruct', '1_apply@3', 'editorHasSelection && isWorkspaceTrusted'],
      ['splice.apply.fixFile', '1_apply@4', 'isWorkspaceTrusted'],
    ]),
    ...menu(editorMenu, isPatch, [['splice.apply.file', '1_apply@5']]),
    ...menu('editor/title', isPatch, [['splice.apply.file', 'navigation@1']]),
    ...menu('editor/context', inReview, [
      ['splice.apply.acceptChange', '1_splice@1'],
      ['splice.apply.rejectChange', '1_splice@2'],
      ['splice.apply.editChange', '1_splice@2', '!isInDiffEditor'],
      ['splice.apply.acceptLines', '1_splice@2', 'editorHasSelection'],
      ['splice.apply.rejectLines', '1_splice@2', 'editorHasSelection'],
      ['splice.apply.copyRemoved', '1_splice@3'],
      ['splice.apply.describeChange', '1_splice@4'],
      ['splice.apply.openFile', '1_splice@5'],
    ]),
    ...menu('editor/context', inPage, [
      ['splice.apply.acceptChange', '1_splice@1'],
      ['splice.apply.rejectChange', '1_splice@2'],
      ['splice.apply.acceptLines', '1_splice@2', 'editorHasSelection'],
      ['splice.apply.rejectLines', '1_splice@2', 'editorHasSelection'],
      ['splice.apply.openFile', '1_splice@3'],
    ]),
    ...menu('editor/title', `${inPage} && activeEditor == multiDiffEditor`, [
      ['splice.apply.acceptSet', 'navigation@1'],
      ['splice.apply.rejectSet', 'navigation@2'],
      ['splice.apply.undoDecision', '1_splice@1'],
    ]),
    ...menu('explorer/context', '!explorerResourceIsFolder', [['splice.apply.clipboard', '5_cutcopypaste@9']]),
    ...menu('explorer/context', isPatch, [['splice.apply.file', '5_cutcopypaste@10']]),
    ...menu('view/title', inView(reviewsView), [
      ['splice.apply.acceptAllFiles', 'navigation@1', hasReviews],
      ['splice.apply.reopenReview', 'navigation@2', hasDismissedReview],
      ['splice.apply.file', '1_apply@1'],
    ]),
    ...menu('view/item/context', inView(reviewsView), [
      ['splice.apply.openPage', 'inline@0 1_open@1', has('set')],
      ['splice.apply.openPage', '1_open@2', has('review', ['pending', 'dismissed'])],
      ['splice.apply.acceptSet', 'inline@1 3_decide@1', has('set')],
      ['splice.apply.rejectSet', 'inline@2 3_decide@2', has('set')],
      ['splice.apply.placeRefused', 'inline@1 1_open@1', has('refused')],
      ['splice.apply.acceptAll', 'inline@1 3_decide@1', has('review', 'pending')],
      ['splice.apply.rejectAll', 'inline@2', has('review', 'pending')],
      ['splice.apply.acceptChange', 'inline@1 3_decide@1', has('change', 'pending')],
      ['splice.apply.rejectChange', 'inline@2 3_decide@2', has('change', 'pending')],
      ['splice.apply.showReview', '1_open@1', has('review')],
      ['splice.apply.openDiff', '1_open@2', has('review', ['pending', 'dismissed'])],
      ['splice.apply.openFile', '1_open@3', has('review', ['pending', 'dismissed'])],
      ['splice.apply.showFindings', '2_audit@1', has('review')],
      ['splice.apply.rejectAll', '3_decide@2', has('review', ['pending', 'orphan'])],
    ]),
  ],
  keybindings: [
    ...keys("!isMac || (!terminalFocus && focusedView != 'workbench.panel.repl.view')", [['splice.apply.clipboard', 'ctrl+k ctrl+v', 'cmd+k cmd+v']]),
    ...keys("terminalFocus || focusedView == 'workbench.panel.repl.view'", [['splice.apply.clipboard', undefined, 'ctrl+cmd+v']]),
    ...keys(`${inReview} && editorTextFocus`, [
      ['splice.apply.acceptChange', 'alt+y', 'ctrl+cmd+y'],
      ['splice.apply.rejectChange', 'alt+n', 'ctrl+cmd+n'],
      ['splice.apply.acceptAll', 'shift+alt+y', 'shift+ctrl+cmd+y'],
      ['splice.apply.rejectAll', 'shift+alt+n', 'shift+ctrl+cmd+n'],
      ['splice.apply.acceptAllFiles', 'ctrl+k ctrl+y', 'cmd+k cmd+y'],
      ['splice.apply.nextChange', 'alt+f5', undefined, '!isInDiffEditor'],
      ['splice.apply.previousChange', 'shift+alt+f5', undefined, '!isInDiffEditor'],
      ['splice.apply.nextChange', 'f7', undefined, '!isInDiffEditor'],
      ['splice.apply.previousChange', 'shift+f7', undefined, '!isInDiffEditor'],
      ['splice.apply.undoDecision', 'ctrl+z', 'cmd+z', 'editorReadonly'],
      ['splice.apply.saveFile', 'ctrl+s', 'cmd+s'],
      ['splice.apply.openFile', 'alt+o', 'ctrl+cmd+o'],
      ['splice.apply.editChange', 'enter', 'enter', '!isInDiffEditor && editorReadonly'],
    ]),
    // Only what an editor that can be edited does not use itself.
    ...keys(`(${inReview} || ${inPage}) && editorTextFocus`, [
      ['splice.apply.acceptLines', 'ctrl+k alt+y', 'cmd+k alt+y'],
      ['splice.apply.rejectLines', 'ctrl+k alt+n', 'cmd+k alt+n'],
    ]),
    ...keys(`${inPage} && editorTextFocus`, [
      ['splice.apply.acceptChange', 'alt+y', 'ctrl+cmd+y'],
      ['splice.apply.rejectChange', 'alt+n', 'ctrl+cmd+n'],
      ['splice.apply.acceptAll', 'shift+alt+y', 'shift+ctrl+cmd+y'],
      ['splice.apply.rejectAll', 'shift+alt+n', 'shift+ctrl+cmd+n'],
      ['splice.apply.acceptAllFiles', 'ctrl+k ctrl+y', 'cmd+k cmd+y'],
      ['splice.apply.openFile', 'alt+o', 'ctrl+cmd+o'],
    ]),
  ],
  settings: section('Apply', {
    'splice.apply.engine': engine('Which engine merges an edit. A workspace can only set this to `local`; other values take effect in the user settings only.', {
      auto: 'Merge locally when the result is certain; otherwise use the service, if an API key is set.',
      service: 'Always merge with the service.',
      local: 'Always merge locally. Nothing is sent.',
    }),
    'splice.apply.model': choice('The model that the service merges with.', { auto: '', 'svc-v3-fast': '', 'svc-v3-large': '' }, { isRestricted: true }),
    'splice.edit.model': textSetting(
      'The chat model that writes the edits of *Edit Selection with Instruction…* and *Fix with Splice*: the ID of a model in the catalogue, or `auto` to let the prompt router pick one for each edit. *Splice: Choose Model for Edits…* lists them with their speed and price.',
      { default: 'svc-qwen35-397b' },
    ),
    'splice.apply.history.days': wholeNumber(
      'How many days *Splice: Show Apply History* keeps an applied edit. With 0, an edit is kept only for undo in the session in which it was decided, and deleted when a later one ends.',
      30,
    ),
    'splice.apply.history.megabytes': wholeNumber('How much disk space the apply history of a workspace may use, in megabytes; the oldest edits are deleted first.', 50),
  }),
  views: view(
    reviewsView,
    'Reviews',
    {
      [`!${hasReviewRows}`]:
        'There are no edits to review. Copy an edit from a chat, then apply it here. Nothing is written until you accept it, and no account is needed.\n[Get Started](command:splice.welcome.open)\n[Apply Clipboard Edit](command:splice.apply.clipboard)\nOr drop a patch here, or the text of an answer.\n[Apply Patch File…](command:splice.apply.file)',
    },
    { isOpen: true },
  ),
  tools: tool(applyTool, {
    icon: 'git-compare',
    displayName: 'Apply Edit',
    description: 'Merges an edit into a file and opens a review; nothing is written until you accept.',
    modelDescription:
      'Merges a code edit into a file of the workspace and opens a review of it; nothing is written until the user accepts the changes there. Send only the code that changes, with a comment such as "// ... existing code ..." for the lines that stay between; or search/replace blocks; or a unified diff. Keep a few unchanged lines around each change so that its place is clear. The result has the diff that the user sees, what an audit of the merge found, or why the edit was refused and what to send instead. Unsaved text in the editor counts as the file. Use it for files that exist; it creates and deletes none.',
    tags: ['edit', 'apply', 'splice'],
    inputSchema: inputs([], {
      path: textInput('The file to change, relative to the workspace or absolute.'),
      update: textInput('The changed code, with "// ... existing code ..." for what stays; or search/replace blocks, or a unified diff of this file.'),
      instruction: textInput('What the change is, in one sentence in the first person, for example: I add a retry to the upload.'),
      edits: { type: 'array', description: 'Several edits in one call, instead of path and update.', maxItems: 20, items: edit },
    }),
  }),
});
