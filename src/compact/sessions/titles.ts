import type { Role } from '../core/message';
import type { PartType } from './history';

const maxTitleChars = 80;

interface Titled {
  readonly title?: string | undefined;
  readonly messages: readonly {
    readonly role: Role;
    readonly parts: readonly { readonly type: PartType; readonly text: string }[];
  }[];
}

/** The title, or else the first line of the first question. */
export function titleLine({ title, messages }: Titled): string {
  const first = messages
    .filter(({ role }) => role === 'user')
    .flatMap(({ parts }) => parts)
    .find(({ type, text }) => type === 'text' && text.trim() !== '');
  const line = (title ?? first?.text ?? '')
    .slice(0, 2000)
    .split('\n')
    .map(text => text.replace(/^[#>\s]+/, '').trim())
    .find(text => text !== '' && !text.startsWith('<'));
  return (line ?? '').replaceAll(/\s+/g, ' ').slice(0, maxTitleChars);
}

/** {@link titleLine}, without what the tool calls a session that has no title. */
export function namedLine(titled: Titled, unnamed: RegExp): string {
  const { title, messages } = titled;
  return unnamed.test(title ?? '') ? titleLine({ messages }) || (title ?? '') : titleLine(titled);
}
