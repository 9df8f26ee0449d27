import assert from 'node:assert/strict';
import { readEditAnswer } from '../../../../src/apply/instruct/editAnswer';
import { parseClipboard } from '../../../../src/apply/parse/clipboard';
import { parseToolEdit } from '../../../../src/apply/parse/toolEdits';
import { rankTargets } from '../../../../src/apply/target/rankTargets';
import { written } from '../../../../src/base/sentence';
import { findSegments } from '../../../../src/compact/core/segments/findSegments';
import { pathFromHeading } from '../../../../src/markdown/pathHint';
import { mergeEdit } from '../../../../src/merge';
import { TermFinder } from '../../../../src/search/local/query/termFinder';
import { termsOf } from '../../../../src/search/local/query/terms';
import { TextReader } from '../../../../src/search/local/text/fileText';
import { parseLedger } from '../../../../src/service/billing/ledger';

const blocks = (count: number): string => 'Text.\n\n```ts\nconst a = 1;\n```\n\n'.repeat(count);

const line = (length: number): string => `${'word '.repeat(length / 5)}\`src/a.ts\`:`;
const chat = (said: string, count: number): string =>
  `User: ${said}\nAssistant: ${said}\n`.repeat(count);

describe('a text of more than has a meaning', () => {
  it('is refused by name, where it holds more code blocks than anybody reviews', () => {
    assert.equal(parseClipboard(blocks(1000)).kind, 'edits');
    const content = parseClipboard(blocks(1001));
    assert.equal(
      content.kind === 'rejected' && written(content.reason),
      'The clipboard holds more than 1000 code blocks.',
    );
    const edit = parseToolEdit(blocks(1001));
    assert.ok('reason' in edit && edit.reason.includes('one edit for each file'));
    const answer = readEditAnswer(blocks(1001), { path: 'a.ts', languageId: 'typescript' });
    assert.equal(
      answer.kind === 'unreadable' && answer.reason,
      'The answer has more than 1000 code blocks.',
    );
  });

  it('is no edit, where it has more lines than a file of code', () => {
    const result = mergeEdit('a\n', 'b\n'.repeat(100_000));
    assert.equal(
      result.kind === 'refused' && written(result.reason),
      'The edit has more than 100,000 lines. Apply it in smaller parts.',
    );
    const less = mergeEdit('a\n', 'b\n'.repeat(99_999));
    assert.ok(less.kind === 'refused' && !written(less.reason).includes('100,000 lines'));
  });

  it('names no file, where the line is a text; the end of a path still tells its file', () => {
    assert.equal(pathFromHeading(line(3900)), 'src/a.ts');
    assert.equal(pathFromHeading(line(4000)), undefined);
    const [target] = rankTargets({ path: `${'x/'.repeat(500_000)}src/a.ts`, text: '' }, [
      { id: 'a', path: 'src/a.ts', text: '', isActive: false, isOpen: true },
    ]);
    assert.equal(target?.why, 'path');
  });

  it('is no conversation, where the messages are shorter than a line', () => {
    assert.equal(findSegments(chat('yes', 400)).length, 800);
    assert.equal(findSegments(chat('yes', 4000)).length, 1);
    assert.equal(findSegments(chat('a text of usual length, for that', 4000)).length, 8000);
  });

  it('counts all of its hits, but shows where the first ones are', () => {
    const terms = termsOf('parse');
    const file = new TextReader(terms, new TermFinder(terms)).read('parse\n'.repeat(20_000));
    assert.deepEqual([file.hits.length, file.counts[0]], [10_000, 20_000]);
  });

  it('is read to its end, however many of its lines are damaged', async () => {
    const whole = '{"at":1,"operation":"chat","result":"ok"}\n';
    const ledger = await parseLedger(`{"at":\n${'{\n1\n\n'.repeat(50_000)}${whole}`);
    assert.deepEqual([ledger.entries.length, ledger.damaged], [1, 100_001]);
  });
});
