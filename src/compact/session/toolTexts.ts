/** Tags in which coding tools wrap what they add in the name of the user. */
const tags =
  'system-reminder|command-(?:name|message|args|contents)|local-command-\\w+|user-prompt-submit-hook|' +
  'environment_?context|user_instructions|instructions|permissions instructions|collaboration_mode|' +
  'skills?|skills_instructions|plugins?\\w*|apps_\\w+|turn_aborted|subagent\\w*|task-notification|' +
  'bash-(?:input|stdout|stderr)|ide_\\w+|user-memory\\w*|session_context|hook\\w*|' +
  'current_datetime|reminder\\w*|environment_details|context_window\\w*';

/** Sentences with which coding tools start what they add in the name of the user. */
const openings =
  '# AGENTS\\.md instructions|Caveat: The messages below were|\\[Request interrupted by user|' +
  'This session is being continued from|Base directory for this skill:|Tool use:|' +
  'This is the Gemini CLI\\.|\\[TASK RESUMPTION\\]|Your tool use was interrupted';

const toolText = new RegExp(`^\\s*(?:<(?:${tags})(?=[\\s>/])|${openings})`, 'i');

/** Whether a text with the role of the user was written by the tool: it is neither typed nor pasted. */
export function isToolText(text: string): boolean {
  return toolText.test(text.slice(0, 200));
}
