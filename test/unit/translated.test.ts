import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { type AnyNode, parse } from 'acorn';
import { transformSync } from 'esbuild';

/** Functions whose texts are translated: at once, or where the sentence is shown. */
const translators = new Set(['t', 'sentence', 'limitError']);

/** A capital letter or a value first, words, and the end of a sentence. */
const prose = /^["“]?[\p{Lu}{][^]*\s[^]*[.?!…]$/u;

/** Prompts for models, and texts that are not translated yet: how many, so that none is added. */
const left: Readonly<Record<string, number>> = {
  'apply/engine.ts': 1,
  'apply/instruct/answer.ts': 4,
  'apply/instruct/prompt.ts': 5,
  'apply/instruct/run.ts': 3,
  'apply/instruct/selectionMerge.ts': 4,
  'apply/toolEdits.ts': 12,
  'compact/chat.ts': 2,
  'compact/compactTool.ts': 1,
  'compact/histories/claudeCode.ts': 1,
  'compact/histories/continueSession.ts': 2,
  'compact/histories/copilot.ts': 1,
  'compact/histories/cursor.ts': 5,
  'compact/histories/edit.ts': 4,
  'compact/histories/file.ts': 2,
  'compact/histories/history.ts': 3,
  'compact/histories/index.ts': 2,
  'compact/histories/openai.ts': 2,
  'compact/histories/opencode.ts': 2,
  'compact/histories/taskFolders.ts': 2,
  'compact/histories/transcript.ts': 4,
  'compact/histories/vscodeChat.ts': 8,
  'merge/audit/auditMerge.ts': 1,
  'merge/audit/brackets.ts': 1,
  'merge/audit/diagnose.ts': 6,
  'merge/audit/form.ts': 6,
  'merge/audit/indent.ts': 2,
  'merge/audit/kept.ts': 4,
  'merge/audit/lost.ts': 2,
  'merge/audit/selection.ts': 1,
  'merge/audit/ties.ts': 3,
  'merge/audit/twins.ts': 1,
  'merge/merge.ts': 10,
  'merge/patch/mergePatch.ts': 4,
  'merge/patch/placeHunks.ts': 3,
  'merge/patch/settlePlaces.ts': 2,
  'merge/snippet/elided.ts': 1,
  'reflex/batchRun.ts': 5,
  'reflex/tables.ts': 4,
  'search/agent/conversation.ts': 1,
  'search/searchTool.ts': 2,
  'search/tools/toolText.ts': 1,
};

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

  it('go through the translation, but for those that are listed', () => {
    const texts: string[] = [];
    const counts: Record<string, number> = {};
    for (const name of readdirSync('src', { recursive: true, encoding: 'utf8' }).sort()) {
      const file = name.replaceAll(path.sep, '/');
      if (!file.endsWith('.ts') || file.endsWith('.d.ts')) continue;
      const found = untranslated(readFileSync(path.join('src', name), 'utf8')).filter(
        text => others[file]?.includes(text) !== true,
      );
      if (found.length > 0) counts[file] = found.length;
      if (found.length !== (left[file] ?? 0)) texts.push(...found.map(text => `${file}: ${text}`));
    }
    assert.deepEqual(counts, left, texts.join('\n'));
  });
});
