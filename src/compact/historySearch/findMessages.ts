import { type Chat, type ReadableFile, readChat } from '../sessions/chat';
import { titleLine } from '../sessions/titles';
import type { MessageIndex } from './messageIndex';
import { type FoundLine, findPhrases, type HistoryQuery } from './query';

/** A line of a message that holds what was searched for. */
export interface FoundMessage extends FoundLine {
  readonly path: string;
  /** Title of the session. */
  readonly title: string;
  /** Name of the format. */
  readonly label: string;
  readonly workspace?: string;
  readonly role: Chat['messages'][number]['role'];
  /** ISO 8601, as the tool wrote it. */
  readonly at?: string;
  readonly message: number;
  /** The line is one of this part. */
  readonly part: number;
}

/** Results from one session; more of them would hide other sessions. */
const maxOfSession = 5;

/**
 * The messages that hold all phrases, those of the newest sessions first. The index has only words: each session is
 * read for the lines, once.
 * @param isStopped is asked before a session is read, since many may have the words and none the phrase.
 */
export async function* findMessages(
  index: Pick<MessageIndex, 'find'>,
  query: HistoryQuery,
  read: (file: string) => Promise<ReadableFile>,
  isStopped: () => Promise<boolean> = async () => false,
): AsyncGenerator<FoundMessage> {
  let session:
    | { readonly path: string; readonly chat: Chat | undefined; found: number }
    | undefined;
  for (const hit of index.find(query.match)) {
    if (session?.path !== hit.path) {
      if (await isStopped()) return;
      session = { path: hit.path, chat: await chatOf(hit.path, read), found: 0 };
    }
    if (!session.chat || session.found >= maxOfSession) continue;
    const found = findInMessage(session.chat, hit, query);
    if (!found) continue;
    session.found++;
    yield found;
  }
}

/** The index may know a file as it was before: then what it says is looked up in the file as it is now. */
async function chatOf(
  file: string,
  read: (file: string) => Promise<ReadableFile>,
): Promise<Chat | undefined> {
  try {
    return readChat({ ...(await read(file)), includesEarlier: true });
  } catch {
    // The file is gone or has become unreadable: the next update of the index takes it out.
    return undefined;
  }
}

function findInMessage(
  chat: Chat,
  { path, message }: { readonly path: string; readonly message: number },
  query: HistoryQuery,
): FoundMessage | undefined {
  const said = chat.messages[message];
  if (!said) return undefined;
  const about = {
    path,
    title: titleLine(chat),
    label: chat.label,
    ...(chat.workspace === undefined ? {} : { workspace: chat.workspace }),
    role: said.role,
    ...(said.at === undefined ? {} : { at: said.at }),
    message,
  };
  for (const [part, { text }] of said.parts.entries()) {
    const found = findPhrases(text, query);
    if (found) return { ...about, part, ...found };
  }
  // The phrases are in several parts of the message.
  const all = findPhrases(said.parts.map(({ text }) => text).join('\n'), query);
  const [phrase = ''] = query.phrases;
  const first = said.parts.findIndex(({ text }) => text.toLowerCase().includes(phrase));
  const found = all && findPhrases(said.parts[first]?.text ?? '', { ...query, phrases: [phrase] });
  return found && { ...about, part: first, ...found };
}
