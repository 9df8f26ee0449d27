// Finds what can be mutated in a source file and compiles chosen mutants into it. Each stands behind a
// switch, `$mutant(id) ? mutated : original`, so that one build serves every mutant.
import { SourceMap } from 'node:module';
import { parse } from 'acorn';
import { transform } from 'esbuild';

const comparisons = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '==': ['!='],
  '!=': ['=='],
  '===': ['!=='],
  '!==': ['==='],
};
const arithmetic = { '+': '-', '-': '+', '*': '/', '/': '*', '%': '*', '|': '&', '&': '|' };
const logical = { '&&': '||', '||': '&&' };
const assigned = { '+=': '-=', '-=': '+=', '*=': '/=', '/=': '*=' };
const updated = { '++': '--', '--': '++' };
const methods = { some: 'every', every: 'some', min: 'max', max: 'min', find: 'findLast' };
const moreMethods = { findLast: 'find', indexOf: 'lastIndexOf', lastIndexOf: 'indexOf' };
const renamed = { ...methods, ...moreMethods, startsWith: 'endsWith', endsWith: 'startsWith' };
const dropped = [
  'filter',
  'slice',
  'sort',
  'toSorted',
  'reverse',
  'trim',
  'trimEnd',
  'toLowerCase',
];

const isText = node =>
  node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string');
const conditional = ['IfStatement', 'WhileStatement', 'DoWhileStatement', 'ConditionalExpression'];
const isNegatable = test =>
  !(
    test.type === 'UnaryExpression' ||
    (test.type === 'BinaryExpression' && comparisons[test.operator])
  );

/** Calls `visit(node, parents)` for every node, with the nearest parent last. */
function walk(node, visit, parents = []) {
  visit(node, parents);
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value])
      if (typeof child?.type === 'string') walk(child, visit, [...parents, node]);
}

/** The edits `[start, end, text, operator]` of one node. Not `a.b` for `a?.b`, which TypeScript refuses. */
function* editsOf(node, parent, code) {
  const between = (left, right, from, to, operator) => {
    const start = code.indexOf(from, left.end);
    return start < right.start ? [start, start + from.length, to, operator] : undefined;
  };
  const whole = (text, operator) => [node.start, node.end, text, operator];
  const { type, operator } = node;
  if (type === 'BinaryExpression') {
    for (const to of comparisons[operator] ?? [])
      yield between(node.left, node.right, operator, to, 'comparison');
    if (arithmetic[operator] && ![node.left, node.right].some(isText))
      yield between(node.left, node.right, operator, arithmetic[operator], 'arithmetic');
  }
  if (type === 'LogicalExpression') {
    const at = code.indexOf(operator, node.left.end);
    const [left, right] = [code.slice(node.start, at), code.slice(at + 2, node.end)];
    // TypeScript refuses `a && b` for `a ?? b`, since it may be undefined.
    yield whole(operator === '??' ? right : `(${left}) ${logical[operator]} (${right})`, 'logical');
  }
  if (type === 'AssignmentExpression' && assigned[operator] && !isText(node.right))
    yield between(node.left, node.right, operator, assigned[operator], 'arithmetic');
  if (type === 'UpdateExpression') {
    const start = node.prefix ? node.start : node.end - 2;
    yield [start, start + 2, updated[operator], 'arithmetic'];
  }
  if (type === 'UnaryExpression' && (operator === '!' || operator === '-'))
    yield [node.start, node.start + 1, ' ', operator === '!' ? 'condition' : 'arithmetic'];
  if (conditional.includes(parent?.type) && parent.test === node && isNegatable(node))
    yield whole(`!(${code.slice(node.start, node.end)})`, 'condition');
  const isReturned =
    (parent?.type === 'ReturnStatement' && parent.argument === node) ||
    (parent?.type === 'ArrowFunctionExpression' && parent.body === node);
  // Where a test asks only whether it is true, no answer is as good as `false`.
  const isNothing = ['void 0', 'false'].includes(code.slice(node.start, node.end));
  if (isReturned && type !== 'BlockStatement' && !isNothing) yield whole('undefined', 'return');
  const isCall = ['CallExpression', 'AwaitExpression', 'AssignmentExpression'].includes(type);
  if (parent?.type === 'ExpressionStatement' && isCall && node.callee?.type !== 'Super')
    yield whole('undefined', 'statement');
  if (type === 'Literal') {
    if (typeof node.value === 'string') yield whole(node.value ? "''" : "'mutated'", 'string');
    // Beyond 10 they are limits and weights, which one more or less does not change.
    if (typeof node.value === 'number')
      yield whole(String(node.value < 10 ? node.value + 1 : 2 * node.value), 'number');
    if (typeof node.value === 'boolean') yield whole(String(!node.value), 'boolean');
  }
  if (type === 'TemplateLiteral' && parent?.type !== 'TaggedTemplateExpression')
    yield whole("''", 'string');
  const { callee } = node;
  if (type === 'CallExpression' && callee.type === 'MemberExpression' && !callee.computed) {
    const { name } = callee.property;
    if (Object.hasOwn(renamed, name))
      yield [callee.property.start, callee.property.end, renamed[name], 'method'];
    const dot = code.lastIndexOf('.', callee.property.start) - (callee.optional ? 1 : 0);
    if (dropped.includes(name)) yield [dot, node.end, '', 'method'];
  }
}

/**
 * Names, not values: a mutant of one would not compile or would mean something else. And the 0 of
 * `void 0`, which is how esbuild writes undefined.
 */
const isName = (node, parent) =>
  node.type === 'Literal' &&
  (parent.operator === 'void' ||
    /^(Import|Export)/.test(parent.type) ||
    (parent.key === node && !parent.computed) ||
    parent.directive !== undefined);

/** What the switch is put around: a member of a chain `a?.b.c` cannot be replaced without the chain. */
function replaced(node, parents) {
  let outer = node;
  for (const parent of parents.toReversed()) {
    if (parent.type === 'ChainExpression') return parent;
    if ((parent.object ?? parent.callee) !== outer) return node;
    outer = parent;
  }
  return node;
}

const readsElement = ({ type, computed, callee }) =>
  (type === 'MemberExpression' && computed) ||
  (type === 'CallExpression' && ['at', 'pop', 'shift'].includes(callee.property?.name));

/**
 * `lines[at] ?? ''`: TypeScript asks for the other value where there always is an element. Nothing can
 * tell what it is if it is never reached.
 */
function isElementFallback(node, parents) {
  const isSigned = parents.at(-1).type === 'UnaryExpression';
  const value = isSigned ? parents.at(-1) : node;
  const { operator, left, right } = parents.at(isSigned ? -2 : -1);
  return operator === '??' && right === value && readsElement(left);
}

/** The compiler proves that such a line is never reached. */
const isUnreachable = line => line?.includes(' satisfies never');

/** The mutants of a TypeScript file: `{ id, file, line, operator, from, to, start, end, text }`. */
export async function mutantsOf(file, source) {
  const options = { loader: 'ts', sourcefile: file, sourcemap: 'external' };
  const { code, map } = await transform(source, options);
  const lines = new SourceMap(JSON.parse(map));
  const sourceLines = source.split('\n');
  const mutants = [];
  walk(
    parse(code, { ecmaVersion: 'latest', sourceType: 'module', locations: true }),
    (node, parents) => {
      const parent = parents.at(-1);
      if (!parent || isName(node, parent)) return;
      for (const edit of editsOf(node, parent, code)) {
        if (!edit) continue;
        const { start, end, loc } = replaced(node, parents);
        const operand = parents.find(
          each => each.start <= start && each.end >= end && each.operator === 'delete',
        );
        if (operand) continue;
        const [from, to, text, operator] = edit;
        const mutated = code.slice(start, from) + text + code.slice(to, end);
        const line = lines.findEntry(loc.start.line - 1, loc.start.column).originalLine + 1;
        if (isUnreachable(sourceLines[line - 1])) continue;
        const about = [code.slice(start, end), mutated].map(each =>
          each.replace(/\s+/g, ' ').slice(0, 90),
        );
        mutants.push({
          file,
          line,
          operator,
          from: about[0],
          to: about[1],
          start,
          end,
          text: mutated,
          isElementFallback: isElementFallback(node, parents),
        });
      }
    },
  );
  return { code, mutants };
}

/** The code with a switch for each of the mutants, an inner one within the outer one's original. */
export function withSwitches(code, mutants) {
  const inner = (start, end, rest) => {
    let text = '';
    let at = start;
    for (const outermost of rest.filter(one => !rest.some(other => contains(other, one)))) {
      if (outermost.start < at) continue; // of the same range as the one before
      const same = rest.filter(one => one.start === outermost.start && one.end === outermost.end);
      const within = rest.filter(one => contains(outermost, one));
      const original = inner(outermost.start, outermost.end, within);
      text += code.slice(at, outermost.start);
      text += same.reduce(
        (all, one) => `($mutant(${one.id})?(${one.text}):${all})`,
        `(${original})`,
      );
      at = outermost.end;
    }
    return text + code.slice(at, end);
  };
  return inner(
    0,
    code.length,
    mutants.toSorted((a, b) => a.start - b.start),
  );
}

const contains = (outer, one) =>
  outer.start <= one.start && outer.end >= one.end && outer.end - outer.start > one.end - one.start;
