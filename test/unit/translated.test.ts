import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { type AnyNode, parse } from 'acorn';
import { transformSync } from 'esbuild';

/** Functions whose texts are translated: at once, or where the sentence is shown. */
const translators = new Set(['t', 'sentence', 'limitError']);

/** A capital letter or a value first, words, and the end of a sentence. */
const prose = /^["“]?[\p{Lu}{][^]*\s[^]*[.?!…]$/u;

/** Folders that must have none. */
const whole = [
  'base',
  'chat',
  'connection',
  'costs',
  'endpoints',
  'host',
  'jobs',
  'models',
  'service',
];

/** With a reason each. */
const others: Readonly<Record<string, readonly string[]>> = {
  // No words.
  'connection/trial.ts': ['{}: {}.'],
  // A prompt for a model, in the samples of code.
  'endpoints/uses.ts': ['Answer with the word OK.'],
  // The report is in English, because others read it.
  'service/diagnosis.ts': ['No key, user name, path or file content is in this report.'],
  // Goes into a file of results, where otherwise the words of the service stand.
  'service/wire/reflex.ts': ['The prediction could not be read.'],
};

/** Texts, with `{}` for what a template fills in, that are shown as they stand. */
function untranslated(typescript: string): string[] {
  const { code } = transformSync(typescript, { loader: 'ts', format: 'esm', target: 'esnext' });
  const found: string[] = [];
  const visit = (node: AnyNode): void => {
    if (node.type === 'CallExpression' && translators.has(nameOf(node.callee) ?? '')) return;
    const text = textOf(node)?.trim();
    if (text !== undefined && prose.test(text)) found.push(text);
    for (const child of childrenOf(node)) visit(child);
  };
  visit(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }));
  return found;
}

function nameOf(callee: AnyNode): string | undefined {
  if (callee.type === 'MemberExpression') return nameOf(callee.property);
  return callee.type === 'Identifier' ? callee.name : undefined;
}

function textOf(node: AnyNode): string | undefined {
  if (node.type === 'TemplateLiteral')
    return node.quasis.map(({ value }) => value.cooked ?? '').join('{}');
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
}

function childrenOf(node: AnyNode): AnyNode[] {
  const values: unknown[] = Object.values(node);
  return values
    .flatMap((value): unknown[] => (Array.isArray(value) ? value : [value]))
    .filter(isNode);
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

describe('texts that the user sees', () => {
  it('are found where nothing translates them', () => {
    assert.deepEqual(
      untranslated(`
        const message = 'The service failed.';
        const more = t('Nothing was sent.') + \`The budget of \${usd} is spent.\`;
        throw new ServiceError('limit', sentence('Row {0} has no id.', at));
        log(\`surprise: \${line}\`, 'no words here', vscode.l10n.t('Try {0} again.', 1));`),
      ['The service failed.', 'The budget of {} is spent.'],
    );
  });

  for (const folder of whole)
    it(`all go through the translation in ${folder}`, () => {
      const found = readdirSync(path.join('src', folder), { recursive: true, encoding: 'utf8' })
        .filter(name => name.endsWith('.ts') && !name.endsWith('.d.ts'))
        .map(name => `${folder}/${name.replaceAll(path.sep, '/')}`)
        .flatMap(file =>
          untranslated(readFileSync(path.join('src', file), 'utf8'))
            .filter(text => others[file]?.includes(text) !== true)
            .map(text => `${file}: ${text}`),
        );
      assert.deepEqual(found, []);
    });
});
