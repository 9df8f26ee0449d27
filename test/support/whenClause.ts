/** What VS Code knows in a situation; a key that is not there is unset. */
export type Context = Readonly<Record<string, string | number | boolean | undefined>>;

/** The keys that a `when` clause asks for. */
export function keysOf(when: string): string[] {
  const keys = new Set<string>();
  isTrue(when, new Proxy({}, { get: (_target, key) => void keys.add(String(key)) }));
  return [...keys];
}

const tokenPattern =
  /\s*(\|\||&&|==|!=|=~|!|\(|\)|\/(?:\\.|[^/\\])+\/[a-z]*|'[^']*'|[^\s()!=~&|]+)/y;

/** Whether a `when` clause is true: `||`, `&&`, `!`, `==`, `!=`, `=~` and parentheses, as VS Code reads them. */
export function isTrue(when: string, context: Context): boolean {
  const tokens = tokensOf(when);
  let at = 0;
  const take = (expected: string): boolean => tokens[at] === expected && ++at > 0;
  const next = (): string => tokens[at++] ?? '';

  /** Reads all operands, whatever the first ones say. */
  const chain = (operator: string, operand: () => boolean): boolean[] => {
    const results = [operand()];
    while (take(operator)) results.push(operand());
    return results;
  };
  const either = (): boolean => chain('||', both).includes(true);
  const both = (): boolean => !chain('&&', term).includes(false);
  const term = (): boolean => {
    if (take('!')) return !term();
    if (take('(')) {
      const inner = either();
      if (!take(')')) throw new Error(`no closing parenthesis: ${when}`);
      return inner;
    }
    const key = next();
    if (key === 'true' || key === 'false') return key === 'true';
    const value = context[key];
    if (take('==')) return equals(value, unquoted(next()));
    if (take('!=')) return !equals(value, unquoted(next()));
    if (take('=~')) return expressionOf(next()).test(String(value));
    return Boolean(value);
  };

  const result = either();
  if (at !== tokens.length) throw new Error(`not a when clause: ${when}`);
  return result;
}

function tokensOf(when: string): string[] {
  const tokens: string[] = [];
  let end = 0;
  tokenPattern.lastIndex = 0;
  for (let match = tokenPattern.exec(when); match; match = tokenPattern.exec(when)) {
    tokens.push(match[1] ?? '');
    end = tokenPattern.lastIndex;
  }
  if (end !== when.length) throw new Error(`cannot be read from column ${end + 1}: ${when}`);
  return tokens;
}

/** What is unset equals nothing, not even ''. */
const equals = (value: Context[string], text: string): boolean =>
  value !== undefined && String(value) === text;

const unquoted = (text: string): string => text.replace(/^'(.*)'$/, '$1');

function expressionOf(literal: string): RegExp {
  const [, source = '', flags = ''] = /^\/(.*)\/([a-z]*)$/.exec(literal) ?? [];
  return new RegExp(source, flags);
}
