import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { applyAnswer } from '../../../src/apply/answer';

const files: Readonly<Record<string, string>> = {
  'src/cart.ts': `import { total } from './money';

export function add(sku: string): void {
  lines.push(sku);
}
`,
  'src/money.ts': 'export const total = (values: number[]): number => values.length;\n',
  'docs/a.md': '# Shop\n',
};
const workspace = { files: () => Object.keys(files), read: (path: string) => files[path] };

const fence = (code: string, info = 'ts'): string => `\`\`\`${info}\n${code}\`\`\`\n`;
const push = '  lines.push(sku);\n';
const blocks = (text: string): string =>
  `<<<<<<< SEARCH\n${push}=======\n${push}${text}>>>>>>> REPLACE\n`;
const marked = (text: string, mark: string): string => text.replaceAll(/^(?=.)/gm, mark);
/** A file of its own for each piece, since the whole content replaces what was there. */
const ownPath = (text: string): string => `src/${/made_\d+/.exec(text)?.[0]}.ts`;
const writing = (text: string) => ({ path: ownPath(text), content: text });

/** The forms in which answers write down an edit of a file or a new one. */
const forms: readonly ((text: string, name: string) => string)[] = [
  text => `### ${ownPath(text)}\n\n${fence(text)}`,
  (text, name) => `${name}\n${fence(blocks(text))}`,
  (text, name) =>
    `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n@@ -4,1 +4,2 @@\n ${push}${marked(text, '+')}`,
  text => fence(`--- /dev/null\n+++ ${ownPath(text)}\n@@ ... @@\n${marked(text, '+')}`, 'diff'),
  text => `*** Begin Patch\n*** Add File: ${ownPath(text)}\n${marked(text, '+')}*** End Patch\n`,
  text => `<file path="${ownPath(text)}">\n${text}</file>\n`,
  text =>
    `<write_to_file>\n<path>${ownPath(text)}</path>\n<content>\n${text}</content>\n</write_to_file>\n`,
  text =>
    `<replace_in_file>\n<path>src/cart.ts</path>\n<diff>\n------- SEARCH\n${push}=======\n${push}${text}+++++++ REPLACE\n</diff>\n</replace_in_file>\n`,
  text =>
    `<edit_file>\n<target_file>src/cart.ts</target_file>\n<code_edit>\n// ... existing code ...\n${push}${text}// ... existing code ...\n</code_edit>\n</edit_file>\n`,
  text =>
    `<invoke name="create">\n<parameter name="path">${ownPath(text)}</parameter>\n<parameter name="content">${text}</parameter>\n</invoke>\n`,
  text =>
    `<function=create>\n<parameter=path>${ownPath(text)}</parameter>\n<parameter=content>\n${text}</parameter>\n</function>\n`,
  text =>
    `<tool_call>\n${JSON.stringify({ name: 'write_file', arguments: writing(text) })}\n</tool_call>\n`,
  text => fence(`${JSON.stringify({ name: 'write_file', arguments: writing(text) })}\n`, 'json'),
  text => `${JSON.stringify({ name: 'Write', input: writing(text) })}\n`,
  text => `<old_text>\n${push}</old_text>\n<new_text>\n${push}${text}</new_text>\n`,
  text => `================\nFile: ${ownPath(text)}\n================\n${text}`,
  text =>
    `In \`src/cart.ts\`, find:\n\n${fence(push)}\nand replace it with:\n\n${fence(push + text)}`,
  text => `1. **${ownPath(text)}**\n\n${marked(fence(text), '   ')}`,
  text => fence(text),
  text => text,
  text => `Some words about it.\n\n${fence(text, 'bash')}`,
  (text, name) => `${name}\n<<<<<<< SEARCH\n${text}`,
  text => `Before:\n\n${fence(text)}`,
  (_, name) => `Delete \`${name}\`.\n`,
];

/** Each line is in a file or in a part that is refused. */
function assertKept(answer: string): void {
  const { files: changes, refused } = applyAnswer(answer, workspace);
  const isTakenBack = changes.some(({ findings }) =>
    findings.some(({ kind }) => kind === 'laterPart'),
  );
  if (isTakenBack) return;
  const kept = [...changes.map(({ text = '' }) => text), ...refused.map(({ part }) => part)];
  const all = kept.join('\n').replaceAll('\\n', '\n');
  for (const [call] of answer.matchAll(/made_\d+ = call\(\d+\);/g))
    assert.ok(all.includes(call), `${call}\n${answer}`);
}

describe('no code of an answer', () => {
  const path = fc.constantFrom(
    'src/cart.ts',
    'src/money.ts',
    'src/other.ts',
    'docs/a.md',
    '../x.ts',
  );
  const line = fc.integer({ min: 0, max: 1e6 }).map(n => `const made_${n} = call(${n});`);
  const code = fc.array(line, { minLength: 1, maxLength: 4 }).map(lines => `${lines.join('\n')}\n`);
  const piece = fc
    .tuple(fc.constantFrom(...forms), path, code)
    .map(([form, name, text]) => form(text, name));
  const answers = fc
    .tuple(
      fc.array(piece, { minLength: 1, maxLength: 6 }),
      fc.constantFrom('\n\n', '\n', '\n\nSome words.\n\n'),
    )
    .map(([pieces, between]) => pieces.join(between));

  it('disappears, in whatever forms the answer mixes', () => {
    fc.assert(fc.property(answers, assertKept), { numRuns: 500 });
  });

  it('disappears where the answer is cut off', () => {
    const cut = fc.tuple(answers, fc.double({ min: 0, max: 1, noNaN: true }));
    fc.assert(
      fc.property(cut, ([answer, share]) => assertKept(answer.slice(0, share * answer.length))),
      { numRuns: 500 },
    );
  });
});
