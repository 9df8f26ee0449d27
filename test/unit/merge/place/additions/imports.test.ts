import assert from 'node:assert/strict';
import { mergeEdit } from '../../../../../src/merge';

const gap = '// ... existing code ...\n';
const original = `#!/usr/bin/env node
/** License. */
import path from 'node:path';
import * as React from 'react';
import {
  openReader,
  type Reader,
} from './reader';

const pages = 3;

export function first(file) {
  const name = path.basename(file);
  return openReader(name);
}
`;
const edit =
  'export function first(file) {\n  const name = file.trim();\n  return openReader(name);\n}\n';
const edited = original.replace(/export function first[^]*/, edit);

const merge = (update: string, from = original, name = 'a.ts') => {
  const result = mergeEdit(from, update, { path: name });
  assert.ok(result.kind === 'merged', JSON.stringify(result));
  return result;
};

describe('a new import that a snippet shows alone', () => {
  it('stands below the import that is most like it, for sure', () => {
    const added = "import { writeFile } from './writer';\n";
    const wanted = edited.replace("from './reader';\n", `$&${added}`);
    for (const lead of ['', gap]) {
      assert.deepEqual(merge(`${lead}${added}\n${gap}\n${edit}`), {
        kind: 'merged',
        text: wanted,
        certain: true,
      });
    }
  });

  it('may have several lines, and import more from a module that is known', () => {
    const added = "import {\n  useMemo,\n  useRef,\n} from 'react';\n";
    const { text } = merge(`${gap}${added}${gap}\n${edit}`);
    assert.ok(text.includes(added) && text.includes("import * as React from 'react';\n"), text);
    assert.equal(text.replace(added, ''), edited);
  });

  it('is the changed form of one with the same names', () => {
    const changed = "import * as React from 'react/next';\n".replace('/next', '');
    const more = changed.replace('* as React', 'React, { useMemo }');
    const { text } = merge(`${gap}${more}${gap}\n${edit}`);
    assert.equal(text, edited.replace(changed, more));
  });

  it('is not certain where the order of imports has a meaning', () => {
    const from = '#include <stdio.h>\n#include "a.h"\n\nint main(void) {\n  run(1);\n}\n';
    const update = '#include "b.h"\n\n// ...\n\nint main(void) {\n  run(2);\n}\n';
    assert.deepEqual(merge(update, from, 'a.c'), {
      kind: 'merged',
      text: from.replace('"a.h"\n', '"a.h"\n#include "b.h"\n').replace('1', '2'),
      certain: false,
    });
  });

  it('comes with a new function', () => {
    const from =
      'import os\nimport sys\n\n\ndef one():\n    return sys.path\n\n\ndef two():\n    return os.sep\n';
    const update =
      'import json\n\n# ... existing code ...\n\ndef three(text):\n    return json.loads(text)\n\n# ... existing code ...\n';
    const result = mergeEdit(from, update, { path: 'a.py', isNamed: true });
    assert.ok(result.kind === 'merged' && !result.certain);
    assert.match(result.text, /^(?:import \w+\n){3}\n\ndef one\(\):[^]*def three[^]*def two/);
  });

  it('needs an import of its kind in the file, and lets the rest be refused', () => {
    const update = `import x from 'x';\n${gap}\nfunction other() {\n  none();\n}\n${gap}`;
    assert.equal(mergeEdit('one();\ntwo();\n', update, { path: 'a.js' }).kind, 'refused');
    assert.equal(mergeEdit(original, update, { path: 'a.js' }).kind, 'refused');
  });
});
