import { endOfDeclaredName, isDeclaration, maxDeclarationChars } from './declarations';
import type { LanguageHeads } from './languages';

/** What the head of a definition declares. */
export interface DeclaredHead {
  /** The name, after those that qualify it, as in `Queue::close`. */
  readonly names: readonly string[];
  /** Whether it can hold others, as a class does, or an object that a variable holds. */
  readonly isHolder: boolean;
  readonly isObject?: boolean;
  /** Whether it is a function in an object, which says less than a function around it. */
  readonly isMember?: boolean;
  /** Whether it is a field or the like. */
  readonly isPart?: boolean;
  /** Whether a word such as `class` or `fn` says so. */
  readonly hasKeyword: boolean;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const holders = words(
  'class interface struct trait impl object module namespace enum record protocol extension defmodule',
);
/** Words before a declared name. */
const keywords = words(
  'class interface struct enum trait type typedef union def defp defmodule defmacro fn func fun function module namespace package record protocol extension macro_rules! object sub val var let const macro #define',
);
const functionKeywords = words('def fn func fun function');
/** Before a function, they are a part of its type in C. */
const typeKeywords = words('val var let const struct enum union');
const basicTypes =
  /^(?:char|short|int|long|float|double|bool|string|unsigned|signed|void|auto|size_t|u?int\d+_t)$/;
/** After a word that wants a name, they tell that there is none. */
const clauses = words('extends implements where');
const path = /[\p{L}_$#][\p{L}\p{N}_$.:\\]*[!?]?/gu;
const separator = /\.|::|\\/;

const maxHeadLines = 16;

const annotations = /^\s*(?:@[\w.]+(?:\([^()]*\))? +)+(?=\S)/;
/** Modifiers of Kotlin for code that each platform has. */
const ofPlatform = /^(\s*(?:(?:public|internal|protected|private)\s+)?)(?:actual|expect)\s+/;
/** With the arrows of function types in it. */
const typeParameters = /<(?:[^<>=-]|[=-]>?)*>/g;
const maxNesting = 4;

function withoutTypeParameters(text: string): string {
  let rest = text;
  for (let depth = 0; depth < maxNesting && rest.includes('<'); depth++) {
    rest = rest.replaceAll(typeParameters, '');
  }
  return rest;
}

/** What a line declares; undefined for a variable inside of a function, about which the function says more. */
export function declaredIn(line: string, language?: LanguageHeads): DeclaredHead | undefined {
  if (line.length >= maxDeclarationChars) return undefined;
  const own = language?.nameIn(line);
  if (own) {
    const { names, isHolder, isPart } = own;
    return { names, isHolder, isPart, hasKeyword: true };
  }
  if (isImported(line) || isLocalVariable(line)) return undefined;
  const text = line.replace(annotations, '  ').replace(ofPlatform, '$1');
  if (statement.test(text) || cVariable.test(text)) return undefined;
  const ofObject = functionOfObject(text);
  if (ofObject) return ofObject;
  if (isDeclaration(text)) return declared(text) ?? assigned(text);
  return opensFunction(text) ? declared(text) : assigned(text);
}

/** `type Planned,` in the list of an import. */
const isImported = (line: string): boolean =>
  !line.includes('(') && (line.split('//')[0] ?? '').trimEnd().endsWith(',');

const isLocalVariable = (line: string): boolean =>
  /^\s+(?:(?:let|var|val)\s|(?:static\s+)?const\s[^=(]*(?:=|$))/.test(line) &&
  !holdsFunction(line.slice(line.indexOf('=') + 1));

/** Whether a value is a function, or what a call such as `useCallback(() => {` makes of one. */
function holdsFunction(value: string): boolean {
  const call = value.trimEnd().endsWith('{') ? /^\s*[\w$]+\(/.exec(value)?.[0] : undefined;
  return isOwnFunction(value) || (call !== undefined && isOwnFunction(value.slice(call.length)));
}

function isOwnFunction(value: string): boolean {
  const text = value.replace(/^\s*(?:async\b\s*)?/, '');
  if (/^(?:function\b|[\w$]+\s*=>)/.test(text)) return true;
  const end = text.startsWith('(') ? endOfParameters(text) : -1;
  return end >= 0 && /^\s*(?::[^=]*)?=>/.test(text.slice(end));
}

/** `struct item *next;`, of which only the type has a keyword. */
const cVariable =
  /^\s*(?:(?:static|const|extern|volatile|register)\s+)*(?:struct|union|enum)\s+\w+(?:\s*\*[\s*]*|\s+)\w+\s*(?:[;=,[]|$)/;

/** They look like a method with its parameters. */
const statement =
  /^\s*(?:(?:if|for|while|switch|return|else|catch|do|try|with|synchronized|foreach|elseif|elsif|unless|until|case|using)\b|(?:when|match|lock|fixed)\s+\()/;
/** Words of an expression, which no type has. */
const operators = words(
  'return new throw await yield assert raise delete typeof case go defer import from not and or in else',
);

/** `type, name = parse(text)`. */
const list = /^\s*\w+\s*,/;
const receiver = /^func \(([^()]*)\) *\w/;

/** The type that a method belongs to in Go: `Server` of `func (s *Server) Serve(`. */
function receiverOf(text: string): string | undefined {
  const [inBrackets = ''] = receiver.exec(text)?.[1]?.split('[') ?? [];
  return inBrackets.match(/\w+/g)?.at(-1);
}

const luaMethod = /(\bfunction\s+[\w.]+):(?=\w)/;

function declared(line: string): DeclaredHead | undefined {
  const text = withoutTypeParameters(
    line.replace(/^\s*pub\([^()]*\)/, '').replace(luaMethod, '$1.'),
  );
  const end = endOfDeclaredName(text);
  // Without the receiver of a method in Go.
  const head = text.slice(0, end).replaceAll(/\([^()]*\)/g, ' ');
  const found: readonly string[] = head.match(path) ?? [];
  const functionAt = found.findIndex(one => functionKeywords.has(one));
  const at = Math.max(
    functionAt,
    found.findIndex(one => keywords.has(one) || one === 'impl'),
  );
  const keyword = found[at] ?? '';
  if (list.test(head)) return undefined;
  if (keyword === 'impl') return named(found[Math.max(found.indexOf('for'), at) + 1], keyword);
  const isFunction = text[end] === '(';
  if (keyword === '' || (isFunction && typeKeywords.has(keyword))) {
    return isFunction ? bareFunction(line, found) : undefined;
  }
  const after = found.slice(at).filter(one => !keywords.has(one));
  if (clauses.has(after[0] ?? '')) return undefined;
  const isObject = opensObject.test(line);
  if (keyword === 'func')
    return named([receiverOf(line), after[0]].filter(Boolean).join('.'), keyword, isObject);
  if (keyword !== 'const') return named(after[0], keyword, isObject);
  const name = head.includes('*') ? after.at(-1) : after.find(one => !basicTypes.test(one));
  return named(name, keyword, isObject);
}

/** `const routes = {`, or `const store = create({`. */
const opensObject = /=\s*(?:[\w$.]+\()?\{\s*$/;

function named(
  name: string | undefined,
  keyword: string,
  isObject = false,
): DeclaredHead | undefined {
  const all = (name?.split(separator) ?? []).filter(one => one !== 'self' && one !== '');
  const names = keyword === 'impl' ? all.slice(-1) : all;
  const hasKeyword = keyword !== '';
  const isHolder = holders.has(keyword) || isObject;
  return names.length > 0 ? { names, isHolder, isObject, hasKeyword } : undefined;
}

/** A function without a keyword, its type before it. */
function bareFunction(line: string, found: readonly string[]): DeclaredHead | undefined {
  const name = found.at(-1) ?? '';
  const isCall = found.length === 1 && name.includes('.');
  if (isCall || isNoName(name) || found.some(one => operators.has(one))) return undefined;
  // `it('closes', function () {` is a call.
  if (callWithText.test(line)) return undefined;
  const after = endOfParameters(line);
  const isLast = line.trimEnd().endsWith('{');
  if (isLast && (after < 0 || !bodyFollows.test(line.slice(after)))) return undefined;
  return named(name.replace(/[?!]$/, ''), '');
}

const callWithText = /\(\s*['"`]/;
const isNoName = (name: string): boolean =>
  keywords.has(name) || basicTypes.test(name) || statement.test(name);

/** Index after the bracket that closes the first one; -1 when it is not closed. */
function endOfParameters(text: string): number {
  let depth = 0;
  for (let at = text.indexOf('('); at >= 0 && at < text.length; at++) {
    if (text[at] === '(') depth++;
    else if (text[at] === ')' && --depth === 0) return at + 1;
  }
  return -1;
}

/** `List<Item> items`, which is before the parameters of a function. */
function isTypeAndName(text: string): boolean {
  const all = text.split(/[\s*&]+/).filter(one => one !== '');
  return (
    all.length > 0 &&
    all.every(one => /^[~#]?[\w$.:[\]?]+$/.test(one)) &&
    !text.trimEnd().endsWith(']')
  );
}

const bodyFollows =
  /^\s*(?:\{(?!\s*\|)|(?:->|:).*\{|=>|:\s[^?]*;$|(?:throws|const|noexcept|override|final|async|where)\b[^;]*\{)/;

/** `size() { return 1; }`, or `void close(int now) {`. */
function opensFunction(line: string): boolean {
  const text = withoutTypeParameters(line);
  const end = endOfParameters(text);
  if (end < 0 || !bodyFollows.test(text.slice(end))) return false;
  return isTypeAndName(text.slice(0, text.indexOf('(')));
}

const property =
  /^\s*(?:(?:public|private|protected|static|readonly|override)\s+)*([\w$.#]+)\s*=(?![=>])/;

/** `close: async (now) => {` in an object. A type such as `(now: number) => void` opens nothing. */
const member = /^\s*(?:([\w$]+)|'([\w$-]+)'|"([\w$-]+)")\s*:\s*(?=async\b|function\b|\()/;
const opensBody = /(?:[{(]|=>)\s*$/;

function functionOfObject(line: string): DeclaredHead | undefined {
  const [head, ...names] = member.exec(line) ?? [];
  if (head === undefined || !opensBody.test(line)) return undefined;
  if (!isOwnFunction(line.slice(head.length))) return undefined;
  return {
    names: names.filter(name => name !== undefined),
    isHolder: false,
    isMember: true,
    hasKeyword: true,
  };
}

/** A function that is a property: `close = () => {`, or `Queue.prototype.close = function`. */
function assigned(line: string): DeclaredHead | undefined {
  const found = property.exec(line);
  if (!found || !isOwnFunction(line.slice(found[0].length))) return undefined;
  const names = (found[1]?.split('.') ?? []).filter(
    one => one !== '' && !['module', 'exports', 'prototype', 'this'].includes(one),
  );
  return names.length > 0 ? { names, isHolder: false, hasKeyword: true } : undefined;
}

const goesOn = /^\s*(?:\{|->|:|(?:throws|where|const|noexcept)\b)/;

/** What the head that begins at a line declares, however many lines it has. */
export function headAt(
  lines: readonly string[],
  at: number,
  language?: LanguageHeads,
): DeclaredHead | undefined {
  const first = lines[at] ?? '';
  const found = declaredIn(first, language);
  if (found || !first.includes('(') || first.length >= maxDeclarationChars) return found;
  let text = first.trimEnd();
  for (let next = at + 1; next < at + maxHeadLines && !text.endsWith(';'); next++) {
    const line = lines[next] ?? '';
    if (endOfParameters(text) >= 0 && !goesOn.test(line)) break;
    text += ` ${line.trim()}`;
    if (endOfParameters(text) >= 0 && text.endsWith('{')) break;
  }
  if (!opensFunction(text) || statement.test(text)) return undefined;
  return declared(text);
}

const importHead = /^\s*(?:import|from|use|using|#\s*include)\b/;
/** An import that may go on in the next lines; `use constant {` of Perl declares what it lists. */
const importOfList =
  /^\s*(?:(?:export|pub\S*)\s+)?(?:import|from\s+[\w.]+\s+import|use(?!\s+constant\b))\s/;
/** Text that begins as an import does, but goes on for longer, is none. */
const maxImportLines = 500;

/** The index of the first line of the import that a line belongs to, by the index of the line. */
export type ImportLines = ReadonlyMap<number, number>;

/** The lines of imports in most languages. */
export function importLines(lines: readonly string[]): ImportLines {
  const found = new Map<number, number>();
  for (const [at, line] of lines.entries()) {
    if (found.has(at)) continue;
    const end = importOfList.test(line) ? endOfImport(lines, at) : at;
    if (end === at && !importHead.test(line)) continue;
    for (let one = at; one <= end; one++) found.set(one, at);
  }
  return found;
}

/** Index of the line that closes the brackets of an import, and that no backslash continues. */
function endOfImport(lines: readonly string[], start: number): number {
  let depth = 0;
  for (let at = start; at < Math.min(lines.length, start + maxImportLines); at++) {
    const text = (lines[at] ?? '').trimEnd();
    for (const character of text.split(/#|\/\//)[0] ?? '') {
      if ('({'.includes(character)) depth++;
      else if (')}'.includes(character)) depth--;
    }
    if (depth <= 0 && !text.endsWith('\\')) return at;
  }
  return start;
}
