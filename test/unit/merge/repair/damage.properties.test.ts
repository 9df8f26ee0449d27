import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { auditMerge, isMarkerLine, mergeEdit } from '../../../../src/merge';
import { asPython, editedCode } from '../../../support/unit/editedCode';
import { linesOf } from '../../../support/unit/lines';
import { type SnippetStyle, snippetOf } from '../../../support/unit/snippetOf';

type Damage = (update: string) => string;

const inMargin = (text: string, change: (margin: string) => string): string =>
  text.replaceAll(/^[ \t]+/gm, change);

/** What pages, chats and editors make of copied code. */
const damages: Record<string, Damage> = {
  none: update => update,
  'curly quotes': update => update.replaceAll(/'([^'\n]*)'/g, '‘$1’'),
  'HTML entities': update =>
    update
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll("'", '&#39;'),
  'no-break spaces': update => update.replaceAll(' ', '\u00a0'),
  'no-break indentation': update => inMargin(update, margin => '\u00a0'.repeat(margin.length)),
  'invisible characters': update => update.replaceAll('(', '\u200b('),
  'no indentation': update => inMargin(update, () => ''),
  'twice the indentation': update => inMargin(update, margin => margin + margin),
  'a quotation': update => update.replaceAll(/^(?=.)/gm, '> '),
  'line numbers': update =>
    linesOf(update)
      .map((line, at) => `${String(at + 1).padStart(4)} | ${line}\n`)
      .join(''),
  'the label of a chat': update => `typescript\nCopy code\n${update}`,
  'a fence in prose': update => `Here you are:\n\n\`\`\`ts\n${update}\`\`\`\n\nThis is it.\n`,
};

const clearStyle: fc.Arbitrary<SnippetStyle> = fc.record({
  context: fc.integer({ min: 1, max: 3 }),
  uniqueEdges: fc.constant(true),
  wording: fc.constantFrom('... existing code ...', '...', 'rest of the code remains unchanged'),
});

describe('a damaged snippet', () => {
  for (const [name, damage] of Object.entries(damages)) {
    it(`with ${name} is merged, or a finding or doubt tells of it`, () => {
      fc.assert(
        fc.property(editedCode, clearStyle, fc.boolean(), (code, style, isPython) => {
          const path = isPython ? 'a.py' : 'a.ts';
          const before = isPython ? asPython(code.before) : code.before;
          const after = isPython ? asPython(code.after) : code.after;
          const shown = snippetOf(before, after, path, style);
          fc.pre(linesOf(shown).some(isMarkerLine));
          const update = damage(shown);
          const result = mergeEdit(before, update, { path });
          if (result.kind === 'refused' || !result.certain || result.text === after) return;
          const findings = auditMerge(before, update, result.text, { path });
          assert.notDeepEqual(findings, [], `silently wrong:\n${update}\n---\n${result.text}`);
        }),
        { numRuns: 150 },
      );
    });
  }

  it('is merged rightly in nearly all cases', () => {
    let right = 0;
    let all = 0;
    fc.assert(
      fc.property(
        editedCode,
        clearStyle,
        fc.constantFrom(...Object.values(damages)),
        ({ before, after }, style, damage) => {
          const shown = snippetOf(before, after, 'a.ts', style);
          fc.pre(linesOf(shown).some(isMarkerLine));
          const result = mergeEdit(before, damage(shown), { path: 'a.ts' });
          all++;
          if (result.kind === 'merged' && result.text === after) right++;
        },
      ),
      { numRuns: 600, seed: 1 },
    );
    assert.ok(right >= all * 0.9, `${right} of ${all}`);
  });
});
