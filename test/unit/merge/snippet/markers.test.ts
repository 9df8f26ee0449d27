import assert from 'node:assert/strict';
import { hasMarkers, isMarkerLine } from '../../../../src/merge/snippet/markers';

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
    '// ...existing code...',
    '// .. existing code ..',
    '// . . . existing code . . .',
    '// ⋮',
    '{- ... existing code ... -}',
    '#| ... existing code ... |#',
    '{{/* ... existing code ... */}}',
    '{* ... existing code ... *}',
    '! ... existing code ...',
    ':: ... existing code ...',
    '<%# ... existing code ... %>',
    '/** ... existing code ... **/',
    '// [... existing imports ...]',
    '// <existing code>',
    '// *** existing code ***',
    '// ... rest of the `UserService` class',
    '// ... lines 10-50 unchanged ...',
    '// ... existing code ... (lines 12-40)',
    '// ... other props',
    '// other existing methods ...',
    '// All other methods remain unchanged',
    '// Everything else stays the same',
    '// unchanged',
    '# -- snip --',
    '<!-- rest of the page stays the same -->',
    'The rest of the file is unchanged.',
    '(rest of the code remains the same)',
    '// ... bestehender Code ...',
    '// ... 现有代码 ...',
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
    '..',
    '...rest',
    '//   ...hook,',
    '// ...and keep the connection open',
    '// Checking existing users...',
    '// Left unchanged for compatibility',
    '// the rest of the arguments are passed to printf',
    '// same for the footer',
    '* be preserved.',
    "'existing file'",
    '- rest',
    'No changes.',
    `// ... ${'existing code '.repeat(40)}...`,
  ];
  for (const line of code) {
    it(`takes "${line.trim()}" for code`, () => assert.equal(isMarkerLine(line), false));
  }

  it('finds markers in a snippet', () => {
    assert.equal(hasMarkers('a\r\n// ...\r\nb'), true);
    assert.equal(hasMarkers('a\nb'), false);
  });
});
