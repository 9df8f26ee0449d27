import { createItem } from '../../blocks';
import { applyPatches, editedCopy, planEdits, resumedBy, setString } from '../../edit';
import {
  type History,
  type HistoryFormat,
  type HistoryMessage,
  requireMessages,
} from '../../history';
import { HistoryFile } from '../../historyFile';
import { listIn, stringIn } from '../../json';
import { setNumbers } from '../../sizes';
import { readChatMessage } from '../openai';

const label = 'Nanocoder';
const command = 'nanocoder --resume';

function read(file: HistoryFile): History {
  const { json } = file;
  const list = listIn(json, 'messages');
  const messages = (list?.items ?? []).flatMap(node =>
    list ? withoutEmptyText(readChatMessage({ node, item: createItem(list, node) }, label)) : [],
  );
  requireMessages(label, messages);
  return {
    tool: 'nanocoder',
    label,
    sessionId: stringIn(json, 'id'),
    title: stringIn(json, 'title') || undefined,
    workspace: stringIn(json, 'workingDirectory'),
    startedAt: stringIn(json, 'createdAt'),
    messages,
    isCut: false,
    notes: [],
    file,
    companions: [],
  };
}

/** An answer of calls alone has an empty text, and is not left over without them. */
function withoutEmptyText(message: HistoryMessage): HistoryMessage {
  const parts = message.parts.filter(({ type, text }) => type !== 'text' || text !== '');
  const [parent] = message.items;
  if (!parent || parts.some(({ type }) => type === 'text')) return { ...message, parts };
  const own = parts.map(part => {
    const { items = [] } = part.location;
    if (part.type !== 'tool_call') return part;
    return {
      ...part,
      location: { ...part.location, items: items.map(one => ({ ...one, parent })) },
    };
  });
  return own.length > 0 ? { ...message, parts: own } : message;
}

/** What the tool lists of a session, in a file of its own. */
const rowKeys = [
  'id',
  'title',
  'createdAt',
  'lastAccessedAt',
  'provider',
  'model',
  'workingDirectory',
];

export const nanocoder: HistoryFormat = {
  id: 'nanocoder',
  label,
  isReadOnly: false,

  detect: ({ json }) =>
    listIn(json, 'messages') !== undefined &&
    stringIn(json, 'workingDirectory') !== undefined &&
    stringIn(json, 'lastAccessedAt') !== undefined,

  read,

  write(history, edits, options) {
    const { file } = history;
    const { patches } = planEdits(history, edits);
    if (options.asCopy) return editedCopy(command, history, patches);
    const id = options.newId();
    const now = options.now.toISOString();
    const path = `${id}.json`;
    const { messages } = read(new HistoryFile(path, applyPatches(file.text, patches)));
    const messageCount = messages.filter(({ role }) => role !== 'tool').length;
    const text = applyPatches(file.text, [
      ...patches,
      ...setString(file.json, 'id', id),
      ...['createdAt', 'lastAccessedAt'].flatMap(key => setString(file.json, key, now)),
      ...setNumbers(file.json, { messageCount }),
    ]);
    const { json } = new HistoryFile(path, text);
    const row = Object.fromEntries(rowKeys.map(key => [key, stringIn(json, key) ?? '']));
    return {
      ...resumedBy(command, id, { path, text }),
      indexRow: {
        path: 'sessions.json',
        json: JSON.stringify({ ...row, messageCount }),
        key: 'id',
      },
    };
  },
};
