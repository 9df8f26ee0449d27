const modifiers =
  'export|default|public|private|protected|internal|static|final|abstract|async|override|virtual|inline|unsafe|extern|open|sealed|partial|readonly|declare|suspend|data|pub(?:\\([^)]*\\))?|const|local';
const keywords =
  'class|interface|struct|enum|trait|impl|type|typedef|union|def|defp|defmodule|defmacro|fn|func|fun|function|module|namespace|package|record|protocol|extension|macro_rules(?=!)|object|sub|val|var|let|const|#\\s*define|macro';
const keywordDeclaration = new RegExp(`^\\s*(?:(?:${modifiers})\\s+)*(?:${keywords})\\b`);
/** A function of C, its type before it. */
const cFunction = /^[A-Za-z_][\w\s*&:<>,]*[\s*&:<>,]\w+\s*\([^;{}]*(?:\{\s*)?$/;
/** A method of Java or C#, its type before it. */
const typedMethod =
  /^\s+(?:public|private|protected|internal|static|final|abstract|async|override|virtual|synchronized)\s[\w<>[\],.?\s]+\([^;]*$/;
/** A method of a class, as far as its parameters. */
const method =
  /^\s+(?:(?:public|private|protected|static|async|get|set|override|readonly)\s+)*[A-Za-z_$][\w$]*\s*\(/;

/** The parameters end at the brace, or at the type before it. */
function isMethod(line: string): boolean {
  const head = method.exec(line)?.[0];
  const rest = head === undefined ? '' : line.slice(head.length).trimEnd();
  if (!rest.endsWith('{') || rest.includes(';')) return false;
  const inner = rest.slice(0, -1);
  return inner.trimEnd().endsWith(')') || /\)\s*:[^]/.test(inner.slice(inner.lastIndexOf('{') + 1));
}

const statement = /^\s*(?:if|for|while|switch|return|else|catch|do|try|with)\b/;
/** A longer line is data, or code that was made smaller. */
export const maxDeclarationChars = 300;

export const isDeclaration = (line: string): boolean =>
  line.length < maxDeclarationChars &&
  (keywordDeclaration.test(line) ||
    // Checked last, because these expressions are slow on prose.
    (line.includes('(') &&
      !statement.test(line) &&
      (cFunction.test(line) || isMethod(line) || typedMethod.test(line))));

/** Where the name that a line declares ends: before its parameters, its value or its type. */
export function endOfDeclaredName(line: string): number {
  const receiver = /^\s*func\s*\([^)]*\)/.exec(line)?.[0].length ?? 0;
  const end = line.slice(receiver).search(/[(={]|(?<!:):(?!:)/);
  return end < 0 ? line.length : receiver + end;
}
