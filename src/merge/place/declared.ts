const DECLARATION =
  /\b(?:function\*?|def|fn|func|fun|class|interface|struct|enum|trait|type|impl|module|object|record|sub|procedure)\s+(?:\([^()]*\)\s*)?(?:self\.)?([\p{L}_$][\p{L}\p{N}_$]*)/u;
/** A method as C-like languages write it; a call with a block has quoted text or a function in it. */
const METHOD =
  /^(?:[\w$<>[\],.*&:?@]+\s+)*~?([\p{L}_$][\p{L}\p{N}_$]*)\s*\([^;'"`=]*\)[^;'"`()]*\{$/u;
/** Statements that look like methods, and macros such as `TEST(...) {`. */
const NO_METHOD =
  /^(?:if|for|foreach|while|switch|catch|return|function|await|yield|new|throw|else|do|with|match|when|super|this|[A-Z_]+)$/;

/** The name that a line declares, as far as a line shows it; undefined for a line that declares none. */
export function declaredName(trimmed: string): string | undefined {
  const declared = DECLARATION.exec(trimmed)?.[1];
  if (declared !== undefined) return declared;
  if (!trimmed.endsWith('{')) return undefined;
  const method = METHOD.exec(trimmed)?.[1];
  return method !== undefined && !NO_METHOD.test(method) ? method : undefined;
}
