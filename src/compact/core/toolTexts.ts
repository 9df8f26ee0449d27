/** Tags in which coding tools wrap what they add in the name of the user. */
const tags =
  'system-reminder|command-(?:name|message|args|contents)|local-command-\\w+|user-prompt-submit-hook|' +
  'environment_?context|user_info|user_instructions|instructions|permissions instructions|collaboration_mode|' +
  'skills?|skills_instructions|plugins?\\w*|apps_\\w+|turn_aborted|subagent\\w*|task-notification|' +
  'bash-(?:stdout|stderr)|ide_\\w+|user-memory\\w*|session_context|hook\\w*|' +
  'current_datetime|reminder\\w*|environment_details|context_window\\w*';

/** Sentences with which coding tools start what they add in the name of the user. */
const openings =
  '# AGENTS\\.md instructions|Caveat: The messages below were|\\[Request interrupted by user|' +
  'This session is being continued from|Base directory for this skill:|Tool use:|' +
  'This is the Gemini CLI\\.|\\[TASK RESUMPTION\\]|Your tool use was interrupted';

const toolText = new RegExp(`^\\s*(?:<(?:${tags})(?=[\\s>/])|${openings})`, 'i');

/** Whether a text with the role of the user was written by the tool: it is neither typed nor pasted. */
export function isToolText(text: string): boolean {
  return toolText.test(text.slice(0, maxHeadChars)) && typedCommand(text) === undefined;
}

const maxHeadChars = 200;

/**
 * A command as the user typed it in Claude Code, such as "/review the last commit". Undefined for any other
 * text, and for a command that the tool itself carries out, such as "/clear".
 */
export function typedCommand(text: string): string | undefined {
  const head = text.slice(0, maxHeadChars).trimStart();
  // The name stands behind the message where the command is the request to the model.
  const isRequest = head.startsWith('<command-message>');
  if (!isRequest && !head.startsWith('<command-name>')) return undefined;
  const [name, args] = ['command-name', 'command-args'].map(tag => contentOf(text, tag));
  if (!name || (!args && !isRequest)) return undefined;
  return args ? `${name} ${args}` : name;
}

/** What the first element with this tag holds; undefined without one. */
function contentOf(text: string, tag: string): string | undefined {
  const start = text.indexOf(`<${tag}>`);
  const end = text.indexOf(`</${tag}>`, start);
  return start < 0 || end < 0 ? undefined : text.slice(start + tag.length + 2, end).trim();
}
