const declaration =
  /\b(?:function\*?|def(?:p|macrop?|module|protocol|impl)?|fn|func|fun|proc|class|interface|struct|enum|trait|type|impl|module|object|record|sub|subroutine|procedure)\s+(?:\([^()]*\)\s*)?(?:[\w$]+[.:]{1,2}(?=[\p{L}_$]))*([\p{L}_$][\p{L}\p{N}_$]*)/u;
/** `end function name`, as in Fortran. */
const closing = /^end\b/i;
/** A method in C-like languages, as opposed to a call with a block, which has quoted text or a function in it. */
const methodSignature =
  /^(?:[\w$<>[\],.*&:?@]+\s+)*~?([\p{L}_$][\p{L}\p{N}_$]*)\s*\([^;'"`=]*\)[^;'"`()]*\{$/u;
/** Statements that look like methods, and macros such as `TEST(...) {`. */
const nonMethodName =
  /^(?:if|for|foreach|while|switch|catch|return|function|await|yield|new|throw|else|do|with|match|when|super|this|[A-Z_]+)$/;
/** A test or a group of tests, named by its title: `it('does', () => {`, `test "does" do`, `context "if" do |x|`. */
const titled =
  /^(?:test|it|describe|context|specify|scenario|feature|suite|bench)(?:\.\w+)?[ (]{1,2}(?:"([^"]+)"|'([^']+)'|`([^`]+)`)[^"'`]*(?:\{|\bdo(?: \|[^|]*\|)?)$/;
/** `resource "type" "name" {` */
const labeledBlock =
  /^(?:resource|data|module|variable|output|provider) (?:"[\w-]+" )?"([\w-]+)" ?\{$/;
/** `name <- function(x) {` */
const assignedFunction = /^([\w.]+) ?(?:<-|=) ?function\b/;
/** `let name arguments =`, of which the end is known. */
const boundFunction =
  /^(?:let|and)\s{1,4}(?:(?:rec|inline|private)\s{1,4}){0,3}(?:``([^`]+)``|([\p{L}_][\p{L}\p{N}_']*)) {1,4}[^=: ]/u;
/** A clause of a function in Erlang, `name(Arguments) ->`, of which the end is known. */
const clause = /^([a-z]\w*)\(/;

/** `=head2 name`, in the documentation of Perl. */
const podHeading = /^=head\d (\S+)$/;

/** The name that a line declares, as far as a single line shows it. */
export function declaredName(trimmed: string): string | undefined {
  const declared = declaration.exec(trimmed)?.[1];
  if (declared !== undefined) return closing.test(trimmed) ? undefined : declared;
  if (trimmed.startsWith('=')) return namedBy(podHeading, trimmed);
  switch (trimmed.at(-1)) {
    case '{': {
      const method = methodSignature.exec(trimmed)?.[1];
      if (method !== undefined && !nonMethodName.test(method)) return method;
      return (
        namedBy(titled, trimmed) ??
        namedBy(labeledBlock, trimmed) ??
        namedBy(assignedFunction, trimmed)
      );
    }
    case 'o':
    case '|':
      return namedBy(titled, trimmed);
    case '=':
      return namedBy(boundFunction, trimmed);
    case '>':
      return trimmed.endsWith(') ->') ? namedBy(clause, trimmed) : undefined;
    case '(':
    case ')':
      return namedBy(assignedFunction, trimmed);
    default:
      return undefined;
  }
}

function namedBy(form: RegExp, trimmed: string): string | undefined {
  return form
    .exec(trimmed)
    ?.slice(1)
    .find(name => name !== undefined);
}
