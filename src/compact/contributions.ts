import { args, choice, contribute, engine, inputs, keys, menu, section, textInput, toggle, tool, type UriArgument } from '../platform/commands/contribute';
import { compactTool, contextKeys, recallTool, receiptScheme } from './ids';
import { receiptLanguage } from './receipt/receiptLanguage';

const { canUndoWriteBack, hasHistoryIndex } = contextKeys;
const inReceipt = `resourceLangId == ${receiptLanguage}`;
/** The address of the receipt, or the number of a compacted chat. */
const receipt = args<[receipt?: string | number]>();
const rows = args<[receipt?: string, firstRow?: number, lastRow?: number]>();

export const contributions = contribute({
  activationEvents: [`onFileSystem:${receiptScheme}`],
  commands: {
    'splice.compact.start': ['Compact Chat History…', 'fold', true, args<[source?: UriArgument, plan?: object]>()],
    'splice.compact.options': ['Change Compact Options…', 'settings', inReceipt, receipt],
    'splice.compact.restore': ['Restore Lines', 'add', inReceipt, rows],
    'splice.compact.leaveOut': ['Leave Lines Out', 'remove', inReceipt, rows],
    'splice.compact.undo': ['Undo Last Change in Receipt', 'reply', inReceipt],
    'splice.compact.nextRun': ['Go to Next Removed Lines', 'arrow-down', inReceipt],
    'splice.compact.previousRun': ['Go to Previous Removed Lines', 'arrow-up', inReceipt],
    'splice.compact.nextPage': ['Go to Next Page of Receipt', 'chevron-right', inReceipt],
    'splice.compact.previousPage': ['Go to Previous Page of Receipt', 'chevron-left', inReceipt],
    'splice.compact.copy': ['Copy Compacted Chat', 'copy', inReceipt, receipt],
    'splice.compact.showReceipt': ['Show Receipt of a Chat', '', false, args<[id: number]>()],
    'splice.compact.saveAs': ['Save Compacted Chat As…', 'save-as', inReceipt, receipt],
    'splice.compact.writeBack': ['Write Back as New Session', 'new-file', inReceipt, receipt],
    'splice.compact.continueIn': ['Continue In…', 'link-external', inReceipt, receipt],
    'splice.compact.searchHistories': ['Search Chat Histories…', 'search', true],
    'splice.compact.deleteHistoryIndex': ['Delete Index of Chat Histories', 'trash', hasHistoryIndex],
    'splice.compact.removeFromFile': ['Remove from the File Too…', 'trash', inReceipt, args<[receipt?: string | number, which?: 'leftOut']>()],
    'splice.compact.undoWriteBack': ['Undo Write-Back', 'discard', canUndoWriteBack, receipt],
  },
  menus: [
    ...menu('editor/title', inReceipt, [
      ['splice.compact.previousRun', 'navigation@1'],
      ['splice.compact.nextRun', 'navigation@2'],
      ['splice.compact.copy', 'navigation@3'],
      ['splice.compact.saveAs', 'navigation@4'],
      ['splice.compact.writeBack', 'navigation@5'],
      ['splice.compact.continueIn', 'navigation@6'],
      ['splice.compact.options', 'navigation@7'],
      ['splice.compact.undo', '1_splice@1'],
      ['splice.compact.undoWriteBack', '1_splice@2', canUndoWriteBack],
      ['splice.compact.removeFromFile', '2_splice@1'],
    ]),
    ...menu('editor/context', inReceipt, [
      ['splice.compact.restore', '1_splice@1'],
      ['splice.compact.leaveOut', '1_splice@2'],
      ['splice.compact.undo', '1_splice@3'],
      ['splice.compact.removeFromFile', '2_splice@1'],
    ]),
    ...menu('explorer/context', '!explorerResourceIsFolder && resourceExtname =~ /^\\.(md|txt|json|jsonl)$/i', [['splice.compact.start', '5_cutcopypaste@10']]),
  ],
  keybindings: [
    ...keys(`${inReceipt} && editorTextFocus`, [
      ['splice.compact.restore', 'alt+y', 'ctrl+cmd+y'],
      ['splice.compact.leaveOut', 'alt+n', 'ctrl+cmd+n'],
      ['splice.compact.undo', 'ctrl+z', 'cmd+z'],
      ['splice.compact.nextRun', 'f7'],
      ['splice.compact.previousRun', 'shift+f7'],
      ['splice.compact.saveAs', 'ctrl+s', 'cmd+s'],
      ['splice.compact.writeBack', 'shift+alt+y', 'shift+ctrl+cmd+y'],
    ]),
  ],
  settings: section('Compact', {
    'splice.compact.engine': engine('Which engine compacts a chat history. A workspace can only set this to `local`.', {
      auto: 'The local engine, unless you choose the service for a chat.',
      service: 'The service, unless you choose the local engine for a chat.',
      local: 'The local engine only. Nothing is sent.',
    }),
    'splice.compact.showFill': toggle(
      'Show in the status bar how full the newest chat about this folder is, as its tool counted; from 70% on, compacting is offered. Session files of the tools are read for that, and nothing is sent.',
    ),
    'splice.compact.route': choice('Which API of the service compacts a chat.', {
      compact: 'The compact endpoint, which accepts the share to keep, the query and the number of turns to keep.',
      chat: 'Chat completions: the service decides how much is kept.',
      responses: 'Responses: the service decides how much is kept.',
    }),
  }),
  tools: [
    ...tool(compactTool, {
      icon: 'fold',
      displayName: 'Compact Text',
      description: 'Shrinks a long text or chat history without changing a line that stays.',
      modelDescription:
        'Shrinks a long text, log or chat history to a share of its size by leaving out whole lines; every line that stays is byte for byte a line of the input, in its order. Use it before reading a long file or log whose details matter only in part. Give a path or a text, and say in query what the details are needed for.',
      tags: ['compact', 'context', 'splice'],
      inputSchema: inputs([], {
        path: textInput('A file of the workspace, as a relative or absolute path; or a chat history of a known tool anywhere.'),
        text: textInput('The text itself, instead of a path.'),
        ratio: { type: 'number', minimum: 0.01, maximum: 1, description: 'The share of the text to keep; 0.3 when left out.' },
        query: textInput('What matters for the next step, for example: the failing upload test and its fix'),
        earlier: {
          type: 'boolean',
          description:
            'Whether to include earlier messages of a chat history, which its tool no longer sends, instead of the summary of them; false when left out. The result says when there are some.',
        },
      }),
    }),
    ...tool(recallTool, {
      icon: 'history',
      displayName: 'Recall Lines Left Out',
      description: 'Gives back the original lines that a compacted chat left out.',
      modelDescription:
        'Gives back the original lines of a compacted chat where a note in brackets says that lines were left out, as in [38 lines left out; recall k3f9a]. Use it when a detail is needed that such a note stands for, before reading a file or running a command again.',
      tags: ['compact', 'context', 'splice'],
      inputSchema: inputs(['id'], {
        id: textInput('The word after "recall" in the note.'),
        from: { type: 'integer', minimum: 1, description: 'The line of the recalled lines to start with; 1 when left out.' },
      }),
    }),
  ],
});
