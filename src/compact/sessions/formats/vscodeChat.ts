import { type Sentence, sentence } from '../../../base/sentence';
import { applyPatches, compactedName, type Patch, planEdits, setString } from '../edit';
import {
  type Edits,
  type History,
  type HistoryFormat,
  isoTime,
  type NewSession,
  UnsupportedHistory,
  type WriteOptions,
} from '../history';
import { HistoryFile } from '../historyFile';
import {
  isTrueIn,
  type JsonNode,
  type JsonObject,
  listIn,
  memberOf,
  nodeText,
  numberIn,
  stringIn,
} from '../json';
import { SessionSizes, setNumbers } from '../sizes';
import { metadataOf, type ReadContext, readRequests, roundsOf } from './vscodeRequests';
import { damagedLog, SessionLog, sessionLabel } from './vscodeSessionLog';

const exportLabel = 'VS Code chat export';
/** The supported version of the session format. */
const knownVersion = 3;
/** Tokens of the instructions and tools of Copilot 0.67 in agent mode. */
const usualOverhead = 17_500;

function historyOf(
  root: JsonNode,
  file: HistoryFile,
  isCut: boolean,
  context: ReadContext,
): History {
  const requests = listIn(root, 'requests');
  const messages = requests ? readRequests(requests, context) : [];
  if (messages.length === 0) {
    throw new UnsupportedHistory(context.label, 'the chat has no messages', 'Choose another chat.');
  }
  const [sessionId, title] = [stringIn(root, 'sessionId'), stringIn(root, 'customTitle')];
  const created = numberIn(root, 'creationDate') ?? numberIn(requests?.items[0], 'timestamp');
  return {
    tool: context.label === exportLabel ? 'vscodeExport' : 'vscodeSession',
    label: context.label,
    sessionId,
    title,
    startedAt: isoTime(created),
    messages,
    isCut,
    notes: [...context.notes.values()],
    file,
    companions: [],
  };
}

const continueBy = {
  sentence: 'Open the new file with “Chat: Import Chat…”; it becomes a chat of its own.',
  command: 'workbench.action.chat.import',
} as const;

export const vscodeExport: HistoryFormat = {
  id: 'vscodeExport',
  label: exportLabel,
  isReadOnly: false,

  detect: ({ json }) =>
    listIn(json, 'requests') !== undefined &&
    stringIn(json, 'responderUsername') !== undefined &&
    stringIn(json, 'sessionId') === undefined,

  read(file) {
    const { json } = file;
    if (!json) {
      throw new UnsupportedHistory(
        exportLabel,
        'the file is damaged',
        'Export the chat once more.',
      );
    }
    return historyOf(json, file, false, { label: exportLabel, notes: new Map() });
  },

  write: writeExport,
};

function writeExport(history: History, edits: Edits, options: WriteOptions): NewSession {
  const { file } = history;
  const { patches } = planEdits(history, edits);
  const all = patches.length === 0 ? [] : [...patches, ...ofNewChat(history, edits, options)];
  const path = options.asCopy ? file.name : compactedName(file.name);
  return { files: [{ path, text: applyPatches(file.text, all) }], continueBy };
}

/**
 * With the ids of its answers, Copilot would send the whole chat, which it still has if it was open in this window,
 * and so would some providers, which have stored it. Its figures say how full the context is.
 */
function ofNewChat(history: History, edits: Edits, options: WriteOptions): Patch[] {
  const { json } = history.file;
  const list = listIn(memberOf(json, 'v') ?? json, 'requests');
  const requests = (list?.items ?? []).map(request => {
    const metadata = metadataOf(request);
    const rounds = roundsOf(request)?.items ?? [];
    const tokens = numberIn(metadata, 'promptTokens') ?? 0;
    // The figure is of the last round, without its answer.
    return { request, metadata, rounds, tokens, offset: rounds.at(-1)?.start ?? request.end };
  });
  const noted = requests.filter(({ tokens }) => tokens > 0);
  const sizes = new SessionSizes(history, edits, noted, usualOverhead);
  const sessionId = options.asCopy ? undefined : options.newId();
  return requests.flatMap(({ request, metadata, rounds, tokens, offset }) => {
    const promptTokens = tokens > 0 ? { promptTokens: sizes.requestAt(offset) } : {};
    return [
      ...setString(metadata, 'responseId', ''),
      ...(sessionId === undefined ? [] : setString(metadata, 'sessionId', sessionId)),
      ...rounds.flatMap(round => setString(round, 'statefulMarker', '')),
      ...setNumbers(metadata, promptTokens),
      ...setNumbers(request, promptTokens),
    ];
  });
}

interface Session {
  readonly root: JsonObject;
  readonly isLog: boolean;
  readonly isCut: boolean;
}

/** Reads a complete session, or a log of changes that starts with one. */
function readSession(file: HistoryFile): Session {
  const whole = file.json;
  if (whole?.type === 'object' && !whole.members.has('kind')) {
    return { root: checkVersion(whole), isLog: false, isCut: false };
  }
  // Replaying modifies nodes, and those of `file` are shared.
  const { records, isCut } = file.unread.recordsFor(sessionLabel);
  const log = new SessionLog();
  for (const record of records) log.apply(record, file);
  if (log.root?.type !== 'object') throw damagedLog('it does not start with a session');
  return { root: checkVersion(log.root), isLog: true, isCut };
}

function checkVersion(root: JsonObject): JsonObject {
  const version = numberIn(root, 'version');
  if (version === knownVersion) return root;
  throw new UnsupportedHistory(
    sessionLabel,
    `version ${version ?? 'without a number'} of the format is not known`,
    'Open the chat in VS Code and save it with Chat: Export Chat…',
  );
}

/** Members of a session that the import reads. */
const exportedKeys = ['responderUsername', 'initialLocation', 'requests'];

function exportOf({ root }: Session, file: HistoryFile): HistoryFile {
  const members = exportedKeys.flatMap(key => {
    const member = root.members.get(key);
    return member ? [`${JSON.stringify(key)}:${nodeText(member, file.text)}`] : [];
  });
  if (!root.members.has('responderUsername')) members.unshift('"responderUsername":""');
  const name = file.name.replace(/\.jsonl?$/, '');
  return new HistoryFile(`${name}.json`, `{${members.join(',')}}`);
}

export const vscodeSession: HistoryFormat = {
  id: 'vscodeSession',
  label: sessionLabel,
  isReadOnly: false,

  detect(file) {
    const { first } = file;
    if (first && numberIn(first, 'kind') === 0) {
      return memberOf(memberOf(first, 'v'), 'requests') !== undefined;
    }
    const { json } = file;
    return listIn(json, 'requests') !== undefined && stringIn(json, 'sessionId') !== undefined;
  },

  read(file) {
    const { root, isCut } = readSession(file);
    const context = { label: sessionLabel, notes: new Map<string, Sentence>() };
    if (isTrueIn(root, 'hasPendingEdits')) {
      context.notes.set('edits', sentence('The chat has edits that are not accepted.'));
    }
    return historyOf(root, file, isCut, context);
  },

  /** VS Code keeps sessions in memory and overwrites their files, so only an import is safe. */
  write(history, edits, options) {
    const { file } = history;
    const session = readSession(file);
    if (!options.asCopy) {
      return writeExport(vscodeExport.read(exportOf(session, file)), edits, options);
    }
    if (!session.isLog || planEdits(history, edits).patches.length === 0) {
      return writeExport(history, edits, options);
    }
    // What stands together in the session is in several places of a log, unless the log starts anew.
    const text = `{"kind":0,"v":${nodeText(session.root, file.text)}}\n`;
    return writeExport(vscodeSession.read(new HistoryFile(file.path, text)), edits, options);
  },
};
