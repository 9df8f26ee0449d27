import assert from 'node:assert/strict';
import { splitTrailingMarkers } from '../../../../src/merge/snippet/trailingMarkers';

const known = new Set(['function a() {', 'let b = 1;', '}', '#', 'x = 1 # the rest of ...']);
const split = (...lines: string[]): string[] => splitTrailingMarkers(lines, known);

describe('a marker behind code', () => {
  it('stands for the lines below', () => {
    assert.deepEqual(split('} // ... rest of the file unchanged'), [
      '}',
      '// ... rest of the file unchanged',
    ]);
    assert.deepEqual(split('  end # rest of the file unchanged'), [
      '  end',
      '  # rest of the file unchanged',
    ]);
  });

  it('stands for lines of the block that a header opens', () => {
    assert.deepEqual(split('function a() { // ... existing code ...', '  return 2;', '}'), [
      'function a() {',
      '  // ... existing code ...',
      '  return 2;',
      '}',
    ]);
  });

  it('says of a line only that it is unchanged', () => {
    assert.deepEqual(split('let b = 1; // unchanged'), ['let b = 1;']);
  });

  it('is no marker within a comment, or in a line of the file', () => {
    for (const lines of [
      ['#   # The rest of your code goes here...'],
      ['x = 1 # the rest of ...'],
      ['let c = 2; // unchanged'],
      ['call(a); // see the other file'],
    ]) {
      assert.equal(splitTrailingMarkers(lines, known), lines);
    }
  });
});
