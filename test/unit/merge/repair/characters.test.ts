import assert from 'node:assert/strict';
import { auditMerge, mergeEdit } from '../../../../src/merge';
import { repairCharacters } from '../../../../src/merge/repair/characters';

const file = [
  'export function greet(name: string, loud = false) {',
  '  const text = "Hello, " + name;',
  "  log('greeted -- twice', { text });",
  '  if (loud && name !== "") print(...shout(text));',
  '  return text;',
  '}',
  '',
].join('\n');

const repaired = (update: string, original = file, path = 'src/greet.ts'): string =>
  repairCharacters(update, original, path).text;

describe('the characters of an edit', () => {
  it('stay the same string where nothing is damaged', () => {
    const update = '  const text = "Bye, " + name;\n  return text;\n';
    assert.deepEqual(repairCharacters(update, file), { text: update, repairs: [] });
  });

  it('lose curly quotes, in new lines too', () => {
    const { text, repairs } = repairCharacters(
      '  const text = “Hello, ” + name;\n  log(‘new’);\n  return text;',
      file,
    );
    assert.equal(text, '  const text = "Hello, " + name;\n  log(\'new\');\n  return text;');
    assert.deepEqual(repairs, ['quotes']);
  });

  it('are what the file has for a dash or an ellipsis', () => {
    assert.equal(
      repaired(
        '  log(‘greeted — twice’, { text });\n  log(‘bye — once’);\n  if (loud && name !== “”) print(…shout(text));',
      ),
      "  log('greeted -- twice', { text });\n  log('bye -- once');\n  if (loud && name !== \"\") print(...shout(text));",
    );
  });

  it('lose HTML entities', () => {
    const { text, repairs } = repairCharacters(
      '  if (loud &amp;&amp; name !== &quot;&quot;) print(...shout(text));\n  if (a &lt; b) f(&#39;x&#39;);',
      file,
    );
    assert.equal(text, '  if (loud && name !== "") print(...shout(text));\n  if (a < b) f(\'x\');');
    assert.deepEqual(repairs, ['entities']);
  });

  it('lose no-break and invisible blanks', () => {
    const { text, repairs } = repairCharacters(
      '\u00a0\u00a0const\u00a0text = "Hello, " + name;\n\u00a0\u00a0re\u200bturn text;\n  \u2060more();',
      file,
    );
    assert.equal(text, '  const text = "Hello, " + name;\n  return text;\n  more();');
    assert.deepEqual([...repairs].sort(), ['blanks', 'invisible']);
  });

  it('are repaired below the marks of a diff', () => {
    assert.equal(
      repaired('@@\n-  const text = “Hello, ” + name;\n+  const text = “Bye, ” + name;'),
      '@@\n-  const text = "Hello, " + name;\n+  const text = "Bye, " + name;',
    );
  });

  it('are proven by code that no language has', () => {
    assert.equal(repaired('  print(“new”, ‘line’);'), '  print("new", \'line\');');
    assert.equal(repaired('  if (a &amp;&amp; b) return;'), '  if (a && b) return;');
    // Between the tags of a page, and in prose, it may be meant.
    assert.equal(repaired('<p>(“new”)</p>', file, 'a.html'), '<p>(“new”)</p>');
    // So it may in a string or a comment.
    assert.equal(
      repaired('  print("a “new” one"); // “b”, c'),
      '  print("a “new” one"); // “b”, c',
    );
  });

  it('stay where the lines shown have them', () => {
    const literal = `${file}const title = "“Hello”";\nconst blank = "a\u00a0b";\nconst escaped = '&lt;';\n`;
    for (const update of [
      'const title = "“Hello”";\nconst other = "“Bye”";',
      'const blank = "a\u00a0b";\nconst other = "c\u00a0d";',
      "const escaped = '&lt;';\nconst other = '&gt;';",
      "@@\n-const escaped = '&lt;';\n+const escaped = '&gt;';",
    ]) {
      assert.equal(repaired(update, literal), update);
    }
  });

  it('stay where the indentation of the file has them', () => {
    const original = 'const tree = `\n\u00a0\u00a0leaf\n`;\n';
    const update = 'const tree = `\n\u00a0\u00a0leaf\n\u00a0\u00a0twig\n`;';
    assert.equal(repaired(update, original), update);
  });

  it('stay where other lines tell that nothing is damaged', () => {
    const update =
      '  const text = "Hello, " + name;\n  log(\'greeted — twice\', { text });\n  more();\n  return text;';
    assert.equal(repaired(update), update);
  });

  it('are the edit where nothing else changes, which is not certain', () => {
    const update =
      '// ... existing code ...\n  log(‘greeted -- twice’, { text });\n// ... existing code ...\n';
    const text = file.replace("'greeted -- twice'", '‘greeted -- twice’');
    const result = mergeEdit(file, update, { path: 'src/greet.ts' });
    assert.deepEqual(result, { kind: 'merged', text, certain: false });
    const findings = auditMerge(file, update, text, { path: 'src/greet.ts' });
    assert.deepEqual(
      findings.map(({ kind }) => kind),
      ['unexplainedChange'],
    );
  });

  it('are repaired in the whole text', () => {
    assert.equal(
      repaired(file.replaceAll('"', '”').replaceAll("'", '’').replace('...', '…')),
      file,
    );
  });
});
