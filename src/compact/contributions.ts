import { args, choice, contribute, engine, inputs, keys, menu, section, textInput, tool, type UriArgument } from '../platform/commands/contribute';
import { compactTool, contextKeys } from './ids';
import { receiptLanguage } from './receipt/receiptLanguage';

const { canUndoWriteBack } = contextKeys;
const inReceipt = `resourceLangId == ${receiptLanguage}`;
/** The address of the receipt, or the number of a compacted chat. */
const receipt = args<[receipt?: string | number]>();
const rows = args<[receipt?: string, firstRow?: number, lastRow?: number]>();

export const contributions = contribute({
  commands: {
    'splice.compact.start': ['Compact Chat History…', 'fold', true, args<[source?: UriArgument, plan?: object]>()],
    'splice.compact.file': ['Compact Chat History', '', true, args<[file?: UriArgument, all?: readonly UriArgument[], plan?: object]>()],
    'splice.compact.options': ['Change Compact Options…', 'settings', inReceipt, receipt],
    'splice.compact.restore': ['Restore Lines', 'add', inReceipt, rows],
    'splice.compact.leaveOut': ['Leave Lines Out', 'remove', inReceipt, rows],
    'splice.compact.undo': ['Undo Last Change in Receipt', 'reply', inReceipt],
    'splice.compact.nextRun': ['Next Removed Lines', 'arrow-down', inReceipt],
    'splice.compact.previousRun': ['Previous Removed Lines', 'arrow-up', inReceipt],
    'splice.compact.copy': ['Copy Compacted Chat', 'copy', inReceipt, receipt],
    'splice.compact.showReceipt': ['Show Receipt of a Chat', '', false, args<[id: number]>()],
    'splice.compact.saveAs': ['Save Compacted Chat As…', 'save-as', inReceipt, receipt],
    'splice.compact.writeBack': ['Write Back as New Session', 'new-file', inReceipt, receipt],
    'splice.compact.undoWriteBack': ['Undo Write-Back', 'discard', canUndoWriteBack, receipt],
  },
  menus: [
    ...menu('editor/title', inReceipt, [
      ['splice.compact.previousRun', 'navigation@1'],
      ['splice.compact.nextRun', 'navigation@2'],
      ['splice.compact.copy', 'navigation@3'],
      ['splice.compact.saveAs', 'navigation@4'],
      ['splice.compact.writeBack', 'navigation@5'],
      ['splice.compact.options', 'navigation@6'],
      ['splice.compact.undo', '1_splice@1'],
      ['splice.compact.undoWriteBack', '1_splice@2', canUndoWriteBack],
    ]),
    ...menu('editor/context', inReceipt, [
      ['splice.compact.restore', '1_splice@1'],
      ['splice.compact.leaveOut', '1_splice@2'],
      ['splice.compact.undo', '1_splice@3'],
    ]),
    ...menu('explorer/context', '!explorerResourceIsFolder && resourceExtname =~ /^\\.(md|txt|json|jsonl)$/i', [['splice.compact.file', '5_cutcopypaste@10']]),
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
    'splice.compact.route': choice('Which API of the service compacts a chat.', {
      compact: 'The compact endpoint, which accepts the share to keep, the query and the number of turns to keep.',
      chat: 'Chat completions: the service decides how much is kept.',
      responses: 'Responses: the service decides how much is kept.',
    }),
  }),
  tools: tool(compactTool, {
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
    }),
  }),
});
