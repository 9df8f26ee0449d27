import { cleanServerText } from './serverText';

export type { Translate } from '../sentence';

/**
 * Text of the service where VS Code shows it: one line, nothing invisible, and neither the links that
 * notifications read in `[…](…)` nor the icons that the status bar reads in `$(…)`.
 */
export function labelText(text: string, max = 80): string {
  return cleanServerText(text, max).replaceAll('](', '] (').replaceAll('$(', '$ (');
}

/** Escapes what Markdown, a table or a codicon would interpret; joins the lines to one. */
export function escapeMarkdown(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\\`*_[\]|~!@:]|\$(?=\()|(?<=www)\.|^\s?[#+=-]/gi, String.raw`\$&`)
    .replace(/^(\s?\d+)([.)])/, String.raw`$1\$2`)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
