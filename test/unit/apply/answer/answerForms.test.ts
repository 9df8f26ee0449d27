import assert from 'node:assert/strict';
import { applyAnswer } from '../../../../src/apply/answer';

const app = `import { load } from './load';

export function start(port: number): void {
  const config = load();
  console.log('listening', port, config.name);
}
`;
const listening = "  console.log('listening', port, config.name);\n";
const changed = app.replace(listening, '  console.log(port);\n');
const files: Readonly<Record<string, string>> = {
  'src/app.ts': app,
  'src/old.ts': 'export const unused = 1;\n',
  'README.md': '# App\n\nRun it.\n',
};
const log = 'export const log = 1;\n';
const fence = (code: string, info = 'ts'): string => `\`\`\`${info}\n${code}\`\`\`\n`;
const patch = `*** Begin Patch\n*** Update File: src/app.ts\n@@\n-${listening}+  console.log(port);\n*** End Patch`;

function apply(answer: string, relative?: (path: string) => string | undefined) {
  const workspace = {
    files: () => Object.keys(files),
    read: (path: string) => files[path],
    ...(relative && { relative }),
  };
  return applyAnswer(answer, workspace);
}

/** What an answer does to each file: its new text, or what happens to the file. */
function outcome(answer: string, relative?: (path: string) => string | undefined) {
  const result = apply(answer, relative);
  return [
    ...result.files.map(({ kind, path, newPath, text }) => [kind, newPath ?? path, text]),
    ...result.refused.map(({ path = '', reason }) => ['refused', path, reason]),
  ];
}

const edit = ['edit', 'src/app.ts', changed];
const create = ['create', 'src/log.ts', log];

const wholeCalls: Readonly<Record<string, readonly [answer: string, ...wanted: unknown[][]]>> = {
  'calls with parameters in tags': [
    `<function_calls>\n<invoke name="str_replace_based_edit_tool">\n<parameter name="command">str_replace</parameter>\n<parameter name="path">src/app.ts</parameter>\n<parameter name="old_str">${listening.trimEnd()}</parameter>\n<parameter name="new_str">  console.log(port);</parameter>\n</invoke>\n<invoke name="str_replace_based_edit_tool">\n<parameter name="command">create</parameter>\n<parameter name="path">src/log.ts</parameter>\n<parameter name="file_text">${log}</parameter>\n</invoke>\n</function_calls>\n`,
    edit,
    create,
  ],
  'calls with the name in the tag': [
    `<function=str_replace_editor>\n<parameter=command>str_replace</parameter>\n<parameter=path>src/app.ts</parameter>\n<parameter=old_str>\n${listening}</parameter>\n<parameter=new_str>\n  console.log(port);\n</parameter>\n</function>\n`,
    edit,
  ],
  'calls of which the line comes as text': [
    `<invoke name="insert">\n<parameter name="path">src/old.ts</parameter>\n<parameter name="insert_line">1</parameter>\n<parameter name="new_str">${log}</parameter>\n</invoke>\n`,
    ['edit', 'src/old.ts', `export const unused = 1;\n${log}`],
  ],
  'JSON in tags': [
    `<tool_call>\n${JSON.stringify({ name: 'edit', arguments: { file_path: 'src/app.ts', old_string: listening, new_string: '  console.log(port);\n' } })}\n</tool_call>\n<tool_call>\n${JSON.stringify({ name: 'write_file', arguments: { file_path: 'src/log.ts', content: log } })}\n</tool_call>\n`,
    edit,
    create,
  ],
  'a line of JSON among prose': [
    `I write it:\n\n${JSON.stringify({ name: 'Write', input: { file_path: 'src/log.ts', content: log } })}\n\nDone.\n`,
    create,
  ],
  'a patch for the terminal': [
    JSON.stringify({ command: ['bash', '-lc', `apply_patch <<'EOF'\n${patch}\nEOF`] }),
    edit,
  ],
  'a patch as the argument of a command': [
    JSON.stringify({ command: ['apply_patch', patch] }),
    edit,
  ],
  'operations of patch calls': [
    JSON.stringify([
      {
        type: 'apply_patch_call',
        operation: { type: 'create_file', path: 'src/log.ts', diff: `+${log}` },
      },
      { type: 'apply_patch_call', operation: { type: 'delete_file', path: 'src/old.ts' } },
      {
        type: 'apply_patch_call',
        operation: {
          type: 'update_file',
          path: 'src/app.ts',
          diff: `@@\n-${listening}+  console.log(port);\n`,
        },
      },
    ]),
    create,
    ['delete', 'src/old.ts', undefined],
    edit,
  ],
  'replacements in chunks': [
    JSON.stringify({
      name: 'replace_file_content',
      arguments: {
        TargetFile: 'src/app.ts',
        ReplacementChunks: [
          { TargetContent: listening, ReplacementContent: '  console.log(port);\n' },
        ],
      },
    }),
    edit,
  ],
  'a sketch of the change between tags': [
    `<edit_file>\n<target_file>src/app.ts</target_file>\n<instructions>I use the port.</instructions>\n<code_edit>\n// ... existing code ...\n  const config = load();\n  console.log(port);\n}\n</code_edit>\n</edit_file>\n`,
    edit,
  ],
  'a search and its replacement between tags': [
    `<search_and_replace>\n<path>src/app.ts</path>\n<search>'listening', port, config.name</search>\n<replace>port</replace>\n</search_and_replace>\n`,
    edit,
  ],
  'a line to insert at': [
    `<insert_content>\n<path>src/old.ts</path>\n<line>1</line>\n<content>\n${log}</content>\n</insert_content>\n`,
    ['edit', 'src/old.ts', `${log}export const unused = 1;\n`],
  ],
  'a text for the end of a file': [
    `<insert_content>\n<path>src/old.ts</path>\n<line>0</line>\n<content>\n${log}</content>\n</insert_content>\n`,
    ['edit', 'src/old.ts', `export const unused = 1;\n${log}`],
  ],
  'an old text and a new one': [
    `<edits>\n<old_text>\n${listening}</old_text>\n<new_text>\n  console.log(port);\n</new_text>\n</edits>\n`,
    edit,
  ],
  'blocks with a language and a path': [
    `- src/app.ts:\n\n<PlandexBlock lang="typescript" path="src/app.ts">\n// ... existing code ...\n  const config = load();\n  console.log(port);\n}\n</PlandexBlock>\n`,
    edit,
  ],
  'a change with the content in CDATA': [
    `<changes>\n<change>\n<file>src/log.ts</file>\n<description>new</description>\n<content><![CDATA[${log}]]></content>\n</change>\n</changes>\n`,
    create,
  ],
  'renames in tags of their own': [
    `<lov-rename original_file_path="README.md" new_file_path="docs/README.md" />\n<lov-write file_path="src/log.ts">\n${log}</lov-write>\n`,
    ['rename', 'docs/README.md', undefined],
    create,
  ],
  'files below banners': [
    `================\nFile: src/app.ts\n================\n${changed}\n================\nFile: src/log.ts\n================\n${log}`,
    edit,
    create,
  ],
  'files below banners of one line': [`=== src/log.ts ===\n${log}END FILE\n`, create],
  'blocks below a banner': [`--- File: src/log.ts ---\n\n${fence(log)}`, create],
  'an opened tag above a block': [`<file path="src/log.ts">\n\n${fence(log)}`, create],
  'a call with its parameters under another name': [
    JSON.stringify({ tool: 'write_file', params: { path: 'src/log.ts', content: log } }),
    create,
  ],
  'documents with their source': [
    `<documents>\n<document index="1">\n<source>src/log.ts</source>\n<document_content>\n${log}</document_content>\n</document>\n</documents>\n`,
    create,
  ],
  'a fenced block in the tag of a file': [
    `<file path="src/log.ts">\n${fence(log)}</file>\n`,
    create,
  ],
  'a text with a fenced block and more in the tag of a file': [
    `<file path="docs/use.md">\n${fence('npm start\n', 'sh')}Then open it.\n</file>\n`,
    ['create', 'docs/use.md', `${fence('npm start\n', 'sh')}Then open it.\n`],
  ],
  'a diff in the tag of a file': [
    `<file path="src/app.ts">\n@@ -4,2 +4,2 @@\n   const config = load();\n-${listening}+  console.log(port);\n</file>\n`,
    edit,
  ],
  'a diff below the name of its file': [
    `In \`src/app.ts\`:\n\n${fence(`@@ -4,2 +4,2 @@\n   const config = load();\n-${listening}+  console.log(port);\n`, 'diff')}`,
    edit,
  ],
  'nothing but code that is marked as text': [
    fence(`import { load } from './load';\n\n${changed.slice(changed.indexOf('export'))}`, 'text'),
    edit,
  ],
  'a citation with its lines': [
    fence(changed.slice(changed.indexOf('export')), '3:6:src/app.ts'),
    edit,
  ],
  'a block below "Change:", and no second one': [
    `Change:\n\n${fence(changed.slice(changed.indexOf('export')), 'ts:src/app.ts')}\nThat is all.\n`,
    edit,
  ],
  'a block that shows only the code before a change': [
    `\`src/app.ts\`\n\nBefore:\n\n${fence(listening)}\nThat is all.\n`,
    ['refused', 'src/app.ts', 'It shows the code before a change, but no code after it follows.'],
  ],
  'code to append to a file': [
    fence(log, 'append src/old.ts'),
    ['edit', 'src/old.ts', `export const unused = 1;\n${log}`],
  ],
  'a banner with blank lines behind its file': [
    `================\nFile: src/log.ts\n================\n${log}\n\n`,
    create,
  ],
  'a block to find and one to replace it with': [
    `In \`src/app.ts\`, find:\n\n${fence(listening)}\nand replace it with:\n\n${fence('  console.log(port);\n')}`,
    edit,
  ],
};

describe('an answer in the form of', () => {
  for (const [name, [answer, ...wanted]] of Object.entries(wholeCalls)) {
    it(`${name} is applied`, () => {
      assert.deepEqual(outcome(answer), wanted);
    });
  }
});

describe('commands for a terminal', () => {
  for (const [name, answer] of Object.entries({
    'alone, with a prompt': fence('$ npm test\n', 'text'),
    'beside code': `${fence('npm test\n', 'sh')}\nsrc/log.ts\n${fence(log)}`,
  }))
    it(`are never edits: ${name}`, () => {
      const { refused } = apply(answer);
      assert.deepEqual(
        refused.map(({ part }) => part.includes('npm test')),
        [true],
      );
    });
});

function reasonOf(answer: string): string {
  const { files: changes, refused } = apply(answer);
  assert.deepEqual(changes, []);
  assert.equal(refused.length, 1, JSON.stringify(refused));
  assert.ok(refused[0]?.part.includes('export const log'), refused[0]?.part);
  return refused[0]?.reason ?? '';
}

describe('an answer that is damaged', () => {
  for (const [name, answer] of Object.entries({
    'tag of a file': `<write_to_file>\n<path>src/log.ts</path>\n<content>\n${log}`,
    'call with parameters': `<invoke name="create">\n<parameter name="path">src/log.ts</parameter>\n<parameter name="content">${log}`,
  })) {
    it(`in a ${name} is refused, and says that it may be cut off`, () => {
      assert.match(reasonOf(`I write it.\n\n${answer}`), /Nothing closes this tag/);
    });
  }

  it('in a line of JSON says that it cannot be read', () => {
    const call = JSON.stringify({ name: 'Write', input: { path: 'src/log.ts', content: log } });
    assert.match(reasonOf(`I write it.\n\n${call.slice(0, -4)}\n`), /cannot be read/);
  });

  it('where one call is not closed keeps the next one', () => {
    const open = `<invoke name="create">\n<parameter name="path">src/a.ts</parameter>\n<parameter name="content">const a = 1;\n`;
    const whole = `<invoke name="create">\n<parameter name="path">src/log.ts</parameter>\n<parameter name="content">${log}</parameter>\n</invoke>\n`;
    assert.deepEqual(outcome(open + whole), [
      create,
      ['refused', '', 'Nothing closes this tag: the answer may be cut off. Ask for it again.'],
    ]);
  });

  it('names code that stands between its parts', () => {
    const { refused } = apply(`const lost = 1;\n\nsrc/log.ts\n${fence(log)}`);
    assert.deepEqual(
      refused.map(({ part }) => part),
      ['const lost = 1;'],
    );
  });

  it('names a tag that it does not know', () => {
    const { refused } = apply(
      `<file-copy source_file="src/app.ts" />\n\nsrc/log.ts\n${fence(log)}`,
    );
    assert.match(refused[0]?.reason ?? '', /unclear what this tag does/);
  });

  it('has no file with a line break in its name', () => {
    const { files: changes, refused } = apply(
      `<invoke name="create">\n<parameter name="path">src/\nlog.ts</parameter>\n<parameter name="content">${log}</parameter>\n</invoke>\n`,
    );
    assert.deepEqual([changes.length, refused.length], [0, 1]);
  });
});

const write = (path: string, content: string) => ({
  name: 'Write',
  input: { file_path: path, content },
});

const inShop = (path: string) => /^\/work\/shop\/(.*)$/.exec(path)?.[1];

describe('an absolute path in an answer', () => {
  it('is that of a file in the workspace folder, whether it is there or not', () => {
    const answer = JSON.stringify([
      write('/work/shop/src/log.ts', log),
      write('/work/shop/README.md', '# New\n'),
    ]);
    assert.deepEqual(outcome(answer, inShop), [create, ['edit', 'README.md', '# New\n']]);
  });

  for (const root of ['/home/me/shop', 'C:\\Users\\me\\shop', 'file:///home/me/shop']) {
    it(`of another machine is found by a known file beside it: ${root}`, () => {
      const separator = root.includes('\\') ? '\\' : '/';
      const at = (name: string) => root + separator + name.replaceAll('/', separator);
      const answer = JSON.stringify([
        write(at('src/log.ts'), log),
        write(at('src/app.ts'), changed),
      ]);
      assert.deepEqual(outcome(answer), [create, edit]);
    });
  }

  it('is outside of the workspace where nothing says otherwise', () => {
    const answer = JSON.stringify([
      write('/etc/cron.d/log.ts', log),
      write('/home/me/shop/src/app.ts', changed),
    ]);
    assert.deepEqual(
      outcome(answer).map(([kind, path]) => [kind, path]),
      [
        ['edit', 'src/app.ts'],
        ['refused', '/etc/cron.d/log.ts'],
      ],
    );
    const up = JSON.stringify([
      write('/home/me/shop/../x.ts', log),
      write('/home/me/shop/src/app.ts', changed),
    ]);
    assert.equal(outcome(up)[1]?.[0], 'refused');
  });
});
