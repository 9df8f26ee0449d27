import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { MergeFinding } from '../../../../../../src/apply/changeset/engine';
import {
  headerRow,
  positionParts,
} from '../../../../../../src/apply/review/model/view/reviewPosition';
import { english as t } from '../../../../../../src/base/sentence';

const finding = (change: number): MergeFinding => ({
  kind: 'test',
  severity: 'warning',
  message: 'odd',
  line: 1,
  change,
});
const review = {
  fileName: 'cart.ts',
  model: { hunks: [{ id: 4 }, { id: 7 }, { id: 9 }] },
  origin: { findings: [finding(4), finding(9), finding(1)] },
  changeSet: { id: 'set', createdAt: 1, size: 5, index: 1 },
  currentChange: 7,
};
const rowOf = (more: object, operation?: string) =>
  headerRow({ ...review, ...more }, { operation, isMac: false }, t);

describe('the header of a review', () => {
  it('tells file, change, findings of undecided changes and keys', () => {
    assert.equal(
      rowOf({}),
      'cart.ts · file 2 of 5 · change 2 of 3 · 2 findings   Alt+Y accept   Alt+N reject   F7 next',
    );
  });

  it('leaves out what there is only one of', () => {
    const one = { changeSet: undefined, model: { hunks: [{ id: 9 }] } };
    assert.equal(rowOf(one), 'cart.ts · change 1 of 1 · 1 finding   Alt+Y accept   Alt+N reject');
    assert.equal(
      rowOf({ ...one, origin: { findings: [] }, operation: {} }, 'new file'),
      'cart.ts · new file   Alt+Y accept   Alt+N reject',
    );
  });

  it('names no keys where nothing is left, and goes to the first change when the last one is decided', () => {
    assert.equal(rowOf({ model: { hunks: [] } }), 'cart.ts · file 2 of 5 · nothing left to decide');
    assert.deepEqual(positionParts({ ...review, currentChange: 1 }, t), [
      'file 2 of 5',
      'change 1 of 3',
    ]);
  });

  it('begins no string or comment of the reviewed language', () => {
    const name = `a'b"c\`d/*e<!--f\ng.ts`;
    assert.doesNotMatch(rowOf({ fileName: name }), /['"`\n]|\/\*|<!--/);
  });

  it('names the keys that the manifest has', () => {
    const manifest: {
      contributes: { keybindings: { command: string; key: string; mac?: string }[] };
    } = JSON.parse(readFileSync('package.json', 'utf8'));
    const keysOf = (command: string) =>
      manifest.contributes.keybindings
        .filter(each => each.command === `splice.apply.${command}`)
        .flatMap(({ key, mac }) => [key, mac]);
    assert.ok(keysOf('acceptChange').includes('alt+y'));
    assert.ok(keysOf('acceptChange').includes('ctrl+cmd+y'));
    assert.ok(keysOf('rejectChange').includes('alt+n'));
    assert.ok(keysOf('rejectChange').includes('ctrl+cmd+n'));
    assert.ok(keysOf('nextChange').includes('f7'));
    assert.match(
      headerRow(review, { operation: undefined, isMac: true }, t),
      /⌃⌘Y accept {3}⌃⌘N reject {3}F7 next$/,
    );
  });
});
