import assert from 'node:assert/strict';
import { isRecord, parseJson } from '../../../../../src/base/typeGuards';
import { readHistory } from '../../../../../src/compact/sessions';
import { draw, fixtures, minting, readFixture, sameEdits, textOf, write } from '../fixtures';

const agent = fixtures.find(({ name }) => name === 'claude-agent.jsonl');
const main = fixtures.find(({ name }) => name === 'claude.jsonl');
assert.ok(agent && main);

describe('the session of a sub-agent of Claude Code', () => {
  it('is left out of the session that it worked for', () => {
    const both = readHistory(main.path, textOf(main) + textOf(agent)).history;
    assert.deepEqual(draw(both), draw(readFixture(main).history));
  });

  it('becomes a session of its own that the tool resumes', () => {
    const read = readFixture(agent);
    const [file] = write(read, sameEdits(read.history), minting()).files;
    const records = (file?.text ?? '')
      .trimEnd()
      .split('\n')
      .map(line => parseJson(line))
      .filter(isRecord);
    assert.deepEqual(
      records.map(record => record['isSidechain']),
      [false, false, false, false],
    );
    assert.equal(new Set(records.map(record => record['sessionId'])).size, 1);
    assert.notEqual(records[0]?.['sessionId'], read.history.sessionId);
    const again = readHistory('new.jsonl', file?.text ?? '').history;
    assert.deepEqual(draw(again), draw(read.history));
  });
});
