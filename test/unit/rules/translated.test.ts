import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { AnyNode } from 'acorn';
import {
  childrenOf,
  parseTypeScript,
  textOf,
  translatedArguments,
} from '../../../scripts/l10n/syntax';

/** A capital letter or a value first, words, and the end of a sentence. */
const prose = /^["“]?[\p{Lu}{][^]*\s[^]*[.?!…]$/u;

/** Prompts for models, and texts that are not translated yet: how many, so that none is added. */
const left: Readonly<Record<string, number>> = {
  'apply/instruct/editAnswer.ts': 4,
  'apply/instruct/prompt.ts': 5,
  'apply/instruct/runEdit.ts': 3,
  'apply/parse/toolEdits.ts': 12,
  'compact/sessions/chat.ts': 3,
  'compact/compactTool.ts': 2,
  'compact/sessions/formats/continueSession.ts': 2,
  'compact/sessions/formats/copilot.ts': 2,
  'compact/sessions/formats/cursor.ts': 4,
  'compact/sessions/convert/index.ts': 1,
  'compact/sessions/convert/opencodeWriter.ts': 1,
  'compact/sessions/convert/vscodeWriter.ts': 1,
  'compact/sessions/edit.ts': 4,
  'compact/sessions/historyFile.ts': 2,
  'compact/sessions/history.ts': 3,
  'compact/sessions/index.ts': 2,
  'compact/sessions/stores/bytes.ts': 2,
  'compact/sessions/stores/clineSessions.ts': 1,
  'compact/sessions/stores/crushDatabase.ts': 1,
  'compact/sessions/stores/gooseDatabase.ts': 1,
  'compact/sessions/stores/opencodeDatabase.ts': 1,
  'compact/sessions/stores/sessionStores.ts': 1,
  'compact/sessions/stores/zed.ts': 1,
  'compact/sessions/stores/zedDatabase.ts': 6,
  'compact/sessions/formats/openai.ts': 2,
  'compact/sessions/formats/opencode.ts': 2,
  'compact/sessions/formats/taskFolders.ts': 3,
  'compact/sessions/formats/transcript.ts': 4,
  'compact/sessions/formats/vscodeChat.ts': 4,
  'compact/sessions/formats/vscodeRequests.ts': 1,
  'compact/sessions/formats/vscodeSessionLog.ts': 1,
  'reflex/batch/batchRunner.ts': 1,
  'reflex/batch/inputRows.ts': 2,
  'reflex/batch/rowOutcomes.ts': 2,
  'reflex/batch/rowReader.ts': 4,
  'search/agent/conversation.ts': 1,
  'search/searchTool.ts': 3,
  'search/tools/finish.ts': 3,
  'search/tools/toolText.ts': 3,
  'service/assumptions.ts': 1,
};

/** With a reason each. */
const others: Readonly<Record<string, readonly string[]>> = {
  // No words.
  'connection/checks/trial.ts': ['{}: {}.'],
  'merge/snippet/elided.ts': ['{}    ...'],
  // A prompt for a model, in the samples of code.
  'endpoints/probe.ts': ['Answer with the word OK.', 'Count from 1 to 60.'],
  // Goes to a coding agent.
  'apply/external/agents/core/message.ts': [
    'I undid these changes. The files have the lines with "+" again, and no longer those with "-".',
    '{} more changes were undone.',
  ],
  // The report is in English, because others read it.
  'connection/checks/evaluate.ts': ['No key, user name, path or file content is in this report.'],
  // Goes into a file of results, where otherwise the words of the service stand.
  'service/wire/reflex.ts': ['The prediction could not be read.'],
};

/** Texts, with `{}` for what a template fills in, that are shown as they stand. */
function untranslated(typescript: string): string[] {
  const found: string[] = [];
  const visit = (node: AnyNode): void => {
    if (translatedArguments(node)) return;
    const text = textOf(node)?.trim();
    if (text !== undefined && prose.test(text)) found.push(text);
    for (const child of childrenOf(node)) visit(child);
  };
  visit(parseTypeScript(typescript));
  return found;
}

describe('texts that the user sees', () => {
  it('are found where nothing translates them', () => {
    assert.deepEqual(
      untranslated(`
        const message = 'The service failed.';
        const more = t('Nothing was sent.') + \`The budget of \${usd} is spent.\`;
        throw new ServiceError('limit', sentence('Row {0} has no id.', at));
        log(\`unexpected: \${line}\`, 'no words here', vscode.l10n.t('Try {0} again.', 1));`),
      ['The service failed.', 'The budget of {} is spent.'],
    );
  });

  it('go through the translation, but for those that are listed', () => {
    const texts: string[] = [];
    const counts: Record<string, number> = {};
    for (const name of readdirSync('src', { recursive: true, encoding: 'utf8' }).sort()) {
      const file = name.replaceAll(path.sep, '/');
      // Their texts are in package.nls.json.
      if (file.endsWith('contributions.ts')) continue;
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
