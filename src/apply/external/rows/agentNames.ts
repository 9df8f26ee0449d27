const names: Readonly<Record<string, string>> = {
  'claude-code': 'Claude Code',
  codex: 'Codex',
  'gemini-cli': 'Gemini CLI',
  'qwen-code': 'Qwen Code',
  'copilot-cli': 'Copilot CLI',
  cursor: 'Cursor',
  opencode: 'opencode',
};

/** A coding agent as its maker writes it; an id that is not known stands for itself. */
export const agentName = (id: string): string => names[id] ?? id;
