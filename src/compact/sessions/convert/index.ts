import { type Edits, type History, type NewSession, UnsupportedHistory } from '../history';
import { titleLine } from '../titles';
import { writeClaude } from './claudeWriter';
import { writeCodex } from './codexWriter';
import { sharedTurns } from './conversation';
import { writeGemini } from './geminiWriter';
import { writeOpencode } from './opencodeWriter';
import type { SessionWriter } from './target';
import { writeVscodeChat } from './vscodeWriter';

const writers = {
  claudeCode: writeClaude,
  codex: writeCodex,
  gemini: writeGemini,
  opencode: writeOpencode,
  vscodeExport: writeVscodeChat,
} as const satisfies Record<string, SessionWriter>;

/** Id of a format that a conversation can be written in. */
export type ConversionTarget = keyof typeof writers;

export interface Conversion {
  readonly target: ConversionTarget;
  /** Absolute path of the folder that the new session is about. */
  readonly workspace: string;
}

/**
 * What is left of a session, as a new session of another tool.
 * @throws {UnsupportedHistory} when nothing is left that the tools share.
 */
export function convertSession(
  history: History,
  edits: Edits,
  { target, workspace }: Conversion,
  source: { readonly newId: () => string; readonly now: Date },
): NewSession {
  const turns = sharedTurns(history, edits);
  if (!turns.some(({ role }) => role === 'user')) {
    throw new UnsupportedHistory(
      history.label,
      'no question of the user is left',
      'Keep one of them.',
    );
  }
  return writers[target](turns, { workspace, title: titleLine(history), ...source });
}
