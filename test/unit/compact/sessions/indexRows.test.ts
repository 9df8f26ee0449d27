import assert from 'node:assert/strict';
import { withoutRow, withRow } from '../../../../src/compact/sessions/indexRows';

const row = { path: 'sessions.json', json: '{"id":"n","title":"New"}', key: 'id' };

describe('the list in which a tool keeps its sessions', () => {
  for (const list of [
    '[]',
    '[ ]\n',
    '[{"id":"a"}]',
    '[\n  {\n    "id": "a"\n  }\n]\n',
    '\uFEFF[1]',
  ]) {
    it(`gets a row, and is as before without it: ${JSON.stringify(list)}`, () => {
      const more = withRow(list, row) ?? '';
      const read: unknown = JSON.parse(more.replace('\uFEFF', ''));
      assert.deepEqual(Array.isArray(read) && read.at(-1), JSON.parse(row.json));
      assert.equal(withoutRow(more, row), list);
    });
  }

  it('is made where there is none', () => {
    assert.equal(withRow(undefined, row), `[${row.json}]`);
    assert.equal(withRow(' \n', row), `[${row.json}]`);
  });

  it('is left alone when it is something else', () => {
    for (const text of ['{}', '[1', 'x']) {
      assert.equal(withRow(text, row), undefined);
      assert.equal(withoutRow(text, row), undefined);
    }
  });

  it('loses its own row only', () => {
    assert.equal(
      withoutRow('[{"id":"a"},{"id":"n","more":1},{"id":"b"}]', row),
      '[{"id":"a"},{"id":"b"}]',
    );
    assert.equal(withoutRow('[{"id":"n"}, {"id":"b"}]', row), '[{"id":"b"}]');
    assert.equal(withoutRow('[{"id":"a"}]', row), '[{"id":"a"}]');
  });
});
