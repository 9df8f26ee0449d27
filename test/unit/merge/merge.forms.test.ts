import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { written } from '../../../src/base/sentence';
import { auditMerge, isMarkerLine, mergeEdit } from '../../../src/merge';
import { type Attempt, attemptAll, attemptRandom } from '../../bench/accuracy';
import { assertApproved } from '../../support/unit/approved';
import { asPython, editedCode } from '../../support/unit/editedCode';
import { linesOf } from '../../support/unit/lines';
import { snippetOf } from '../../support/unit/snippetOf';

type Edit = Pick<Attempt, 'title' | 'original' | 'wanted' | 'update'>;

/** Edits of Python, where indentation is syntax. */
const pythonEdits = fc
  .sample(editedCode, { numRuns: 50, seed: 2 })
  .map(({ before, after }, nth): Edit => {
    const [original, wanted] = [asPython(before), asPython(after)];
    const update = snippetOf(original, wanted, 'a.py', { context: 2 });
    return { title: `${nth}.py`, original, wanted, update };
  });

const edits: readonly Edit[] = [
  ...attemptAll().filter(({ style }) => style === 'two lines of context'),
  ...attemptRandom(2, 80),
  ...pythonEdits,
];

/** The snippet, with its lines changed. */
const changed = (update: string, change: (lines: string[]) => readonly string[]): string =>
  `${change(linesOf(update)).join('\n')}\n`;

const isText = (line: string): boolean => line.trim() !== '' && !isMarkerLine(line);

/** What models make of a snippet. */
const forms: Record<string, (edit: Edit) => string> = {
  'with a line of context left out': ({ update }) =>
    changed(update, lines => lines.toSpliced(lines.findIndex(isText), 1)),
  'with a line of context changed': ({ update }) =>
    changed(update, lines => lines.with(lines.findIndex(isText), '  another(line);')),
  'with a line of context changed a little': ({ update }) =>
    changed(update, lines => {
      const at = lines.findLastIndex(isText);
      return lines.with(at, `${lines[at]} // see below`);
    }),
  'with the new lines alone': ({ update, original }) => {
    const old = new Set(linesOf(original));
    return changed(update, lines => lines.filter(line => isMarkerLine(line) || !old.has(line)));
  },
  'with no indentation': ({ update }) =>
    changed(update, lines => lines.map(line => line.trimStart())),
  'without a marker': ({ update }) =>
    changed(update, lines => lines.filter(line => !isMarkerLine(line))),
  'with the last line above the others': ({ update }) =>
    changed(update, lines => {
      const at = lines.findLastIndex(isText);
      const [line = ''] = lines.splice(at, 1);
      return lines.toSpliced(lines.findIndex(isText), 0, line);
    }),
  'for another file': ({ update }) =>
    changed(update, lines =>
      lines.map((line, at) => (isText(line) && at % 2 === 0 ? `${line}.other(${at})` : line)),
    ),
};

/** What copying makes of a snippet. */
const damages: Record<string, (edit: Edit) => string> = {
  'with curly quotes': ({ update }) =>
    update.replaceAll(/"([^"\n]*)"/g, '“$1”').replaceAll(/'([^'\n]*)'/g, '‘$1’'),
  'with entities': ({ update }) =>
    update.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  'with no-break blanks': ({ update }) =>
    update.replaceAll(/^ +/gm, all => '\u00a0'.repeat(all.length)),
  'with line numbers': ({ update }) =>
    changed(update, lines => lines.map((line, at) => `${at + 12} | ${line}`)),
  'with the marks of a diff': ({ update, original }) => {
    const old = new Set(linesOf(original));
    return changed(update, lines =>
      lines.map(line => (isMarkerLine(line) || old.has(line) ? ` ${line}` : `+${line}`)),
    );
  },
  'with twice the indentation': ({ update }) =>
    update.replaceAll(/^[ \t]+/gm, margin => margin + margin),
  'with a first line that lost its indentation': ({ update }) =>
    changed(update, lines => {
      const from = lines.findIndex(isText);
      return lines.slice(from).with(0, lines[from]?.trimStart() ?? '');
    }),
  'in a fence, with words around it': ({ update }) =>
    `Here is the updated code:\n\n\`\`\`ts\n${update}\`\`\`\n\nLet me know if you need more.\n`,
  'with the words of a page': ({ update }) => `ts\nCopy code\n${update}`,
  'with its last line cut off': ({ update }) => update.trimEnd().slice(0, -9),
};

/** A result that is not wanted is told from another one by its digest. */
function outcomeOf({ title, original, wanted }: Edit, update: string): string {
  const [path = ''] = title.split(',');
  const result = mergeEdit(original, update, { path });
  if (result.kind === 'refused') return `refused: ${written(result.reason).split('. ')[0]}`;
  const digest = createHash('sha256').update(result.text).digest('hex').slice(0, 8);
  const is = result.text === wanted ? 'right' : result.text === original ? 'as before' : digest;
  const findings = auditMerge(original, update, result.text, { path });
  const found = findings.map(({ kind, line }) => `, ${kind} ${line}`).slice(0, 4);
  return `${is}, ${result.certain ? 'certain' : 'not certain'}${found.join('')}`;
}

describe('snippets of the set of the benchmark', () => {
  for (const [name, form] of Object.entries({ ...forms, ...damages })) {
    it(`end as they did ${name}`, () => {
      const outcomes = edits.map(edit => [edit, outcomeOf(edit, form(edit))] as const);
      const usual = outcomes.filter(([, outcome]) => outcome === 'right, certain').length;
      const others = outcomes.flatMap(([{ title }, outcome]) =>
        outcome === 'right, certain' ? [] : [`${title}: ${outcome}`],
      );
      const file = `snippetForms/${name.replaceAll(/\W+/g, '-')}`;
      assertApproved(file, [`${usual} right, certain`, ...others, ''].join('\n'));
    });
  }
});
