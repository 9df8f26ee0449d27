import assert from 'node:assert/strict';
import { auditMerge, mergeEdit } from '../../../src/merge';
import { largeEdit } from '../../bench/largeFile';
import { cpuMs } from '../../support/unit/cpuTime';

const longestMs = 5000;
const marker = '// ... existing code ...\n';

const { original: file } = largeEdit(2000);
const braces = '{\n}\n'.repeat(10_000);
const megabyte = 'x'.repeat(1_000_000);
const words = 'some words '.repeat(90_000);

const block = (old: string): string =>
  `<<<<<<< SEARCH\n${old}=======\n  stop();\n>>>>>>> REPLACE\n`;

const imports = (name: string): string =>
  Array.from({ length: 20_000 }, (_, at) => `import ${name}${at} from '${name}s${at}';`).join('\n');
const functions = (name: string, by: number): string =>
  Array.from(
    { length: 10_000 },
    (_, at) => `function ${name}${at}(a) {\n  const b = a + ${at * by};\n  return b;\n}\n`,
  ).join('\n');

const texts: Record<string, { original: string; update: string }> = {
  'a line of 1 MB in the file': {
    original: `${file}${megabyte}\n`,
    update: `${marker}const last = 1;\n${megabyte}\n`,
  },
  'a line of 1 MB in the snippet': { original: file, update: `${marker}${megabyte}\n${marker}` },
  'two lines of 1 MB that are almost the same': {
    original: `start();\n${words}\nend();\n`,
    update: `start();\n${words}!\nend();\n`,
  },
  '100,000 markers': { original: file, update: marker.repeat(100_000) },
  '100,000 markers between lines': {
    original: file,
    update: `${marker.repeat(50_000)}  const found: Item[] = [];\n${marker.repeat(50_000)}`,
  },
  '20,000 lines of only braces': { original: braces, update: `${marker}}\n{\n}\n${marker}` },
  '20,000 lines of only braces in the snippet as well': {
    original: braces,
    update: `${marker}${braces}}\n${marker}`,
  },
  '20,000 lines that are the same': {
    original: '  step();\n'.repeat(20_000),
    update: `${marker}${'  step();\n'.repeat(2000)}  stop();\n${marker}`,
  },
  '2,500 sections': largeEdit(50_000, 2000),
  '2,000 sections that fit everywhere': {
    original: braces,
    update: `${marker}}\n  stop();\n`.repeat(2000),
  },
  'a block of 100,000 lines that are the same, in a file of twice as many': {
    original: '  step();\n'.repeat(200_000),
    update: block('  step();\n'.repeat(100_000)),
  },
  'a block of 100,000 lines that are the same but the last': {
    original: '  step();\n'.repeat(200_000),
    update: block(`${'  step();\n'.repeat(100_000)}  other();\n`),
  },
  'a long block that almost fits at thousands of places': {
    original: `${'  step();\n'.repeat(50)}  turn();\n`.repeat(4000),
    update: block(
      `${`${'  step();\n'.repeat(50)}  turn();\n`.repeat(1999)}${'  step();\n'.repeat(49)}  turn();\n`,
    ),
  },
  'a whole file of 200,000 other lines': {
    original: Array.from({ length: 200_000 }, (_, at) => `old(${at});\n`).join(''),
    update: block(Array.from({ length: 200_000 }, (_, at) => `old(${at});\n`).join('')),
  },
  '20,000 new imports beside as many': {
    original: `${imports('old')}\nrun();\n`,
    update: `${imports('fresh')}\n// ... existing code ...\nrun(1);\n`,
  },
  '10,000 new functions among as many': {
    original: functions('old', 1),
    update: block(functions('fresh', 1)),
  },
  '49 functions in the other order': {
    original: functions('old', 1),
    update: functions('old', 2)
      .split('\n\n')
      .slice(0, 49)
      .toReversed()
      .join('\n// ... existing code ...\n'),
  },
  'a snippet for another file': { original: file, update: '  other(line);\n'.repeat(20_000) },
};

describe('mergeEdit on hostile texts', () => {
  for (const [title, { original, update }] of Object.entries(texts)) {
    it(`ends in time on ${title}`, () => {
      const ms = cpuMs(() => {
        const result = mergeEdit(original, update, { path: 'a.ts' });
        if (result.kind === 'merged') {
          auditMerge(original, update, result.text, { path: 'a.ts' });
        }
      });
      assert.ok(ms < longestMs, `${ms} ms`);
    });
  }
});
