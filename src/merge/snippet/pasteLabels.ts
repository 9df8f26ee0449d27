import { hasText, isCodeFile } from './chatter';
import type { KnownLines } from './knownLines';

/** The buttons that web chats show above a block of code. */
const button =
  /^(?:copy(?: code)?|copied!?|edit|run(?: code)?|save|download|wrap(?: lines)?|collapse|expand|explain|insert|apply|preview|code)$/i;
const languageName =
  /^(?:asm|assembly|bash|c|c\+\+|c#|clojure|cpp|csharp|css|dart|diff|dockerfile|elixir|elm|erlang|f#|fsharp|go|golang|graphql|groovy|haskell|hcl|html|ini|java|javascript|js|json|jsonc|jsx|julia|kotlin|kt|latex|less|lua|make|makefile|nginx|nix|objective-?c|ocaml|perl|php|plaintext|powershell|prisma|proto|protobuf|py|python|r|rb|rs|ruby|rust|sass|scala|scss|sh|shell|solidity|sql|svelte|swift|terraform|text|toml|ts|tsx|typescript|vue|xml|yaml|yml|zig|zsh)$/i;
const fileName = /^[\w@.()[\]~/\\-]{1,120}\.\w{1,8}$/;
/** A language, a file name, and buttons. */
const maxLabels = 5;

/** True for the text of a button, and for the name of a language or of a file. */
export const isPasteLabel = (text: string): boolean =>
  button.test(text) || languageName.test(text) || fileName.test(text);

/** Removes the language, the file name and the buttons that a web chat shows above its code. */
export function withoutPasteLabels(lines: string[], known: KnownLines, path = ''): string[] {
  let at = 0;
  let count = 0;
  let isSure = false;
  for (; at < lines.length && count <= maxLabels; at++) {
    const text = lines[at]?.trim() ?? '';
    if (text === '') continue;
    const isButton = button.test(text);
    if (known.has(text) || !isPasteLabel(text)) break;
    count++;
    isSure ||= isButton || languageName.test(text);
  }
  const isLabelled = count > 0 && count <= maxLabels && isSure && lines.slice(at).some(hasText);
  return isLabelled && isCodeFile(known, path) ? lines.slice(at) : lines;
}

/** Removes the `>` before each line of a quoted mail or a Markdown quote. */
export function withoutQuoteMarks(lines: string[], known: KnownLines): string[] {
  const first = lines.find(hasText);
  if (!first?.startsWith('>')) return lines;
  if (first.startsWith('>>> ')) return withoutPrompts(lines, known);
  let gained = 0;
  for (const line of lines) {
    if (!hasText(line)) continue;
    if (!line.startsWith('>') || known.has(line.trim())) return lines;
    const text = line.slice(1).trim();
    if (text !== '' && known.has(text)) gained++;
  }
  return gained > 0 ? lines.map(line => line.replace(/^> ?/, '')) : lines;
}

/** Removes the prompts of Python before lines that are code, `>>> ` and `... `. */
function withoutPrompts(lines: string[], known: KnownLines): string[] {
  const prompt = /^(?:>>>|\.\.\.)(?: |$)/;
  const isPrompted = lines.every(line => !hasText(line) || prompt.test(line));
  return isPrompted && !lines.some(line => hasText(line) && known.has(line.trim()))
    ? lines.map(line => line.replace(prompt, ''))
    : lines;
}
