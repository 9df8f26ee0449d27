import assert from 'node:assert/strict';
import { hasMarkers, isMarkerLine } from '../../../src/merge/markers';

describe('markers', () => {
  const markers = [
    '// ... existing code ...',
    '# ... existing code ...',
    '-- ... existing code ...',
    '/* ... existing code ... */',
    '    {/* ... existing code ... */}',
    '<!-- ... existing code ... -->',
    '; ... existing code ...',
    '% ... rest of file ...',
    '" ... existing code ...',
    "' ... existing code ...",
    'rem ... existing code ...',
    '// \u2026 existing code \u2026',
    '// rest of the code remains the same',
    '// [existing code]',
    '// ... other methods ...',
    '# ...',
    '...',
    '\u2026',
    '// ... keep existing imports ...',
    '// ----- existing code -----',
    '... existing code ...',
  ];
  for (const line of markers) {
    it(`takes ${line.trim()} for a marker`, () => assert.equal(isMarkerLine(line), true));
  }

  const code = [
    '// ... however, we only need to find the lines before the match',
    'const rest = items.slice(1);',
    'foo(...args);',
    '...options,',
    "  '0'...'9' => true,",
    '# Other methods of the client',
    '// keep the connection open',
    '',
    'Loading...',
    'print("...")',
  ];
  for (const line of code) {
    it(`takes "${line.trim()}" for code`, () => assert.equal(isMarkerLine(line), false));
  }

  it('finds markers in a snippet', () => {
    assert.equal(hasMarkers('a\r\n// ...\r\nb'), true);
    assert.equal(hasMarkers('a\nb'), false);
  });
});
