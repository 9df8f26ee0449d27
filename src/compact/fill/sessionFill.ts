import { isRecord, parseJson } from '../../base/typeGuards';

/** How full a session is, by the figures that its tool noted at the last answer. */
export interface SessionFill {
  /** Tokens of the last request with its answer. */
  readonly used: number;
  /** Tokens that the model takes; undefined where the tool does not note it. */
  readonly window?: number;
}

type Fields = Readonly<Record<string, unknown>>;

/** Lines that are read from the end of a file; figures come with each answer. */
const maxLines = 400;
/** The smaller context of the models of Claude Code; a larger one is named in the model or seen by its use. */
const claudeWindow = 200_000;
const largeClaudeWindow = 1_000_000;
/** The context of the models of Gemini CLI and, by default, of Qwen Code. */
const geminiWindow = 1_048_576;

/**
 * Reads the end of a session file of Claude Code, Codex, Gemini CLI, Qwen Code, Kimi Code, pi or oh-my-pi: one
 * record on each line.
 * @param tail may begin within a line.
 */
export function fillAtEnd(tail: string): SessionFill | undefined {
  const lines = tail.split('\n');
  for (let at = lines.length - 1; at >= Math.max(0, lines.length - maxLines); at--) {
    const record = parseJson(lines[at] ?? '');
    const fill = isRecord(record) && record['isSidechain'] !== true && fillOf(record);
    if (fill && fill.used > 0) return fill;
  }
  return undefined;
}

function fillOf(record: Fields): SessionFill | undefined {
  const { payload, message, tokens, usageMetadata, type } = record;
  if (type === 'event_msg' && isRecord(payload)) return codexFill(payload);
  if (isRecord(usageMetadata)) {
    return { used: numberOf(usageMetadata, 'totalTokenCount'), window: geminiWindow };
  }
  if (type === 'gemini' && isRecord(tokens)) {
    const total = numberOf(tokens, 'total');
    const used = total > 0 ? total : numberOf(tokens, 'input') + numberOf(tokens, 'output');
    return { used, window: geminiWindow };
  }
  if (type === 'token_counting.measured') return { used: numberOf(record, 'tokens') };
  if (!isRecord(message) || !isRecord(message['usage'])) return undefined;
  const { usage, model } = message;
  // pi counts them together; Claude Code notes what was cached apart.
  const total = numberOf(usage, 'totalTokens');
  return total > 0 ? { used: total } : claudeFill(usage, typeof model === 'string' ? model : '');
}

function codexFill({ type, info }: Fields): SessionFill | undefined {
  if (type !== 'token_count' || !isRecord(info)) return undefined;
  const last = info['last_token_usage'];
  const window = numberOf(info, 'model_context_window');
  if (!isRecord(last)) return undefined;
  return { used: numberOf(last, 'total_tokens'), ...(window > 0 ? { window } : {}) };
}

function claudeFill(usage: Fields, model: string): SessionFill {
  const names = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'];
  const used = [...names, 'output_tokens'].reduce((sum, name) => sum + numberOf(usage, name), 0);
  const isLarge = model.includes('[1m]') || used > claudeWindow;
  return { used, window: isLarge ? largeClaudeWindow : claudeWindow };
}

function numberOf(fields: Fields, name: string): number {
  const value = fields[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}
