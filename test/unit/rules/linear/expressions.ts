// Every regular expression of the sources: literals, and what is handed to `new RegExp`.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type AnyNode, type Program, parse } from 'acorn';
import { transformSync } from 'esbuild';

export interface Expression {
  /** Below `src`, with `/`. */
  readonly file: string;
  /** As the code has it. */
  readonly code: string;
  /** Undefined where the code puts it together at run time. */
  readonly source: string | undefined;
  readonly flags: string;
}

export function expressionsOf(folder: string): Expression[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts') && !file.endsWith('.d.ts'))
    .map(file => file.replaceAll(path.sep, '/'))
    .sort()
    .flatMap(file => expressionsIn(file, readFileSync(path.join(folder, file), 'utf8')));
}

/** @param typescript the text of a module */
export function expressionsIn(file: string, typescript: string): Expression[] {
  const { code } = transformSync(typescript, { loader: 'ts', format: 'esm', target: 'esnext' });
  const program = parse(code, { ecmaVersion: 'latest', sourceType: 'module' });
  const constants = constantsOf(program);
  const found: Expression[] = [];
  walk(program, node => {
    if (node.type === 'Literal' && 'regex' in node && node.regex) {
      const { pattern, flags } = node.regex;
      found.push({ file, code: code.slice(node.start, node.end), source: pattern, flags });
    } else if (
      (node.type === 'NewExpression' || node.type === 'CallExpression') &&
      node.callee.type === 'Identifier' &&
      node.callee.name === 'RegExp'
    ) {
      const [source, flags] = node.arguments;
      found.push({
        file,
        code: code.slice(node.start, node.end),
        source: source && textOf(source, constants),
        // Flags that are not known: the worst there can be for the cost.
        flags: flags ? (textOf(flags, constants) ?? 'gim') : '',
      });
    }
  });
  return found;
}

type Constants = ReadonlyMap<string, AnyNode>;

/** `const name = …` of the module itself, not of a function. */
function constantsOf({ body }: Program): Constants {
  const declarations = body.flatMap(statement => {
    const node = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    return node?.type === 'VariableDeclaration' && node.kind === 'const' ? node.declarations : [];
  });
  return new Map(
    declarations.flatMap(({ id, init }) =>
      id.type === 'Identifier' && init ? [[id.name, init] as const] : [],
    ),
  );
}

/** The text that an expression of constants stands for. */
function textOf(node: AnyNode, constants: Constants): string | undefined {
  const joined = (nodes: readonly AnyNode[], separator: string): string | undefined => {
    const texts = nodes.map(each => textOf(each, constants));
    return texts.every(text => text !== undefined) ? texts.join(separator) : undefined;
  };
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' || typeof node.value === 'number'
        ? String(node.value)
        : undefined;
    case 'Identifier': {
      const value = constants.get(node.name);
      return value && textOf(value, constants);
    }
    case 'TemplateLiteral': {
      const parts = node.expressions.map(each => textOf(each, constants));
      if (parts.some(part => part === undefined)) return undefined;
      return node.quasis.map(({ value }, at) => (value.cooked ?? '') + (parts[at] ?? '')).join('');
    }
    case 'BinaryExpression':
      return node.operator === '+' && node.left.type !== 'PrivateIdentifier'
        ? joined([node.left, node.right], '')
        : undefined;
    case 'MemberExpression': {
      const object =
        node.object.type === 'Identifier' ? constants.get(node.object.name) : node.object;
      const isSource = node.property.type === 'Identifier' && node.property.name === 'source';
      return isSource && object?.type === 'Literal' && object.regex
        ? object.regex.pattern
        : undefined;
    }
    case 'CallExpression': {
      const { callee, arguments: given } = node;
      if (callee.type !== 'MemberExpression' || callee.object.type !== 'ArrayExpression')
        return undefined;
      const isJoin = callee.property.type === 'Identifier' && callee.property.name === 'join';
      const separator = given[0] ? textOf(given[0], constants) : ',';
      const elements = callee.object.elements.filter(element => element !== null);
      return isJoin && separator !== undefined ? joined(elements, separator) : undefined;
    }
    default:
      return undefined;
  }
}

function walk(node: AnyNode, visit: (node: AnyNode) => void): void {
  visit(node);
  for (const value of Object.values(node) as unknown[])
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value])
      if (isNode(child)) walk(child, visit);
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}
