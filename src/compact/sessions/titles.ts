import type { Role } from '../core/message';
import { typedText } from '../core/typedText';
import type { PartType } from './history';

const maxTitleChars = 80;

interface Titled {
  readonly title?: string | undefined;
  readonly messages: readonly {
    readonly role: Role;
    readonly parts: readonly { readonly type: PartType; readonly text: string }[];
  }[];
}

/** The title, or else the first line that was typed, or else the first of what the tool said for the user. */
export function titleLine({ title, messages }: Titled): string {
  if (title !== undefined) return lineIn(title);
  return firstLineOf(messages, typedText) || firstLineOf(messages, text => text);
}

function firstLineOf(messages: Titled['messages'], wordsOf: (text: string) => string): string {
  for (const { role, parts } of messages) {
    if (role !== 'user') continue;
    for (const { type, text } of parts) {
      const line = type === 'text' ? lineIn(wordsOf(text)) : '';
      if (line !== '') return line;
    }
  }
  return '';
}

/** The first line that is not blank and no tag. */
function lineIn(text: string): string {
  const line = text
    .slice(0, 2000)
    .split('\n')
    .map(own => own.replace(/^[#>\s]+/, '').trim())
    .find(own => own !== '' && !own.startsWith('<'));
  return (line ?? '').replaceAll(/\s+/g, ' ').slice(0, maxTitleChars);
}

/** {@link titleLine}, without what the tool calls a session that has no title. */
export function namedLine(titled: Titled, unnamed: RegExp): string {
  const { title, messages } = titled;
  return unnamed.test(title ?? '') ? titleLine({ messages }) || (title ?? '') : titleLine(titled);
}
