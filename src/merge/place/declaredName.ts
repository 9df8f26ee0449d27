const declaration =
  /\b(?:function\*?|def|fn|func|fun|class|interface|struct|enum|trait|type|impl|module|object|record|sub|procedure)\s+(?:\([^()]*\)\s*)?(?:self\.)?([\p{L}_$][\p{L}\p{N}_$]*)/u;
/** A method in C-like languages, as opposed to a call with a block, which has quoted text or a function in it. */
const methodSignature =
  /^(?:[\w$<>[\],.*&:?@]+\s+)*~?([\p{L}_$][\p{L}\p{N}_$]*)\s*\([^;'"`=]*\)[^;'"`()]*\{$/u;
/** Statements that look like methods, and macros such as `TEST(...) {`. */
const nonMethodName =
  /^(?:if|for|foreach|while|switch|catch|return|function|await|yield|new|throw|else|do|with|match|when|super|this|[A-Z_]+)$/;

/** The name that a line declares, as far as a single line shows it. */
export function declaredName(trimmed: string): string | undefined {
  const declared = declaration.exec(trimmed)?.[1];
  if (declared !== undefined) return declared;
  if (!trimmed.endsWith('{')) return undefined;
  const method = methodSignature.exec(trimmed)?.[1];
  return method !== undefined && !nonMethodName.test(method) ? method : undefined;
}
