import { type AnyNode, parse } from 'acorn';
import { transformSync } from 'esbuild';

/** Functions whose texts are translated: at once, or where the sentence is shown. */
const translators: ReadonlySet<string> = new Set(['t', 'sentence', 'limitError']);

export function parseTypeScript(typescript: string): AnyNode {
  const { code } = transformSync(typescript, { loader: 'ts', format: 'esm', target: 'esnext' });
  return parse(code, { ecmaVersion: 'latest', sourceType: 'module' });
}

/** The arguments of a call whose texts are translated; undefined for any other node. */
export function translatedArguments(node: AnyNode): readonly AnyNode[] | undefined {
  const isTranslated = node.type === 'CallExpression' && translators.has(nameOf(node.callee) ?? '');
  return isTranslated ? node.arguments : undefined;
}

function nameOf(callee: AnyNode): string | undefined {
  if (callee.type === 'MemberExpression') return nameOf(callee.property);
  return callee.type === 'Identifier' ? callee.name : undefined;
}

/** The text of a literal, with `{}` for what a template fills in. */
export function textOf(node: AnyNode): string | undefined {
  if (node.type === 'TemplateLiteral')
    return node.quasis.map(({ value }) => value.cooked ?? '').join('{}');
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
}

export function childrenOf(node: AnyNode): AnyNode[] {
  const values: unknown[] = Object.values(node);
  return values
    .flatMap((value): unknown[] => (Array.isArray(value) ? value : [value]))
    .filter(isNode);
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}
