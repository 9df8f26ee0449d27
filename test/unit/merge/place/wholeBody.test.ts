import assert from 'node:assert/strict';
import { mergeEdit } from '../../../../src/merge';

const mark = '# ... existing code ...';
const original = `import json


class Provider:
    @cached
    def dumps(self, value):
        options = self.options
        for key in options:
            check(key)
        return json.dumps(value, **options)

    def loads(self, text):
        return json.loads(text)


def head(url):
    session = open_session()
    return session.head(url)
`;

const text = (update: string, path = 'a.py', from = original): string => {
  const result = mergeEdit(from, update, { path });
  assert.ok(result.kind === 'merged', JSON.stringify(result));
  assert.equal(result.certain, false);
  return result.text;
};

describe('a declaration that is shown to its end with another body', () => {
  it('keeps nothing of the old one', () => {
    const fresh =
      '    @cached\n    def dumps(self, value):\n        return self.encoder.encode(value)\n';
    const wanted = original.replace(/ {4}@cached[^]*?options\)\n/, fresh);
    assert.equal(text(`    ${mark}\n${fresh}    ${mark}\n`), wanted);
    assert.equal(text(fresh), wanted);
  });

  it('is the last one of the file', () => {
    const fresh = 'def head(url):\n    return send("HEAD", url)\n';
    assert.equal(text(`${mark}\n\n${fresh}`), original.replace(/def head[^]*/, fresh));
  });

  it('goes on where the marker below it is part of its body', () => {
    const update = `${mark}\n    def dumps(self, value):\n        log(value)\n        ${mark}\n`;
    const result = mergeEdit(original, update, { path: 'a.py' });
    const wanted = original.replace('value):\n', 'value):\n        log(value)\n');
    assert.equal(result.kind === 'merged' && result.text, wanted);
  });

  it('goes on where its last line is open, or its closing line is not shown', () => {
    const open = '    def dumps(self, value):\n        return self.encoder.encode(\n';
    const result = mergeEdit(original, `${mark}\n${open}${mark}\n`, { path: 'a.py' });
    assert.ok(result.kind === 'refused' || result.text.includes('check(key)'));
    const code =
      'function run(all) {\n  for (const one of all) {\n    go(one);\n  }\n}\n\nrun([]);\n';
    const update =
      '// ... existing code ...\nfunction run(all) {\n  log(all);\n// ... existing code ...\n';
    const kept = mergeEdit(code, update, { path: 'a.js' });
    assert.equal(
      kept.kind === 'merged' && kept.text,
      code.replace('all) {\n', 'all) {\n  log(all);\n'),
    );
  });

  it('ends with the closing line of the old one', () => {
    const code =
      "interface Field {\n  // (if it's there\n  name: string;\n  all: { one: number };\n}\n\nrun({\n});\n";
    const fresh = 'interface Field {\n  id: number;\n}\n';
    const mark2 = '// ... existing code ...\n';
    const result = mergeEdit(code, `${mark2}${fresh}\n${mark2}`, { path: 'a.ts' });
    assert.equal(
      result.kind === 'merged' && result.text,
      code.replace(/interface[^]*?\n\}\n/, fresh),
    );
  });
});
